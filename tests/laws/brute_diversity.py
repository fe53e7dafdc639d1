"""Measures of diversity in plain loops over documents and subtopics; see `brute`.

The greedy ideal is found with fractions, so that equal gains are equal.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.laws.brute import NAN, twin
from tests.laws.covering import Covering, facets_of

Discount = Callable[[int], float]


def relevant(document: int | None, subtopic: int, rel: float) -> bool:
    facets = facets_of(document)
    return subtopic < len(facets) and facets[subtopic] >= rel


def kept(judged: Sequence[int], rel: float) -> list[int]:
    """The subtopics that have a relevant document."""
    most = max((len(facets_of(d)) for d in judged), default=0)
    return [i for i in range(most) if any(relevant(d, i, rel) for d in judged)]


def chances(judged: Sequence[int], subtopics: Sequence[int]) -> dict[int, Fraction]:
    """The probability of each of the subtopics, so that they add up to 1."""
    known = next((d.chances for d in judged if isinstance(d, Covering)), None)
    given = {i: Fraction(1) if known is None else Fraction(known[i]) for i in subtopics}
    total = sum(given.values())
    return {i: chance / total for i, chance in given.items()}


def novelty_gains(found, judged, alpha, rel) -> list[Fraction]:
    """The novelty gain at each rank, with the subtopics weighted so that equal ones weigh 1."""
    subtopics = kept(judged, rel)
    chance = chances(judged, subtopics)
    seen = dict.fromkeys(subtopics, 0)
    gains = []
    for document in found:
        gains.append(gain(document, seen, chance, alpha, rel))
        for i in subtopics:
            seen[i] += relevant(document, i, rel)
    return gains


def gain(document, seen, chance, alpha, rel) -> Fraction:
    novel = 1 - Fraction(str(alpha))
    return sum(
        (len(chance) * chance[i] * novel ** seen[i] for i in seen if relevant(document, i, rel)), start=Fraction(0)
    )


def greedy(judged, alpha, rel) -> list[int]:
    """Again and again the document of the largest gain; of equal ones that of the highest id."""
    subtopics = kept(judged, rel)
    chance, seen = chances(judged, subtopics), dict.fromkeys(subtopics, 0)
    left, chosen = list(judged), []
    while left:
        worths = [(gain(d, seen, chance, alpha, rel), getattr(d, "place", 0)) for d in left]
        best = left.pop(worths.index(max(worths)))
        chosen.append(best)
        for i in subtopics:
            seen[i] += relevant(best, i, rel)
    return chosen


def discounted(gains: Sequence[Fraction | float], cutoff: int | None, discount: Discount) -> float:
    return sum(float(g) * discount(j) for j, g in enumerate(gains[:cutoff], start=1))


def normalised(found, judged, alpha, rel, cutoff, discount) -> float:
    if not kept(judged, rel):
        return NAN
    ideal = discounted(novelty_gains(greedy(judged, alpha, rel), judged, alpha, rel), cutoff, discount)
    return discounted(novelty_gains(found, judged, alpha, rel), cutoff, discount) / ideal


def logarithmic(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def reciprocal(rank: int) -> float:
    return 1 / rank


def full(alpha, cutoff, discount) -> float:
    return sum((1 - alpha) ** (j - 1) * discount(j) for j in range(1, cutoff + 1))


@twin("alpha_DCG")
def alpha_dcg(found, judged, top, *, alpha, rel, normalisation, cutoff):
    subtopics = kept(judged, rel)
    if not subtopics:
        return NAN
    value = discounted(novelty_gains(found, judged, alpha, rel), cutoff, logarithmic)
    return value if normalisation == "none" else value / (len(subtopics) * full(alpha, cutoff, logarithmic))


@twin("alpha_nDCG")
def alpha_ndcg(found, judged, top, *, alpha, rel, cutoff):
    return normalised(found, judged, alpha, rel, cutoff, logarithmic)


@twin("ERR_IA")
def err_ia(found, judged, top, *, form, alpha, rel, max_rel, cutoff):
    if form == "graded":
        return graded_err(found, judged, max_rel or top, cutoff)
    subtopics = kept(judged, rel)
    if not subtopics:
        return NAN
    value = discounted(novelty_gains(found, judged, alpha, rel), cutoff, reciprocal) / len(subtopics)
    return value / full(alpha, cutoff, reciprocal) if form == "web" else value


def graded_err(found, judged, top, cutoff):
    chance = chances(judged, kept(judged, 1))
    total = 0.0
    for i, weight in chance.items():
        reading = 1.0
        for rank, document in enumerate(found[:cutoff], start=1):
            grade = min(facets_of(document)[i], top) if i < len(facets_of(document)) else 0
            stop = (2 ** max(grade, 0) - 1) / 2**top
            total += float(weight) * reading * stop / rank
            reading *= 1 - stop
    return total if chance else NAN


@twin("nERR_IA")
def nerr_ia(found, judged, top, *, alpha, rel, cutoff):
    return normalised(found, judged, alpha, rel, cutoff, reciprocal)


@twin("NRBP")
def nrbp(found, judged, top, *, alpha, beta, rel):
    subtopics = kept(judged, rel)
    if not subtopics:
        return NAN
    value = discounted(novelty_gains(found, judged, alpha, rel), None, lambda rank: beta ** (rank - 1))
    return (1 - (1 - alpha) * beta) * value / len(subtopics)


@twin("nNRBP")
def nnrbp(found, judged, top, *, alpha, beta, rel):
    return normalised(found, judged, alpha, rel, None, lambda rank: beta ** (rank - 1))


@twin("AP_IA")
def ap_ia(found, judged, top, *, rel, cutoff):
    total = 0.0
    for i, weight in chances(judged, kept(judged, rel)).items():
        hits = [relevant(d, i, rel) for d in found]
        precision = sum(sum(hits[:k]) / k for k in range(1, len(hits[:cutoff]) + 1) if hits[k - 1])
        total += float(weight) * precision / sum(relevant(d, i, rel) for d in judged)
    return total if kept(judged, rel) else NAN


@twin("P_IA")
def p_ia(found, judged, top, *, rel, cutoff):
    weights = chances(judged, kept(judged, rel))
    covered = sum(float(w) for i, w in weights.items() for d in found[:cutoff] if relevant(d, i, rel))
    return covered / cutoff if weights else NAN


@twin("StRecall")
def st_recall(found, judged, top, *, rel, cutoff):
    subtopics = kept(judged, rel)
    covered = [i for i in subtopics if any(relevant(d, i, rel) for d in found[:cutoff])]
    return len(covered) / len(subtopics) if subtopics else NAN


def worth(document, weights, gains) -> float:
    """The gain of a document over all subtopics."""
    grades = {i: facets_of(document)[i] for i in weights if i < len(facets_of(document))}
    return sum(float(weights[i]) * (gains or {}).get(g, g) for i, g in grades.items() if g >= 0)


@twin("DnDCG")
def d_ndcg(found, judged, top, *, gains, cutoff):
    weights = chances(judged, kept(judged, 1))
    best = sorted((worth(d, weights, gains) for d in judged), reverse=True)
    ideal = discounted(best, cutoff, logarithmic)
    return discounted([worth(d, weights, gains) for d in found], cutoff, logarithmic) / ideal if ideal else NAN


@twin("DSharp")
def d_sharp(found, judged, top, *, gamma, gains, cutoff):
    recall = st_recall(found, judged, top, rel=1, cutoff=cutoff)
    return gamma * recall + (1 - gamma) * d_ndcg(found, judged, top, gains=gains, cutoff=cutoff)
