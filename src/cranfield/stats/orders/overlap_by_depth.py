"""The agreement of two lists, with their ties, at each depth; rank-biased overlap is its weighted sum."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints, ratio


@dataclass(frozen=True, eq=False)
class ListPairs:
    """Pairs of lists: first and last rank of each item's tie group in the short and in the long list, `[pair, item]`.

    An item that is not in a list gets the rank below the end of the long list.
    """

    short_first: Ints
    short_last: Ints
    long_first: Ints
    long_last: Ints
    sizes: tuple[int, int]  # of the short and of the long list


@dataclass(frozen=True, eq=False)
class Depths:
    """`[pair, depth]`: the overlap, and the agreement with the short list going on as before, badly, and well."""

    overlap: Floats
    usual: Floats
    least: Floats
    most: Floats


def overlap_by_depth(lists: ListPairs, variant: str) -> Depths:
    """Overlap and agreement of the first 1, 2, … items, down to the end of the long list.

    An item of a group at ranks *t … b* belongs to the first *d* items with the contribution 0 above *t*, 1 from *b*
    on, and (d - t + 1) / (b - t + 1) between (variants a and b), or 1 from *t* on (variant w).
    """
    short, long = lists.sizes
    ends = (lists.short_first, lists.long_first) if variant == "w" else (lists.short_last, lists.long_last)
    s, t = (lists.short_first, ends[0]), (lists.long_first, ends[1])
    depth, later = np.arange(1, long + 1), slice(short, long)
    overlap = _products(s, t, long)
    size = _size(s, t, lists.sizes, variant)
    usual, most = overlap.copy(), overlap.copy()
    if long > short:
        only = np.where(lists.short_first > long, 0, long + 1)  # items of the long list alone; others: never
        alone = np.maximum(t[0], only), np.maximum(t[1], only)
        always = np.ones_like(only), np.ones_like(only)
        entered, finished = _reached(alone[0], long)[:, later], _reached(alone[1], long)[:, later]
        total = _products(alone, always, long)[:, later]
        unseen = depth[later] - short
        share = (overlap / size)[:, short - 1, None]
        usual[:, later] += unseen * share * total / entered
        partly = ratio(total - finished, entered - finished)
        most[:, later] += np.minimum(unseen, finished)
        most[:, later] += np.where(unseen > finished, (unseen - finished) * np.nan_to_num(partly), 0)
    return Depths(overlap, usual / size, overlap / size, most / size)


def _size(s: tuple[Ints, Ints], t: tuple[Ints, Ints], sizes: tuple[int, int], variant: str) -> Floats:
    """The divisor of the overlap; after its end the short list is assumed to have no ties."""
    short, long = sizes
    depth = np.arange(1.0, long + 1)
    if variant == "a":
        return np.broadcast_to(depth, (len(s[0]), long))
    first, second = (_reached(side[0], long) if variant == "w" else _products(side, side, long) for side in (s, t))
    first[:, short:] = depth[short:]
    return (first + second) / 2 if variant == "w" else np.sqrt(first * second)


def _products(s: tuple[Ints, Ints], t: tuple[Ints, Ints], depth: int) -> Floats:
    """For each pair and depth, the sum over items of the product of their contributions to the two lists.

    From the end of both its groups on, an item counts 1; what it counts before is written out only where groups are
    longer than one item, once for all items of the same two groups.
    """
    start, done = np.maximum(s[0], t[0]), np.maximum(s[1], t[1])
    sums = _reached(done, depth)
    row, item = np.nonzero((done > start) & (start <= depth))
    if len(row) == 0:
        return sums
    spans, many = np.unique(np.stack([row, *(side[row, item] for side in (*s, *t))]), axis=1, return_counts=True)
    row, s_first, s_last, t_first, t_last = spans
    start = np.maximum(s_first, t_first)
    length = np.minimum(np.maximum(s_last, t_last), depth + 1) - start
    which = np.repeat(np.arange(len(row)), length)
    at = start[which] + np.arange(len(which)) - np.repeat(np.cumsum(length) - length, length)
    products = many[which] * _contribution(at, s_first[which], s_last[which])
    products = products * _contribution(at, t_first[which], t_last[which])
    partial = np.bincount(row[which] * depth + at - 1, weights=products, minlength=sums.size)
    return sums + partial.reshape(sums.shape)


def _contribution(depth: Ints, first: Ints, last: Ints) -> Floats:
    return np.minimum((depth - first + 1) / (last - first + 1), 1)


def _reached(rank: Ints, depth: int) -> Floats:
    """How many items of each pair have their rank at or above each depth."""
    pairs = len(rank)
    place = np.minimum(rank, depth + 1) + np.arange(pairs)[:, None] * (depth + 2)
    counts = np.bincount(place.ravel(), minlength=pairs * (depth + 2)).reshape(pairs, depth + 2)
    return np.cumsum(counts, axis=1)[:, 1:-1].astype(np.float64)
