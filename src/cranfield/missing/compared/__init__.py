"""Comparisons beside missing judgments: `join` and `estimated` add what `pair` declares, `result` prints it."""
