"""Curves: `kind` registers the ways to draw a measure, `result` holds the numbers, `sheets` prints them."""
