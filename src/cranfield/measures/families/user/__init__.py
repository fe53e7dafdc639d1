"""Measures of a user who stops somewhere: `reading` (RBP), `stopping` (ERR), `patience`, `foraging`, `effort`.

Read `reading` first.
"""
