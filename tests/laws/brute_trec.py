"""Measures that only trec_eval prints, a second time in plain loops; see `brute`."""

import math
from collections.abc import Sequence

from tests.laws import brute
from tests.laws.brute import NAN, count, found_by, gain, is_nonrelevant, is_relevant, set_p, twin

TWINS = brute.TWINS  # with those below


@twin("RelativeP")
def relative_p(found, judged, top, *, rel, cutoff):
    relevant = count(judged, rel)
    return found_by(found, rel, cutoff) / min(cutoff, relevant) if relevant else NAN


@twin("SetRelativeP")
def set_relative_p(found, judged, top, *, rel):
    return set_p(found, judged, top, rel=rel, relative=True)


@twin("RprecMult")
def rprec_mult(found, judged, top, *, rel, mult):
    k = int(mult * count(judged, rel) + 0.9)
    return found_by(found, rel, k) / k if k else NAN


@twin("binG")
def bin_g(found, judged, top, *, rel):
    relevant = count(judged, rel)
    if relevant == 0:
        return NAN
    total = 0.0
    for i, document in enumerate(found):
        if is_relevant(document, rel):
            total += 1 / math.log2(2 + sum(1 for d in found[:i] if not is_relevant(d, rel)))
    return total / relevant


@twin("Yaap")
def yaap(found, judged, top, *, rel):
    total = sum(found_by(found, rel, i) / i for i, d in enumerate(found, start=1) if is_relevant(d, rel))
    return math.log((1 + total) / (1 + count(judged, rel) - total))


@twin("Utility")
def utility(found, judged, top, *, rel, a, b, c, d, collection):
    good = found_by(found, rel, len(found))
    return a * good + b * (len(found) - good) + c * (count(judged, rel) - good)


@twin("NumNonrelJudgedRet")
def num_nonrel_judged_ret(found, judged, top, *, rel):
    return float(sum(1 for d in found if is_nonrelevant(d, rel)))


def best_gains(judged, gains) -> list[float]:
    """The positive gains of the topic, best first."""
    return sorted((g for g in (gain(d, "log2", gains) for d in judged) if g > 0), reverse=True)


def discounted(gains: Sequence[float]) -> float:
    return sum(g / math.log2(i + 1) for i, g in enumerate(gains, start=1))


@twin("IdealDCG")
def ideal_dcg(found, judged, top, *, gains):
    return discounted(best_gains(judged, gains))


@twin("G")
def g_measure(found, judged, top, *, gains):
    best = best_gains(judged, gains)
    if not best:
        return NAN
    total = cost = collected = 0.0
    for i, document in enumerate(found):
        cost += max(best[i], 1) if i < len(best) else 1
        collected += gain(document, "log2", gains)
        total += gain(document, "log2", gains) / math.log2(2 + cost - collected)
    return total / sum(best)


@twin("NDCGRel")
def ndcg_rel(found, judged, top, *, gains):
    best, got = best_gains(judged, gains), [gain(d, "log2", gains) for d in found]
    if not best:
        return NAN
    at_each = [discounted(got[:i]) / discounted(best[:i]) for i in range(1, len(found) + 1) if got[i - 1] > 0]
    return (sum(at_each) + (len(best) - len(at_each)) * discounted(got) / discounted(best)) / len(best)


@twin("Rndcg")
def rndcg(found, judged, top, *, gains):
    best, got = best_gains(judged, gains), [gain(d, "log2", gains) for d in found]
    if not best:
        return NAN
    points = [i for i in range(1, len(best) + 1) if i == len(best) or best[i] != best[i - 1]]
    if len(found) >= len(best) + 2:
        points.append(len(found))
    return sum(discounted(got[:i]) / discounted(best[:i]) for i in points) / len(points)
