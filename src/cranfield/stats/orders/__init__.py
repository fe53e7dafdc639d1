"""Orders of systems: how far two of them agree.

`coefficient` says what a coefficient is; `kendall`, `tau_ap`, `product_moment` and `overlap` define them.
`correlation` is the public function over all of them.

Read `coefficient` first, then `kendall`.
"""
