"""Assessors: how far their judgments agree, and whether the disagreement changes which system is better.

Begin with `agree`: `sources` and `labels` collect the judgments, `coefficients` and `alpha` measure agreement,
`measured` adds intervals, `model` shows what a model's labels do to grades and systems. `result` is what the caller
gets; `sheet` and `notes` print it.
"""
