"""The AP rank correlation: mistakes near the top of an order count more than those at its end."""

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError
from cranfield.registry import one_of
from cranfield.stats.orders.coefficient import TauTies, coefficient
from cranfield.stats.orders.orders import blocks, tied_ranks, upright

_CITES = "Yilmaz, Aslam & Robertson 2008"


@coefficient("tau-ap", "τ_AP", symmetric=False, cites=_CITES)
def tau_ap(x: Floats, y: Floats, *, ties: TauTies = "average") -> Floats:
    r"""AP rank correlation of an estimated order `y` with the reference `x`: how many systems above belong there.

    $$\tau_{AP} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C(i)}{i-1} - 1$$

    where *C(i)* of the systems above place *i* of the estimated order are also above it in the reference. The
    definition does not cover ties: `ties="error"` refuses them, `ties="average"` gives the mean over all ways to break
    them (exactly, where others draw a thousand at random).

    >>> truth = np.array([[5.0, 4, 3, 2, 1]])
    >>> tau_ap(truth, np.array([[4.0, 5, 3, 2, 1]]))  # 2/4 · (0/1 + 2/2 + 3/3 + 4/4) - 1
    array([0.5])
    >>> tau_ap(truth, np.array([[5.0, 4, 3, 1, 2]]))  # 2/4 · (1/1 + 2/2 + 3/3 + 3/4) - 1
    array([0.875])
    """
    (draws, systems), (reference, until), (first, last) = x.shape, tied_ranks(x), tied_ranks(y)
    one_of("ties", ties, ("average", "error"))
    if ties == "error" and ((until > reference).any() or (last > first).any()):
        raise PolicyError(
            "E217",
            "tau-ap is not defined for tied systems",
            hint="the usual way takes the average over all ways to break them",
        )
    if systems < 2:
        return np.full(draws, np.nan)
    order = np.argsort(first, axis=1, kind="stable")
    first, last, reference = (np.take_along_axis(ranks, order, axis=1) for ranks in (first, last, reference))
    above, among = _weights(first, last)
    right = (above * _concordant(first, reference)).sum(axis=1) + among.sum(axis=1) / 2
    return 2 / (systems - 1) * right - 1


@coefficient("tau-ap-reversed", symmetric=False, cites=_CITES)
def tau_ap_reversed(x: Floats, y: Floats, *, ties: TauTies = "average") -> Floats:
    r"""AP rank correlation with the roles exchanged: the second order is the reference.

    $$\tau_{AP}(y, x)$$

    >>> truth = np.array([[5.0, 4, 3, 2, 1]])
    >>> tau_ap_reversed(np.array([[4.0, 5, 3, 2, 1]]), truth)
    array([0.5])
    """
    return tau_ap(y, x, ties=ties)


@coefficient("tau-ap-symmetric", cites=_CITES)
def tau_ap_symmetric(x: Floats, y: Floats, *, ties: TauTies = "average") -> Floats:
    r"""AP rank correlation of two orders of equal standing: the mean of both directions.

    $$\tfrac{1}{2}\left(\tau_{AP}(x, y) + \tau_{AP}(y, x)\right)$$

    >>> x, y = np.array([[3.0, 2, 1]]), np.array([[2.0, 1, 3]])
    >>> tau_ap(x, y), tau_ap(y, x), tau_ap_symmetric(x, y)  # 2/2 · (0/1 + 1/2) - 1; 2/2 · (1/1 + 0/2) - 1
    (array([-0.5]), array([0.]), array([-0.25]))
    """
    return (tau_ap(x, y, ties=ties) + tau_ap(y, x, ties=ties)) / 2


def _concordant(first: Ints, reference: Ints) -> Floats:
    """Systems of better groups that are also better in the reference, for each system; tied there: half."""
    counts = np.zeros(first.shape)
    for part in blocks(*first.shape):
        group, place = upright(first[part]), upright(reference[part])
        twice = np.zeros_like(place)
        for apart in range(1, len(place)):
            agree = 1 + np.sign(place[apart:] - place[:-apart])
            twice[apart:] += agree * (group[apart:] != group[:-apart])
        counts[part] = twice.T / 2
    return counts


def _weights(first: Ints, last: Ints) -> tuple[Floats, Floats]:
    """The weight of a system above a tied group, and of a member of the group: means over all ways to break ties.

    A member of a group at ranks *t … b* is at each of them equally often. At rank *i* it has *i - t* other members
    above, and each pair of members is in the order of the reference half of the time.
    """
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, first.shape[1] + 1))))
    size, start = last - first + 1, np.maximum(first, 2)
    inverse = harmonic[last - 1] - harmonic[start - 2]  # the sum of 1 / (i - 1)
    members = (last - start + 1) - (first - 1) * inverse  # the sum of (i - t) / (i - 1)
    return inverse / size, members / size
