"""What missing judgments could change: coverage, ranges of scores and differences, verdicts, and what to judge next.

A *hole* is a topic-document pair without a judgment that the universe admits as relevant; a *completion* is one way of
filling all holes. Read `universe` and `situation` first, then `completions` and `bounds` (how the ends of a measure are
found in a topic), `ranges` (over topics; `inner`, where nothing is known), `pairs` (whether an order can be reversed).
`holes` joins them, `coverage` counts what was judged, `sheets` prints. `prior` says how probable each grade of an
unjudged document is, and `estimates` scores runs on completions drawn from it. `sampled` says how far estimates from
sampled judgments may be off.

`next` says what to judge next, and `joined` adds all this to scores and comparisons.
"""
