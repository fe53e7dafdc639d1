"""Estimated scores: completions drawn from a prior, scored for all runs at once.

`estimate` gives bands, P(A > B) on these and on new topics, and the distribution of tau. `situation_scores` evaluates
completions of any measure, and `of_holes` puts it together for `cranfield.holes`.
"""
