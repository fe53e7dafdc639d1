"""Other results beside missing judgments: scores (`scored`), and comparisons.

Of comparisons, `join` and `estimated` add what `pair` declares, and `result` prints it.

Read `scored` first.
"""
