"""Rank-biased overlap of two lists that may differ in length and documents, and may hold ties."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, TypeAlias

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import InputError, MeasureError
from cranfield.registry import one_of
from cranfield.stats.orders.coefficient import coefficient
from cranfield.stats.orders.orders import settled, tied_ranks
from cranfield.stats.orders.overlap_by_depth import ListPairs, overlap_by_depth

Variant = Literal["w", "a", "b"]
RankedItems: TypeAlias = Iterable[Hashable | Collection[Hashable]] | Mapping[Any, float]  # keys of any hashable type
_CITES = "Webber, Moffat & Zobel 2010; Corsi & Urbano 2024"


@dataclass(frozen=True)
class Overlap:
    """Rank-biased overlap of two lists: extrapolated, and the smallest and largest value if the lists were continued.

    >>> found = rbo("ab", "ab", p=0.5)
    >>> found.ext, round(found.residual, 4)  # all agree; at least ½ + ¼ + 2 (ln 2 - ⅝) = .8863
    (1.0, 0.1137)
    """

    ext: float  # extrapolated: as if the lists went on as they are
    min: float  # if nothing further down agreed
    max: float  # if all further down agreed
    n: tuple[int, int]  # items of the two lists
    p: float  # how patient the user is
    variant: Variant  # how ties are treated: w, a or b

    @property
    def residual(self) -> float:
        """How much the unseen part of the lists could change."""
        return self.max - self.min


def rbo(x: RankedItems, y: RankedItems, *, p: float = 0.9, ties: Variant = "w") -> Overlap:
    r"""Rank-biased overlap: how much of the first *d* items two lists share, for all *d*, the top weighing most.

    $$\mathrm{RBO} = (1-p) \sum_{d \ge 1} p^{d-1} A_d \qquad A_d = |S_{1:d} \cap T_{1:d}| / d$$

    A list is a sequence of items, best first; a list, tuple or set inside it is a group of tied items. A mapping
    gives each item its score. `ties` says what a tie means: equal items (`w`), an unknown order, where the value of
    two equally long lists is the mean over all orders (`a`), or lost information that is corrected for (`b`). An empty
    list has no overlap: NaN.

    >>> found = rbo("abcde", "bacfd")
    >>> round(found.ext, 4), round(found.min, 4), round(found.max, 4)
    (0.7506, 0.4881, 0.8687)
    >>> round(rbo(["a", ["b", "c"], "d"], ["b", "a", ["c", "d"]], ties="a").ext, 4)
    0.864
    """
    _check(p, ties)
    groups = _groups(x), _groups(y)
    short, long = sorted(groups, key=lambda ranking: sum(map(len, ranking)))
    sizes = sum(map(len, groups[0])), sum(map(len, groups[1]))
    if min(sizes) == 0:
        return Overlap(np.nan, np.nan, np.nan, sizes, p, ties)
    ext, low, high = (float(value[0]) for value in _biased(_lists(short, long), p, ties))
    return Overlap(ext, low, high, sizes, p, ties)


@coefficient("rbo", "RBO", aliases="rbo-w", low=0, needs_order=False, cites=_CITES)
def rbo_w(x: Floats, y: Floats, *, p: float = 0.9) -> Floats:
    r"""Rank-biased overlap of two orders of the same systems; tied systems are equal.

    $$\mathrm{RBO}_w = (1-p) \sum_{d=1}^{n} p^{d-1} A_d + p^n$$

    >>> rbo_w(np.array([[3.0, 2, 1]]), np.array([[2.0, 3, 1]])).round(4)  # .1 · (0 + .9 · 1 + .81 · 1) + .729
    array([0.9])
    """
    return _of_means(x, y, p, "w")


@coefficient("rbo-a", low=0, needs_order=False, cites=_CITES)
def rbo_a(x: Floats, y: Floats, *, p: float = 0.9) -> Floats:
    r"""Rank-biased overlap of two orders of the same systems: the mean over all orders of tied systems.

    $$\mathrm{RBO}_a = (1-p) \sum_{d=1}^{n} p^{d-1} X_d/d + p^n$$

    >>> rbo_a(np.array([[1.0, 1]]), np.array([[2.0, 1]])).round(4)  # (1 + .9) / 2
    array([0.95])
    """
    return _of_means(x, y, p, "a")


@coefficient("rbo-b", low=0, needs_order=False, cites=_CITES)
def rbo_b(x: Floats, y: Floats, *, p: float = 0.9) -> Floats:
    r"""Rank-biased overlap of two orders of the same systems, corrected for what ties hide.

    $$\mathrm{RBO}_b = (1-p) \sum_{d=1}^{n} p^{d-1} X_d\Big/\sqrt{\textstyle\sum c_S^2 \sum c_L^2} + p^n$$

    >>> rbo_b(np.array([[1.0, 1]]), np.array([[2.0, 1]])).round(4)  # .1 · (.5 / √(1 · .5) + .9) + .81
    array([0.9707])
    """
    return _of_means(x, y, p, "b")


def _biased(lists: ListPairs, p: float, variant: Variant) -> tuple[Floats, Floats, Floats]:
    """Extrapolated, smallest and largest overlap of each pair of lists, from the agreement at each depth."""
    depths, (short, long) = overlap_by_depth(lists, variant), lists.sizes
    depth = np.arange(1, long + 1)
    weight = p**depth * (1 - p) / p
    shared = depths.overlap[:, -1]  # whole items: every group has ended
    below = np.log(1 / (1 - p)) - (p**depth / depth).sum()
    ext = depths.usual @ weight + depths.usual[:, -1] * p**long
    low = depths.least @ weight + (1 - p) / p * shared * below
    # at best, the items that a list lacks come next: from this depth on everything is shared
    full = short + long - round(shared[0])
    after = np.arange(long + 1, full + 1)
    high = depths.most @ weight + (1 - p) / p * ((2 * after - full) / after * p**after).sum() + p**full
    return ext, low, high


def _of_means(x: Floats, y: Floats, p: float, variant: Variant) -> Floats:
    _check(p, variant)
    systems = x.shape[1]
    if systems == 0:
        return np.full(len(x), np.nan)
    return _biased(ListPairs(*tied_ranks(x), *tied_ranks(y), (systems, systems)), p, variant)[0]


def _lists(short: list[list[Hashable]], long: list[list[Hashable]]) -> ListPairs:
    places = [_places(ranking) for ranking in (short, long)]
    sizes = len(places[0]), len(places[1])
    absent = sizes[1] + 1, sizes[1] + 1
    items = list({**places[1], **places[0]})
    (first, last), (start, stop) = (np.array([place.get(item, absent) for item in items]).T for place in places)
    return ListPairs(first[None], last[None], start[None], stop[None], sizes)


def _places(ranking: list[list[Hashable]]) -> dict[Hashable, tuple[int, int]]:
    """First and last rank of the group of each item."""
    places: dict[Hashable, tuple[int, int]] = {}
    for group in ranking:
        span = len(places) + 1, len(places) + len(group)
        for item in group:
            if item in places:
                raise InputError("E108", f"item {item!r} is listed twice", hint="a ranking holds an item once")
            places[item] = span
    return places


def _groups(ranking: RankedItems) -> list[list[Hashable]]:
    if isinstance(ranking, Mapping):
        try:
            values = np.array(list(ranking.values()), dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError("E119", "an item has a score that is no number", hint="{item: score}") from None
        scores = zip(settled(values).tolist(), ranking, strict=True)
        ordered = sorted(scores, key=itemgetter(0), reverse=True)
        return [[item for _, item in group] for _, group in groupby(ordered, key=itemgetter(0))]
    entries: Iterable[Any] = ranking  # a group or an item
    return [list(entry) if isinstance(entry, list | tuple | set | frozenset) else [entry] for entry in entries]


def _check(p: float, variant: str) -> None:
    if not 0 < p < 1:
        raise MeasureError("E203", f"rbo(p={p:g}): p must lie strictly between 0 and 1", hint="0.9 is usual")
    one_of("ties", variant, ("w", "a", "b"))
