"""Older measures a second time, in plain loops over one list; see `brute`. A document scores 1 over its rank."""

import math

from tests.laws.brute import NAN, count, found_by, is_judged, is_relevant, twin
from tests.laws.brute_q import worth


def ranks(found, rel) -> list[int]:
    return [i for i, d in enumerate(found, start=1) if is_relevant(d, rel)]


def placed(found, judged, rel, collection) -> list[int]:
    """The ranks of all relevant documents, those not found at the end of the collection."""
    here = ranks(found, rel)
    return here + [collection - i for i in range(count(judged, rel) - len(here))]


@twin("ASL")
def asl(found, judged, top, *, rel, collection):
    relevant, here = count(judged, rel), ranks(found, rel)
    if relevant == 0 or (collection is None and len(here) < relevant):
        return NAN
    middle = 0.0 if collection is None else (len(found) + 1 + collection) / 2
    return (sum(here) + (relevant - len(here)) * middle) / relevant


@twin("ESL")
def esl(found, judged, top, *, q, rel):
    here = ranks(found, rel)
    return here[q - 1] - q if len(here) >= q else NAN


@twin("ESLReduction")
def esl_reduction(found, judged, top, *, q, rel, collection):
    if collection is None:
        return NAN
    relevant = count(judged, rel)
    return 1 - esl(found, judged, top, q=q, rel=rel) / (q * (collection - relevant) / (relevant + 1))


@twin("NormRecall")
def norm_recall(found, judged, top, *, rel, collection):
    """The share of all pairs of a relevant and another document in right order."""
    relevant = count(judged, rel)
    if collection is None or relevant == 0:
        return NAN
    here = placed(found, judged, rel, collection)
    below = sum(1 for i in here for j in range(i + 1, collection + 1) if j not in here)
    return below / (relevant * (collection - relevant))


@twin("NormPrecision")
def norm_precision(found, judged, top, *, rel, collection):
    relevant = count(judged, rel)
    if collection is None or relevant == 0:
        return NAN
    lost = sum(map(math.log, placed(found, judged, rel, collection))) - math.log(math.factorial(relevant))
    return 1 - lost / math.log(math.comb(collection, relevant))


def best_share(weights, k) -> float:
    best = sum(sorted(weights, reverse=True)[:k])
    return sum(weights[:k]) / best if best else NAN


@twin("SlidingRatio")
def sliding_ratio(found, judged, top, *, gains, cutoff):
    return best_share([worth(d, gains) for d in found], cutoff)


@twin("Satisfaction")
def satisfaction(found, judged, top, *, rel, cutoff):
    return best_share([float(d) if is_relevant(d, rel) else 0.0 for d in found], cutoff)


@twin("Frustration")
def frustration(found, judged, top, *, rel, cutoff):
    lost = [0.0 if is_relevant(d, rel) else float(top - (d if is_judged(d) else 0)) for d in found]
    share = best_share(lost, cutoff)
    return 0.0 if math.isnan(share) else share


@twin("SFTotal")
def total(found, judged, top, *, a, rel, cutoff):
    pleased = satisfaction(found, judged, top, rel=rel, cutoff=cutoff)
    return a * pleased + (1 - a) * (1 - frustration(found, judged, top, rel=rel, cutoff=cutoff))


@twin("RankedHalfLife")
def ranked_half_life(found, judged, top, *, gains, edge, cutoff):
    weights = [worth(d, gains) for d in found[:cutoff]]
    half, before = sum(weights) / 2, 0.0
    for i, w in enumerate(weights, start=1):
        if w > 0 and before + w >= half:
            return i - {"lower": 1, "middle": 0.5}[edge] + (half - before) / w
        before += w
    return NAN


@twin("RelativeRelevance")
def relative_relevance(found, judged, top, *, by, gains, cutoff):
    scores = [1 / i for i in range(1, len(found) + 1)][:cutoff]
    weights = [worth(d, gains) for d in found[:cutoff]]
    both = sum(s * w for s, w in zip(scores, weights, strict=True))
    own = [math.fsum(x * x for x in vector) for vector in (scores, weights)]
    divisor = math.sqrt(own[0] * own[1]) if by == "cosine" else own[0] + own[1] - both
    return both / divisor if divisor else NAN


@twin("GenPrecision")
def gen_precision(found, judged, top, *, max_rel, cutoff):
    degrees = [min(d / (max_rel or top or 1), 1) if is_judged(d) else 0.0 for d in found[:cutoff]]
    return sum(degrees) / (cutoff or len(found)) if found else 0.0


@twin("GenRecall")
def gen_recall(found, judged, top, *, cutoff):
    return sum(d for d in found[:cutoff] if is_judged(d)) / sum(judged) if sum(judged) else NAN


@twin("Fallout")
def fallout(found, judged, top, *, rel, collection, cutoff):
    if collection is None:
        return NAN
    wrong = len(found[:cutoff]) - found_by(found, rel, len(found[:cutoff]))
    return wrong / (collection - count(judged, rel))
