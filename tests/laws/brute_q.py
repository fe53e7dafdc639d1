"""The Q family a second time, in plain loops over one list; see `brute`."""

from tests.laws.brute import NAN, gain, is_judged, twin


def worth(document, gains) -> float:
    return max(gain(document, "log2", gains), 0.0)


def ratios(found, judged, beta, gains) -> list[tuple[float, int]]:
    """The blended ratio at each relevant document, with its grade."""
    best = sorted((worth(d, gains) for d in judged), reverse=True)
    listed = []
    for r in range(1, len(found) + 1):
        if worth(found[r - 1], gains) > 0:
            seen = [worth(d, gains) for d in found[:r]]
            count = sum(1 for g in seen if g > 0)
            listed.append(((count + beta * sum(seen)) / (r + beta * sum(best[:r])), found[r - 1]))
    return listed


@twin("Q")
def q(found, judged, top, *, beta, gains, cutoff):
    relevant = sum(1 for d in judged if worth(d, gains) > 0)
    if relevant == 0:
        return NAN
    return sum(value for value, _ in ratios(found[:cutoff], judged, beta, gains)) / min(relevant, cutoff or relevant)


@twin("O")
def o(found, judged, top, *, beta, gains, cutoff):
    listed = ratios(found[:cutoff], judged, beta, gains)
    return listed[0][0] if listed else 0.0


def down_to_the_best(found, judged, beta, gains, cutoff) -> list[float]:
    """The ratios down to the first document of the highest grade found."""
    listed = ratios(found[:cutoff], judged, beta, gains)
    highest = max((grade for _, grade in listed), default=None)
    values = []
    for value, grade in listed:
        values.append(value)
        if grade == highest:
            break
    return values


@twin("PMeasure")
def p_measure(found, judged, top, *, beta, gains, cutoff):
    values = down_to_the_best(found, judged, beta, gains, cutoff)
    return values[-1] if values else 0.0


@twin("PPlus")
def p_plus(found, judged, top, *, beta, gains, cutoff):
    values = down_to_the_best(found, judged, beta, gains, cutoff)
    return sum(values) / len(values) if values else 0.0


def preferences(found, judged, gains, term) -> float:
    """The mean, weighted by gain, of a term of (penalty, rank among the judged)."""
    total = sum(worth(d, gains) for d in judged)
    if total == 0:
        return NAN
    listed = [worth(d, gains) for d in found if is_judged(d)]
    value = 0.0
    for place, g in enumerate(listed, start=1):
        if g > 0:
            penalty = sum((g - other) / g for other in listed[: place - 1] if other < g)
            value += g * term(penalty, place)
    return value / total


@twin("RprefN")
def rpref_n(found, judged, top, *, gains, highest):
    gained = [worth(d, gains) for d in judged]
    ceiling = worth(top, gains) if highest == "collection" else max(gained, default=0.0)
    if ceiling == 0 or all(g == ceiling for g in gained):
        return NAN
    room = len(judged) - sum(gained) / ceiling
    return preferences(found, judged, gains, lambda penalty, _: 1 - penalty / room)


@twin("RprefRelative")
def rpref_relative(found, judged, top, *, gains):
    return preferences(found, judged, gains, lambda penalty, r: 1 - penalty / (r - 1) if r > 1 else 0.0)


@twin("RprefRelative2")
def rpref_relative_2(found, judged, top, *, gains):
    return preferences(found, judged, gains, lambda penalty, r: 1 - penalty / r)
