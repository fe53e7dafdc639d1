"""Pairs of runs: `asked` says which are looked at, `verdicts` if their order is certain, `flips` what reverses it.

`attained` has the values that two runs take in known completions.
"""
