"""Measures: from hits to numbers.

`grammar` reads a measure's name, `definition` says what a measure is, `evaluate` computes all measures of a call.
`families` holds the definitions, `users` the user models behind some of them, `curves` measures at every rank. A family
is imported when one of its measures is used.

`facts` are what measures declare beside their formulas, `ties` scores all orders of equal scores, `names` knows other
spellings, `pages` describes measures. Read `definition` first, then `families/ranked`, then `evaluate`.
"""
