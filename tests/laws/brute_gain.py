"""Cumulated gain in plain loops; see `brute`."""

from tests.laws.brute import NAN, discount, gain, twin


@twin("CG")
def cg(found, judged, top, *, gains, avg_pos, cutoff):
    return _dcg(found, "log2", gains, avg_pos, cutoff, lambda i: 1.0)


@twin("nCG")
def ncg(found, judged, top, *, gains, avg_pos, cutoff):
    return _ndcg(found, judged, "log2", gains, avg_pos, cutoff, lambda i: 1.0)


@twin("DCG")
def dcg(found, judged, top, *, dcg, b, gains, avg_pos, cutoff):
    return _dcg(found, dcg, gains, avg_pos, cutoff, lambda i: discount(i, dcg, b))


@twin("nDCG")
def ndcg(found, judged, top, *, dcg, b, gains, avg_pos, cutoff):
    return _ndcg(found, judged, dcg, gains, avg_pos, cutoff, lambda i: discount(i, dcg, b))


def _dcg(found, dcg, gains, avg_pos, cutoff, discount):
    if avg_pos:
        return sum(_dcg(found, dcg, gains, False, k, discount) for k in range(1, cutoff + 1)) / cutoff
    return sum(gain(d, dcg, gains) / discount(i) for i, d in enumerate(found[:cutoff], start=1))


def _ndcg(found, judged, dcg, gains, avg_pos, cutoff, discount):
    if avg_pos:
        return sum(_ndcg(found, judged, dcg, gains, False, k, discount) for k in range(1, cutoff + 1)) / cutoff
    best = sorted((gain(d, dcg, gains) for d in judged), reverse=True)[:cutoff]
    ideal = sum(max(g, 0) / discount(i) for i, g in enumerate(best, start=1))
    return _dcg(found, dcg, gains, False, cutoff, discount) / ideal if ideal else NAN
