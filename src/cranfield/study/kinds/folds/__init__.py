"""Tuned systems on topics they were not tuned on: `study` is the kind, `splits` makes the folds, `tuning` chooses."""
