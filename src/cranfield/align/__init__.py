"""Join runs with judgments: the only place where documents get their grades.

A run passes through these modules in order: `policy` holds the choices, `tie_breaking` orders each list, `rankings` are
the ordered lists, `join` looks them up in the judgments, and `hits` is the table that measures read. `checking` and
`converting` work on whole tables; `combining` makes one judgment of several.

`columns` holds what judgments say beside the grade. Read `hits` first, then `join`.
"""
