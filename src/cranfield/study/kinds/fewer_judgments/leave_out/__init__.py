"""Systems that did not help to build the pool: `study` is the kind, `left_out` the effect.

`possible` finds the ranges that the other judgments leave, `held` says whether they held.
"""
