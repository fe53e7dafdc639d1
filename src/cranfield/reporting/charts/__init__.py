"""The charts: each module draws one kind of result, and registers its charts with `@chart_kind`.

`comparisons` draws a comparison, `curves` curves, `studies` what a study found, `coverage` how much was judged,
`reliability` how good a prior is.

Read `comparisons/deltas` first.
"""
