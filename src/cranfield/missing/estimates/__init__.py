"""Estimated scores: completions drawn from a prior, scored for all runs at once.

`terms` finds the weights of a measure that is a sum over documents, `scores` evaluates completions with them, and
`estimate` gives bands, P(A > B) on these and on new topics, and the distribution of tau.
"""
