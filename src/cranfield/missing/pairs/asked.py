"""Which pairs of runs are compared: all, neighbours in the order of scores, or all runs against baselines."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.names import place
from cranfield.errors.wording import setting
from cranfield.registry import one_of
from cranfield.tables.side.selection import best_first

PairsAsked = Literal["all", "adjacent", "baseline"]
FEW = 10  # runs up to which all pairs are compared


def pairs_asked(runs: Sequence[str], pairs: PairsAsked | None, baselines: Sequence[str]) -> PairsAsked:
    """What was asked for; without a word, all pairs of a few runs, neighbours of many, or those with the baselines.

    >>> pairs_asked(["a", "b"], None, []), pairs_asked(["a"] * 11, None, []), pairs_asked(["a", "b"], None, ["a"])
    ('all', 'adjacent', 'baseline')
    """
    if pairs is not None:
        one_of("pairs", pairs, get_args(PairsAsked))
    if pairs == "baseline" and not baselines:
        problem = f"{setting('pairs', 'baseline')} needs a baseline"
        raise PolicyError("E244", problem, hint=f"add {setting('baseline', runs[0] if runs else 'bm25')}")
    if baselines and pairs not in (None, "baseline"):
        problem = f"{setting('baseline')} has no effect with {setting('pairs', pairs)}"
        raise PolicyError("E244", problem, hint=f"leave one of them out, or write {setting('pairs', 'baseline')}")
    return pairs or ("baseline" if baselines else "all" if len(runs) <= FEW else "adjacent")


def asked_pairs(
    runs: Sequence[str],
    means: Floats,
    *,
    smaller: bool = False,
    pairs: PairsAsked | None = None,
    baselines: Sequence[str] = (),
) -> tuple[Ints, Ints]:
    """The first and second run of each pair, as places among the runs: the better one first, or the baseline second.

    >>> asked_pairs(["a", "b", "c"], np.array([0.1, 0.3, 0.2]), pairs="adjacent")
    (array([1, 2]), array([2, 0]))
    >>> asked_pairs(["a", "b", "c"], np.array([0.1, 0.3, 0.2]), baselines=["c"])
    (array([1, 0]), array([2, 2]))
    """
    asked = pairs_asked(runs, pairs, baselines)
    order = best_first(means, smaller)
    if asked == "adjacent":
        return order[:-1], order[1:]
    if asked == "all":
        upper, lower = np.triu_indices(len(order), 1)
        return order[upper], order[lower]
    fixed = [place(name, runs, "run") for name in dict.fromkeys(baselines)]
    rows = [(run, base) for at, base in enumerate(fixed) for run in order.tolist() if run not in fixed[: at + 1]]
    first, second = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return first, second
