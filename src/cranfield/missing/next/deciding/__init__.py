"""Deciding between two runs by asking for judgments until the answer is known, or probable enough.

`pair` holds the range of the difference and updates it after each judgment, `worlds` the completions that are still
possible and how probable they are, `decide` asks, and `result` shows the path.
"""
