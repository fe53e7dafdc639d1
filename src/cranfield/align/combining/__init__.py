"""Several judgments of one pair become one: `rules` are the ways to do it, and `combine` follows one of them."""
