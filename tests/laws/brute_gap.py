"""Graded average precisions a second time, from their definitions as random experiments; see `brute`."""

from tests.laws.brute import NAN, ap, count, is_judged, twin


def shares(g, top) -> dict[int, float]:
    return g or {k: 1 / max(top, 1) for k in range(1, max(top, 1) + 1)}


def users(g, judged) -> float:
    """The share of the users that some judged document satisfies."""
    return sum(share for k, share in g.items() if count(judged, k) > 0)


def nobody(judged, no_user) -> float:
    return 0.0 if count(judged, 1) and no_user == "zero" else NAN


def grades_of(found, cutoff) -> list[int]:
    return [d if is_judged(d) else 0 for d in found[:cutoff]]


def up_to(g, grade) -> float:
    """G: the users to whom the grade is enough."""
    return sum(share for k, share in g.items() if k <= grade)


@twin("GAP")
def gap(found, judged, top, *, g, no_user, cutoff):
    """The definition by pairs of documents, not the one by thresholds."""
    g = shares(g, top)
    divisor = sum(up_to(g, grade) for grade in judged)
    if users(g, judged) == 0:
        return nobody(judged, no_user)
    r = grades_of(found, cutoff)
    total = 0.0
    for n in range(len(r)):
        total += sum(up_to(g, min(r[m], r[n])) for m in range(n + 1)) / (n + 1)
    return total / divisor


@twin("xGAP")
def x_gap(found, judged, top, *, g, renormalise, no_user, cutoff):
    g = shares(g, top)
    if users(g, judged) == 0:
        return nobody(judged, no_user)
    r = grades_of(found, cutoff)
    total = 0.0
    for n in range(len(r)):
        if up_to(g, r[n]) > 0:
            drawn = sum(share / count(judged, k) for k, share in g.items() if k <= r[n]) / up_to(g, r[n])
            total += drawn * sum(up_to(g, min(r[m], r[n])) for m in range(n + 1)) / (n + 1)
    return total / (users(g, judged) if renormalise else 1)


@twin("eGAP")
def e_gap(found, judged, top, *, g, renormalise, no_user, cutoff):
    g = shares(g, top)
    if users(g, judged) == 0:
        return nobody(judged, no_user)
    values = {k: ap(found, judged, top, rel=k, cutoff=cutoff) for k in g if count(judged, k) > 0}
    return sum(g[k] * value for k, value in values.items()) / (users(g, judged) if renormalise else 1)
