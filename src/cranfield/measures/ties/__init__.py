"""Values over all orders of documents with equal scores: `ties=expected`, `best`, `worst`.

Read `rules` first: what a measure declares about ties, with the formulas of its mean. A measure that declares nothing
is computed by `orders`: every order where there are few, random ones where there are many. `values` chooses the way,
and `table` makes all columns of a table of scores.
"""
