"""The printed form of what missing judgments could change.

`ranges` prints the possible range of each run with a picture, `pairs` the verdicts, `names` shortens long names.
"""
