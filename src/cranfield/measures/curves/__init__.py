"""Curves: a measure at every rank or recall level. `grammar` reads names, `kinds` compute.

`curve` is public; `bounds` finds the band that missing judgments leave.
"""
