"""The worked example of the statistics: six topics, four systems, and the pairs in reading order."""

import numpy as np

X = np.array(
    [
        [0.30, 0.35, 0.32, 0.40],
        [0.20, 0.22, 0.25, 0.28],
        [0.55, 0.50, 0.58, 0.60],
        [0.10, 0.18, 0.12, 0.20],
        [0.42, 0.40, 0.45, 0.47],
        [0.33, 0.39, 0.36, 0.35],
    ]
).T  # scores[system, topic]
A, B, C, D = range(4)
PAIRS = np.triu_indices(4, 1)  # AB AC AD BC BD CD


def told_apart(result):
    """The pairs that a procedure tells apart, the better run first."""
    return {
        ("ABCD"[i], "ABCD"[j]) for i, j in zip(*np.nonzero(result.separated & (result.difference > 0)), strict=True)
    }
