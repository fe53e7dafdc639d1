"""The charts of a comparison: `deltas` of two runs; of all pairs the `matrix`, `significance`, `critical_difference`.

`chart` draws any of them by its name.
"""
