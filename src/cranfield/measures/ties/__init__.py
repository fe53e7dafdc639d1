"""Values over all orders of documents with equal scores: `ties=expected`, `ties=best`, `ties=worst`.

Read `rules` first: what a measure declares about ties, with the formulas of its mean. A measure that declares nothing
is computed by `orders`: in every order if there are few, in random ones if there are many. `values` chooses the method,
`table` makes all columns of a table of scores, and `effect` says which groups of equal scores can change a value.
"""
