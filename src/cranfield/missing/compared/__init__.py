"""Comparisons beside missing judgments: `join` adds to each pair what `pair` declares, `result` prints it."""
