"""Statements of Ferrante, Ferro and Maistro about their Tables 2 and 3 and Figures 1 and 2, and what is found.

The paper says "high", "little" and "better"; each statement and the remarks say what is counted here.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cranfield.study.papers.claims import Claim, Ordering
from cranfield.study.papers.ferrante2014 import printed
from cranfield.study.papers.ferrante2014.grid_points import Points
from cranfield.tables.sheets.numerals import in_print

CLOSE = 0.05  # τ: lines that are no further apart behave alike
LITTLE = 0.05  # τ: where the paper says that GAP changes little, it prints changes of .02 to .04
TABLES, FIGURES = "text, Tables 2, 3", "text, Figs 1, 2"
EXTENDED = printed.GRADED[1:]
LINES = (*printed.GRADED, "AP", "nDCG", "RBP", "bpref")  # of the figures
BEST = {"nDCG", "bpref"}
FEW = {grade: f"few of grade {grade}" for grade in (printed.HIGH, printed.KEY)}
Levels = Mapping[float, float]  # percent of the judgments -> mean τ over the draws
Lines = Mapping[str, Levels]  # of one panel, by the paper's name of the measure


def on_tables(points: Points) -> Iterator[Claim]:
    """Statements about the tables; those about measures that were not asked for are left out."""
    same = points.least(points.corners, "GAP")
    yield _one("one grade for all users: least τ of GAP, xGAP, eGAP", same)
    lenient = points.least([point for point in points.corners if point[0] == 1], "AP")
    if np.isnan(lenient):
        return
    yield _one("grade 1 for all users: least τ with AP", lenient)
    for other in ("AP", "GAP", "nDCG"):
        for name in EXTENDED:
            steps = points.growing(name, other)
            if steps[1]:
                what = f"τ of {name} and {other} as g₁ grows, steps without a fall"
                yield Claim.of(TABLES, what, "grows", _of(*steps), holds=steps[0] == steps[1])
    user = printed.USERS[len(points.shares[0])]
    yield from _nearness(points, user)
    yield from _with_ndcg(points, user[0])


def _nearness(points: Points, user: tuple[float, ...]) -> Iterator[Claim]:
    """How far the three are from AP for the users of the figures: on all topics, and where few are highly relevant."""
    whole, few = (
        [points.value(user, name, "AP", topics) for name in printed.GRADED] for topics in ("all", FEW[printed.HIGH])
    )
    if np.isnan(whole).any():
        return
    g = f"g = ({', '.join(f'{share:g}' for share in user)})"
    holds = whole[0] >= printed.NEAR and max(whole[1:]) < whole[0]
    what = f"τ with AP, {g}: GAP; xGAP, eGAP"
    yield Claim.of(TABLES, what, "high; lower", f"{_two(whole[0])}; {_two(*whole[1:])}", holds=holds)
    if not np.isnan(few).any():
        changes = np.subtract(few, whole)
        holds = bool(changes[1:].max() < 0 and abs(changes[0]) <= LITTLE)
        what = f"the same, {FEW[printed.HIGH]} instead of all topics"
        here = f"{_two(changes[0], sign=True)}; {_two(*changes[1:], sign=True)}"
        yield Claim.of(TABLES, what, "changes little; fall", here, holds=holds)


def _with_ndcg(points: Points, low: float) -> Iterator[Claim]:
    """GAP, and not the two others, is near to nDCG where highly relevant, or key, documents are few."""
    for topics in (name for name in FEW.values() if name in points.sets):
        users = [point for point in points.inner if point[0] == low]
        pairs = [
            (points.value(point, "GAP", "nDCG", topics), points.value(point, name, "nDCG", topics))
            for point in users
            for name in EXTENDED
        ]
        if pairs and not np.isnan(pairs).any():
            higher = sum(gap > other for gap, other in pairs)
            what = f"τ with nDCG, {topics}, g₁ = {low:g}: GAP above xGAP, eGAP"
            yield Claim.of(TABLES, what, "always", _of(higher, len(pairs)), holds=higher == len(pairs))


def on_figures(panels: Mapping[str, Lines], grades: int) -> Iterator[Claim]:
    """Statements about the panels of the figures: sets of topics by the names of the grid."""
    for topics, lines in panels.items():
        means = Ordering({name: _mean(lines[name]) for name in LINES if name in lines})
        if means.knows(LINES):
            best = set(means.names[: len(BEST)]) == BEST
            what = f"{topics}: the two with the highest mean τ"
            yield Claim.of(FIGURES, what, "nDCG, bpref", means.first(2), holds=best)
    known = {topics: lines for topics, lines in panels.items() if {*printed.GRADED, "AP"} <= lines.keys()}
    yield from (_two_grades if grades == printed.HIGH else _three_grades)(known)


def _two_grades(panels: Mapping[str, Lines]) -> Iterator[Claim]:
    """Figure 1: the two behave like GAP, and better with very few judgments."""
    everything, few = panels.get("all"), panels.get(FEW[printed.HIGH])
    if everything is None:
        return
    means = _means(everything, printed.GRADED)
    alike = max(abs(means[name] - means["GAP"]) for name in EXTENDED) <= CLOSE
    yield Claim.of(FIGURES, "all: mean τ of xGAP, eGAP", "like GAP", _named(means), holds=alike)
    gain = _gain(everything)
    if gain is None:
        return
    what = f"above GAP at {_levels()}: xGAP, eGAP"
    yield Claim.of(FIGURES, f"all: {what}", "better", _two(*gain, sign=True), holds=min(gain) > 0)
    more = None if few is None else _gain(few)
    if more is not None:
        holds = all(a > b for a, b in zip(more, gain, strict=True))
        said = "more so than on all"
        yield Claim.of(FIGURES, f"{FEW[printed.HIGH]}: {what}", said, _two(*more, sign=True), holds=holds)


def _three_grades(panels: Mapping[str, Lines]) -> Iterator[Claim]:
    """Figure 2: GAP is better on all topics and follows AP, the two are better where a grade is rare."""
    for topics, lines in panels.items():
        means = _means(lines, (*printed.GRADED, "AP") if topics == "all" else printed.GRADED)
        others = [means[name] for name in EXTENDED]
        if topics == "all":
            holds = means["GAP"] > max(others) and abs(means["GAP"] - means["AP"]) <= CLOSE
            yield Claim.of(FIGURES, "all: mean τ", "GAP better, like AP", _named(means), holds=holds)
        else:
            said = "xGAP, eGAP better"
            yield Claim.of(FIGURES, f"{topics}: mean τ", said, _named(means), holds=min(others) > means["GAP"])


def _gain(lines: Lines) -> list[float] | None:
    """How far xGAP and eGAP are above GAP with very few judgments; None where those levels were not looked at."""
    if not all(level in lines[name] for level in printed.LOW for name in printed.GRADED):
        return None
    low = {name: float(np.mean([lines[name][level] for level in printed.LOW])) for name in printed.GRADED}
    return [low[name] - low["GAP"] for name in EXTENDED]


def _means(lines: Lines, names: Sequence[str]) -> dict[str, float]:
    return {name: _mean(lines[name]) for name in names}


def _mean(levels: Levels) -> float:
    return float(np.mean(list(levels.values())))


def _one(what: str, least: float) -> Claim:
    return Claim.of(TABLES, what, "1", f"{least:.2f}", holds=least > 1 - 1e-9)


def _levels() -> str:
    return " and ".join(f"{level} %" for level in printed.LOW)


def _named(means: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {_two(value)}" for name, value in means.items())


def _two(*values: float, sign: bool = False) -> str:
    return ", ".join(in_print(value, "+.2f" if sign else ".2f") for value in values)


def _of(count: int, whole: int) -> str:
    return f"{count} of {whole}"
