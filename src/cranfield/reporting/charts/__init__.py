"""The charts: each module draws one kind of result, and registers its charts with `@chart_kind`.

`curves` draws curves, `comparisons` a comparison (its third chart, the `critical_difference`, has a module of its own),
`studies` what a study found, `coverage` how much of the lists was judged, `reliability` how good a prior is.

Read `deltas` first.
"""
