"""Assessors: how far their judgments agree, and whether the disagreement changes which system is better.

`agree` is the way through: `sources` and `labels` bring the judgments together, `coefficients` and `alpha` measure
agreement, `measured` adds intervals. `result` is what the caller gets; `sheet` and `notes` print it.
"""
