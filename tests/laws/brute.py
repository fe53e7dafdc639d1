"""Every measure a second time, in plain loops over one list, written from the definitions in words.

Each function takes the documents of a ranking (a grade, POOLED or None), the grades of all judged documents of the
topic (best first), the highest grade of the collection, and the parameters. NaN is undefined.
"""

import math
from collections.abc import Callable, Sequence

from tests.laws.worlds import POOLED, Document

NAN = float("nan")
Twin = Callable[..., float]
TWINS: dict[str, Twin] = {}


def twin(*names: str) -> Callable[[Twin], Twin]:
    """Name the measures a function computes."""

    def register(function: Twin) -> Twin:
        TWINS.update(dict.fromkeys(names, function))
        return function

    return register


def is_judged(document: Document) -> bool:
    return document is not None and document != POOLED


def is_relevant(document: Document, rel: float) -> bool:
    return document is not None and document != POOLED and document >= rel


def is_nonrelevant(document: Document, rel: float) -> bool:
    return document is not None and document != POOLED and document < rel


def count(judged: Sequence[int], rel: float) -> int:
    return sum(1 for grade in judged if grade >= rel)


def found_by(found: Sequence[Document], rel: float, k: int) -> int:
    return sum(1 for document in found[:k] if is_relevant(document, rel))


@twin("AP", "GMAP")
def ap(found, judged, top, *, rel, cutoff=None, denominator="R"):
    relevant = count(judged, rel)
    if relevant == 0:
        return NAN
    total = 0.0
    for i, document in enumerate(found[:cutoff], start=1):
        if is_relevant(document, rel):
            total += found_by(found, rel, i) / i
    return total / (min(cutoff, relevant) if cutoff and denominator == "min" else relevant)


@twin("Hits")
def hits(found, judged, top, *, rel, cutoff):
    return float(found_by(found, rel, len(found) if cutoff is None else cutoff))


@twin("P")
def p(found, judged, top, *, rel, cutoff):
    return found_by(found, rel, cutoff) / cutoff


@twin("R")
def r(found, judged, top, *, rel, cutoff):
    relevant = count(judged, rel)
    return found_by(found, rel, cutoff) / relevant if relevant else NAN


@twin("F")
def f(found, judged, top, *, beta, rel, cutoff):
    precision, recall = p(found, judged, top, rel=rel, cutoff=cutoff), r(found, judged, top, rel=rel, cutoff=cutoff)
    return weighted(precision, recall, beta)


def weighted(precision: float, recall: float, beta: float) -> float:
    if math.isnan(recall):
        return NAN
    if precision == recall == 0:
        return 0.0
    alpha = 1 / (1 + beta**2)
    return 1 / (alpha / precision + (1 - alpha) / recall)


@twin("Rprec")
def rprec(found, judged, top, *, rel):
    relevant = count(judged, rel)
    return found_by(found, rel, relevant) / relevant if relevant else NAN


@twin("RR")
def rr(found, judged, top, *, rel, cutoff):
    for i, document in enumerate(found, start=1):
        if is_relevant(document, rel) and (cutoff is None or i <= cutoff):
            return 1 / i
    return 0.0


@twin("Success")
def success(found, judged, top, *, rel, cutoff):
    return 1.0 if found_by(found, rel, cutoff) else 0.0


@twin("FullRecall")
def full_recall(found, judged, top, *, rel, cutoff):
    relevant = count(judged, rel)
    missed = relevant - found_by(found, rel, cutoff)
    return NAN if relevant == 0 else 0.0 if missed else 1.0


@twin("IPrec")
def iprec(found, judged, top, *, rel, rule, recall):
    relevant = count(judged, rel)
    if relevant == 0:
        return NAN
    enough = {
        "geq": lambda: math.ceil(recall * relevant - 1e-9),
        "te9": lambda: int(recall * relevant + 0.9),
        "lround": lambda: math.floor(recall * relevant + 0.5),
    }[rule]()
    best = 0.0
    for j in range(1, len(found) + 1):
        if found_by(found, rel, j) >= enough:
            best = max(best, found_by(found, rel, j) / j)
    return best


@twin("11pt")
def eleven(found, judged, top, *, rel, rule):
    return sum(iprec(found, judged, top, rel=rel, rule=rule, recall=t / 10) for t in range(11)) / 11


@twin("SetP")
def set_p(found, judged, top, *, rel, relative):
    relevant = count(judged, rel)
    if relative and relevant == 0:
        return NAN
    if not found:
        return 0.0
    return found_by(found, rel, len(found)) / (min(len(found), relevant) if relative else len(found))


@twin("SetR")
def set_r(found, judged, top, *, rel):
    relevant = count(judged, rel)
    return found_by(found, rel, len(found)) / relevant if relevant else NAN


@twin("SetF")
def set_f(found, judged, top, *, beta, rel):
    return weighted(set_p(found, judged, top, rel=rel, relative=False), set_r(found, judged, top, rel=rel), beta)


@twin("SetAP")
def set_ap(found, judged, top, *, rel):
    return set_p(found, judged, top, rel=rel, relative=False) * set_r(found, judged, top, rel=rel)


@twin("NumQ")
def num_q(found, judged, top):
    return 1.0


@twin("NumRet")
def num_ret(found, judged, top, *, rel):
    return float(len(found) if rel is None else found_by(found, rel, len(found)))


@twin("NumRel")
def num_rel(found, judged, top, *, rel):
    return float(count(judged, rel))


@twin("NumRelRet")
def num_rel_ret(found, judged, top, *, rel):
    return float(found_by(found, rel, len(found)))


def gain(document: Document, dcg: str, gains: dict[int, float] | None) -> float:
    if not is_judged(document):
        return 0.0
    assert document is not None
    if gains and document in gains:
        return float(gains[document])
    return float(2**document - 1 if dcg == "exp-log2" else document)


def discount(i: int, dcg: str, b: float) -> float:
    if dcg == "jk":
        return 1.0 if i < b else math.log(i) / math.log(b)
    return math.log2(i + 1)


def preferences(found, judged, rel, term) -> float:
    """The mean, over the relevant documents, of a term of (nonrelevant above, rank among the judged, R, N)."""
    relevant = count(judged, rel)
    if relevant == 0:
        return NAN
    total = 0.0
    for i, document in enumerate(found):
        if is_relevant(document, rel):
            above = sum(1 for other in found[:i] if is_nonrelevant(other, rel))
            place = sum(1 for other in found[: i + 1] if is_judged(other))
            total += term(above, place, relevant, len(judged) - relevant)
    return total / relevant


@twin("Bpref", "GMBpref")
def bpref(found, judged, top, *, rel):
    return preferences(found, judged, rel, lambda a, _, R, N: 1 - min(a, R) / min(R, N) if a else 1)


@twin("BprefR")
def bpref_r(found, judged, top, *, rel):
    return preferences(found, judged, rel, lambda a, _, R, N: 1 - min(a, R) / R)


@twin("Bpref10")
def bpref_10(found, judged, top, *, variant, rel):
    if variant == "literal":
        return preferences(found, judged, rel, lambda a, _, R, N: 1 - min(a, 10 + R) / (10 + R))
    return preferences(found, judged, rel, lambda a, _, R, N: 1 - min(a, N, 10 + R) / min(N, 10 + R) if a else 1)


@twin("BprefN")
def auc(found, judged, top, *, rel):
    """The Mann-Whitney statistic: over all pairs, is the relevant document above the nonrelevant one?"""
    relevant = [i for i, d in enumerate(found) if is_relevant(d, rel)]
    nonrelevant = [i for i, d in enumerate(found) if is_nonrelevant(d, rel)]
    R, N = count(judged, rel), len(judged) - count(judged, rel)
    if R == 0 or N == 0:
        return NAN
    missed = [len(found)] * (N - len(nonrelevant))
    return sum(1 for i in relevant for j in nonrelevant + missed if i < j) / (R * N)


@twin("BprefRelative")
def bpref_relative(found, judged, top, *, rel):
    return preferences(found, judged, rel, lambda a, place, R, N: 1 - a / (place - 1) if place > 1 else 0)


@twin("RBP")
def rbp(found, judged, top, *, p, rel, max_rel, gains, cutoff):
    total, named = 0.0, gains or {}
    for i, document in enumerate(found[:cutoff], start=1):
        if is_judged(document):
            graded = min(named.get(document, document) / (max_rel or named.get(top, top) or 1), 1)
            total += (graded if rel is None else float(document >= rel)) * (1 - p) * p ** (i - 1)
    return total


@twin("RBPResidual")
def rbp_residual(found, judged, top, *, p, cutoff):
    depth = cutoff or 5000  # what comes later weighs less than the last bit
    padded = [*found, *[None] * depth][:depth]
    return sum((1 - p) * p ** (i - 1) for i, d in enumerate(padded, start=1) if not is_judged(d))


@twin("Judged")
def judged_share(found, judged, top, *, cutoff):
    near = found[:cutoff]
    return sum(map(is_judged, near)) / len(near) if near else math.nan


@twin("Unj")
def unj(found, judged, top, *, cutoff):
    return sum(1 for d in found[:cutoff] if not is_judged(d)) / cutoff


@twin("infAP")
def inf_ap(found, judged, top, *, rel):
    relevant, eps = count(judged, rel), 1e-5
    if relevant == 0:
        return NAN
    total = 0.0
    for k, document in enumerate(found, start=1):
        if not is_relevant(document, rel):
            continue
        if k == 1:
            total += 1
            continue
        above = found[: k - 1]
        pooled = sum(1 for d in above if d is not None)
        good = sum(1 for d in above if is_relevant(d, rel))
        bad = sum(1 for d in above if is_nonrelevant(d, rel))
        total += 1 / k + (k - 1) / k * (pooled / (k - 1)) * (good + eps) / (good + bad + 2 * eps)
    return total / relevant
