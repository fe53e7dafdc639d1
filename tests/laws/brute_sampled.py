"""The estimators for sampled judgments a second time, in plain loops."""

import math

from tests.laws.brute import NAN, is_judged, is_nonrelevant, is_relevant, twin
from tests.laws.sampled import RATES, TOGETHER, stratum_of

EPSILON = 1e-5


def rate(document):
    return RATES[stratum_of(document)]


def relevant_number(judged, rel):
    return sum(1 / rate(document) for document in judged if document >= rel)


@twin("xinfAP")
def xinf_ap(found, judged, top, *, rel, adaptive):
    relevant = relevant_number(judged, rel)
    if relevant == 0:
        return NAN
    total = 0.0
    for k, document in enumerate(found, start=1):
        if not is_relevant(document, rel):
            continue
        expected = 1.0
        for s in range(len(RATES)):
            members = [d for d in found[: k - 1] if d is not None and stratum_of(d) == s]
            good = sum(1 for d in members if is_relevant(d, rel))
            bad = sum(1 for d in members if is_nonrelevant(d, rel))
            expected += len(members) * (good + EPSILON) / (good + bad + 2 * EPSILON)
        total += expected / k / rate(document)
    return total / relevant


@twin("statAP")
def stat_ap(found, judged, top, *, rel, round_R, adaptive):
    relevant = relevant_number(judged, rel)
    if relevant == 0:
        return NAN
    total = 0.0
    for k, document in enumerate(found, start=1):
        if not is_relevant(document, rel):
            continue
        inside = 1.0
        for other in found[: k - 1]:
            if is_relevant(other, rel):
                same = stratum_of(other) == stratum_of(document) and not math.isnan(TOGETHER[stratum_of(other)])
                inside += TOGETHER[stratum_of(other)] if same else 1 / rate(other)
        total += inside / k / rate(document)
    return total / (math.floor(relevant + 0.5) if round_R else relevant)


@twin("infNDCG", "statNDCG")
def sampled_ndcg(found, judged, top, *, dcg, ideal, adaptive, cutoff=None):
    def gain(grade):
        return 2**grade - 1 if dcg == "exp-log2" else grade

    near = enumerate(found[:cutoff], start=1)
    total = sum(gain(int(d)) / rate(d) / math.log2(k + 1) for k, d in near if is_judged(d))
    levels = dict.fromkeys(sorted({int(d) for d in judged if d > 0}, reverse=True), 0.0)
    for document in judged:
        if document > 0:
            levels[int(document)] += 1 / rate(document)
    if not levels:
        return NAN
    left = {grade: math.floor(n + 0.5) if ideal == "round" else n for grade, n in levels.items()}
    best, rank = 0.0, 1
    while any(n > 1e-12 for n in left.values()) and (cutoff is None or rank <= cutoff):
        room = 1.0
        for grade, rest in left.items():
            taken = min(room, rest)
            left[grade] = rest - taken
            room -= taken
            best += taken * gain(grade) / math.log2(rank + 1)
        rank += 1
    return total / best
