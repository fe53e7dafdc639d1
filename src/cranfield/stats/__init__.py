"""Statistics on scores: which systems differ, how sure that is, and how far assessors agree.

`paired` compares two systems, `several` compares many at once, and `comparison` is what `cranfield.compare` does with
both. `by_group` does it by group of topics. `orders` correlates rankings of systems, `planning` says how many topics an
experiment needs, and `agreement` measures assessors. `reproduction` compares a reproduced run with the original,
`score_tables` reads scores computed elsewhere, `weights` weighs topics. Read `paired/definition.py` first, then
`comparison/compare.py`.
"""
