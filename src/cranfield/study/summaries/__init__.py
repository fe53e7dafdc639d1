"""Summaries that several kinds of study share.

`order_agreement` compares orders of runs, `bands` summarises repetitions, `by_level` makes the usual table and chart,
`separation` counts the pairs of runs that a test tells apart, `census` counts judgments.

Read `by_level` first.
"""
