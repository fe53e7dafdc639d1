"""User models, ERR and its relatives, time and effort, Compatibility, a second time in plain loops; see `brute`."""

import math
from collections.abc import Callable

from cranfield.measures.grammar import parse
from tests.laws.brute import NAN, is_judged, twin


def gain(document, top, rel, max_rel, gains):
    """The gain of a document between 0 and 1; named gains do not decrease with the grade."""
    if not is_judged(document):
        return 0.0
    if rel is not None:
        return 1.0 if document >= rel else 0.0
    named = gains or {}
    return min(named.get(document, document) / (max_rel or named.get(top, top) or 1), 1)


def walk(gains, continuation, pad, after=0.0):
    """Items read, gain collected, and the probability of reading each rank.

    The user goes on with the probability `continuation(i, gain at i, gain so far)`; the list is continued by gains of
    `after` to rank `pad`.
    """
    padded = [*gains, *[after] * (max(pad, 1) - len(gains))]
    items = collected = seen = 0.0
    reaching, reached = 1.0, []
    for i, g in enumerate(padded, start=1):
        reached.append(reaching)
        items += reaching
        collected += reaching * g
        seen += g
        reaching *= continuation(i, g, seen)
    return items, collected, reached


def squared(x):
    return ((x - 1) / x) ** 2


def logistic(x, b):
    return 1 - 1 / (1 + b * math.exp(x)) if x < 300 else 1.0


def bpm_goes_on(i, g, seen, T, cutoff, hb, hc, med, **_):
    moved = (seen - g) - (i - 1) * med  # by the documents above
    return 1.0 if seen < T + hb * moved and i < cutoff + hc * moved else 0.0


CONTINUATIONS: dict[str, Callable[..., float]] = {
    "SDCG": lambda i, g, seen, **_: math.log2(i + 1) / math.log2(i + 2),
    "INST": lambda i, g, seen, T, **_: squared(i + T + (T - seen)),
    "INSQ": lambda i, g, seen, T, **_: squared(i + 2 * T),
    "BPM": bpm_goes_on,
    "NERR8": lambda i, g, seen, **_: 1 - g,
    "NERR9": lambda i, g, seen, **_: i / (i + 1) * (1 - g),
    "NERR10": lambda i, g, seen, p, **_: p * (1 - g),
    "NERR11": lambda i, g, seen, T, **_: squared(i + 2 * T) * (1 - g),
    "IFTGoal": lambda i, g, seen, T, b1, R1, **_: logistic((T - seen) * R1, b1),
    "IFTRate": lambda i, g, seen, A, b2, R2, **_: 1 / (1 + b2 * math.exp((A - seen / i) * R2)),
    "RR": lambda i, g, seen, **_: 0.0 if g > 0 else 1.0,
    "P": lambda i, g, seen, **_: 1.0,
    "RBP": lambda i, g, seen, p, **_: p,
}
CONTINUATIONS["IFT"] = lambda i, g, seen, **settings: (
    CONTINUATIONS["IFTGoal"](i, g, seen, **settings) * CONTINUATIONS["IFTRate"](i, g, seen, **settings)
)


def expectation(name, found, judged, top, parameters, unjudged=0.0):
    """Items read, gain collected and the probability of reading each rank, of the user behind a measure."""
    shape = [parameters.get(key) for key in ("rel", "max_rel", "gains")]
    gains = [gain(d, top, *shape) if is_judged(d) else unjudged for d in found]
    cutoff = parameters.get("cutoff")
    if name == "BPM":
        pad = max(cutoff, 2000)
    elif cutoff:
        gains, pad = gains[:cutoff], cutoff
    elif name == "RR":
        pad = len(found) + (unjudged > 0)
    else:
        pad = parameters.get("pad", 2000)
    return walk(gains, lambda i, g, seen: CONTINUATIONS[name](i, g, seen, **parameters), pad, unjudged)


def score_of(name):
    def score(found, judged, top, **parameters):
        items, collected, _ = expectation(name, found, judged, top, parameters)
        return collected / items

    return score


for _name in ("SDCG", "INST", "INSQ", "BPM", "NERR8", "NERR9", "NERR10", "NERR11", "IFTGoal", "IFTRate", "IFT"):
    twin(_name)(score_of(_name))


def behind(model, found, judged, top, unjudged=0.0):
    measure = parse(model)
    return expectation(measure.definition.name, found, judged, top, measure.arguments, unjudged)


@twin("EU")
def eu(found, judged, top, *, model):
    items, collected, _ = behind(model, found, judged, top)
    return collected / items


@twin("ETU")
def etu(found, judged, top, *, model):
    return behind(model, found, judged, top)[1]


@twin("ED")
def ed(found, judged, top, *, model):
    return behind(model, found, judged, top)[0]


@twin("ETC")
def etc(found, judged, top, *, model, item, unit, length):
    reached = behind(model, found, judged, top)[2]
    return sum(v * (item + (unit * length if i < len(found) and unit else 0)) for i, v in enumerate(reached))


@twin("CWLResidual")
def cwl_residual(found, judged, top, *, model, of):
    best, worst = (behind(model, found, judged, top, unjudged) for unjudged in (1.0, 0.0))
    of_pair = {"EU": lambda pair: pair[1] / pair[0], "ETU": lambda pair: pair[1]}.get(of, lambda pair: pair[0])
    return of_pair(best) - of_pair(worst)


def satisfactions(found, judged, top, stop, highest, max_rel):
    """For each rank, the probability that the user is satisfied there and not before."""
    most = max_rel or (max(judged, default=0) if highest == "topic" else top)
    unsatisfied = 1.0
    for document in found:
        grade = min(document, most) if is_judged(document) else 0
        chance = grade / (most + 1) if stop == "linear" else (2**grade - 1) / 2**most
        yield unsatisfied * chance
        unsatisfied *= 1 - chance


@twin("ERR")
def err(found, judged, top, *, stop, highest, max_rel, cutoff):
    chances = satisfactions(found[:cutoff], judged, top, stop, highest, max_rel)
    return sum(chance / r for r, chance in enumerate(chances, start=1))


@twin("nERR")
def nerr(found, judged, top, **parameters):
    ideal = err(judged, judged, top, **parameters)
    return err(found, judged, top, **parameters) / ideal if ideal else NAN


@twin("iRBU")
def irbu(found, judged, top, *, p, stop, highest, max_rel, cutoff):
    chances = satisfactions(found[:cutoff], judged, top, stop, highest, max_rel)
    return sum(chance * p**r for r, chance in enumerate(chances, start=1))


@twin("TBG")
def tbg(found, judged, top, *, length, h, summary, word, opening, click, click_non, save, normalize, rel):
    def worth(documents):
        time = total = 0.0
        for document in documents:
            relevant = is_judged(document) and document >= rel
            if relevant:
                total += click * save * math.exp(-time * math.log(2) / h)
            time += summary + (word * length + opening) * (click if relevant else click_non)
        return total

    if not normalize:
        return worth(found)
    ideal = worth([grade for grade in judged if grade >= rel])
    return worth(found) / ideal if ideal else NAN


@twin("UMeasure")
def u(found, judged, top, *, length, L, trail, snippet, read, rel, max_rel, gains):
    place = total = 0.0
    for document in found:
        g = gain(document, top, rel, max_rel, gains)
        place += snippet + (read * length if g > 0 else 0) if trail else length
        total += g * max(0, 1 - place / L)
    return total


@twin("Compat")
def compat(found, judged, top, *, p, normalize, depth):
    """Documents are numbered by their place in the list, those that were missed after it."""
    grades = [d if is_judged(d) else 0 for d in found]
    missed = list(judged)
    for grade in grades:
        if grade in missed:
            missed.remove(grade)
    every = [*grades, *missed]
    ideal = sorted((d for d in range(len(every)) if every[d] > 0), key=lambda d: (-every[d], d))
    if not ideal:
        return NAN
    end = depth or max(len(found), len(ideal))

    def overlap(one, other):
        terms = [p ** (i - 1) * len(set(one[:i]) & set(other[:i])) / i for i in range(1, end + 1)]
        return sum(terms) / sum(p ** (i - 1) for i in range(1, end + 1))

    similarity = overlap(list(range(len(found))), ideal)
    return similarity / overlap(ideal, ideal) if normalize else similarity
