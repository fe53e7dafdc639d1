"""Studies of missing judgments: removed at random (`reduction`), by depth (`depth`), of one group (`leave_out`).

`decide` measures how many judgments decide a comparison.
"""
