"""Curves: a measure at every rank or recall level. `grammar` reads names, `vectors` computes, `curve` is public."""
