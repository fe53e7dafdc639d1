"""Ferrante, Ferro & Maistro 2014: `printed` numbers, the `study` that repeats them, its grid and its robustness.

Read `study` first.
"""
