"""Two systems on the same topics: tests, effect sizes, intervals, equivalence and a Bayesian summary.

`definition` says what a test is; `student`, `signflips`, `bootstrap` and `ranks` define the tests. All of them work on
the table that `differences` makes. `resampling` draws topics for `bootstrap` and `intervals`.

Read `definition` first, then `student`.
"""
