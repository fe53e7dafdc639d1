"""The first paragraph: what is known, and what is not, in sentences that follow from verdicts, tests and coverage.

Each function is a rule: it makes the sentences that the material supports, and none otherwise.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cranfield.missing.joined.pair import RangedPair
from cranfield.reporting.page.material import ReportMaterial
from cranfield.stats.comparison.pair import Pair
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.sheets.numerals import in_print, percent
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

NAMED = 3  # runs that a sentence names; of more, it counts the others


def sentences(material: ReportMaterial) -> list[str]:
    """The sentences of the paragraph.

    >>> import cranfield as cf
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 21)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a"]), "old": {**dict.fromkeys(qrels, ["b"]), "q20": ["x"]}}
    >>> scores = cf.evaluate(qrels, runs, "P@1")
    >>> sentences(ReportMaterial(scores))
    ['new has the higher P@1 of 2 runs, 1.000.', 'Whether unjudged documents could change this was not examined.']
    """
    rules = (_best, _against_reference, _orders, _coverage, _missing_lists)
    return [sentence for rule in rules for sentence in rule(material)]


def _best(material: ReportMaterial) -> Iterator[str]:
    """Who has the best score, as printed; several, if they print the same."""
    ranked, measure = material.ranked, material.measure
    value = in_print(material.mean(ranked[0]), ".3f")
    if math.isnan(material.mean(ranked[0])):
        yield f"No run has a defined {measure}."
    elif len(ranked) == 1:
        yield f"{ranked[0]} has {measure} {value} on {counted(len(material.scores.topics), 'topic')}."
    else:
        first = _first(material)
        degree = _degree(material.smaller, len(ranked))
        if len(first) == 1:
            yield f"{first[0]} has the {degree} {measure} of {counted(len(ranked), 'run')}, {value}."
        elif len(first) == len(ranked):
            yield f"All {counted(len(ranked), 'run')} have the same {measure}, {value}."
        else:
            yield f"{listed(first)} share the {degree} {measure} of {counted(len(ranked), 'run')}, {value}."


def _first(material: ReportMaterial) -> list[str]:
    """The runs with the best score."""
    return [run for run in material.ranked if material.mean(run) == material.mean(material.ranked[0])]


def _degree(smaller: bool, runs: int) -> str:
    if runs == 2:
        return "lower" if smaller else "higher"
    return "lowest" if smaller else "highest"


def _against_reference(material: ReportMaterial) -> Iterator[str]:
    """What is known about the reference and each other run: tested on topics, and certain whatever is unjudged."""
    pairs = [_towards(pair, material) for pair in material.against_reference]
    kinds: dict[tuple[str, bool, bool, bool], list[Pair]] = {}
    for pair in pairs:
        if not math.isnan(pair.difference):
            better = (pair.difference > 0) ^ material.smaller
            kind = _flip(pair), pair.difference == 0, bool(pair.significant), better
            kinds.setdefault(kind, []).append(pair)
    explained = False
    for (flip, same, significant, better), members in kinds.items():
        if flip == "no":
            known = "" if explained else _whatever(material)
            yield _certain(material, members, better=better, same=same, significant=significant, whatever=known)
            explained = True
        elif flip == "" and material.holes is None:
            yield from _tested(members, significant=significant, better=better)
    yield from _open([pair for pair in pairs if _flip(pair) == "yes"])
    yield from _unresolved([pair for pair in pairs if _flip(pair) == "unresolved"])


def _whatever(material: ReportMaterial) -> str:
    """What a certain order does not depend on: judgments of the documents that were taken as possibly relevant."""
    if material.holes is None:
        return ", whatever the unjudged documents turn out to be,"
    situation = material.holes.bounder(material.measure).situation
    return f", whatever the unjudged {situation.documents} turn out to be," if situation.holes else ""


def _towards(pair: Pair, material: ReportMaterial) -> Pair:
    """The pair as sentences see it: another run against a baseline; without one, the best run against another."""
    baseline = bool(material.comparison and material.comparison.baselines)
    first = pair.run != material.reference if baseline else pair.run == material.reference
    return pair if first else pair.reversed()


def _flip(pair: Pair) -> str:
    return (pair.flip or "") if isinstance(pair, RangedPair) else ""


def _sides(pairs: Sequence[Pair]) -> tuple[list[str], list[str]]:
    """Subjects and objects, each once."""
    return list(dict.fromkeys(pair.run for pair in pairs)), list(dict.fromkeys(pair.baseline for pair in pairs))


def _certain(
    material: ReportMaterial, pairs: Sequence[Pair], *, better: bool, same: bool, significant: bool, whatever: str
) -> str:
    """Pairs whose order no judgment of an unjudged document can change."""
    subjects, objects = _sides(pairs)
    who = "It" if subjects == _first(material) else listed(subjects)
    if same:
        scored = f"score{'s' if len(subjects) == 1 else ''} the same as {listed(objects)} on these topics"
        return f"{who} certainly {scored}{whatever.rstrip(',')}."
    word, are = "better" if better else "worse", "is" if len(subjects) == 1 else "are"
    chance = _chance(material, pairs, significant=significant)
    certain = f"{who} {are} certainly {word} than {listed(objects)} on these topics"
    return f"{certain}{whatever or ','} {chance}." if chance else f"{certain}{whatever.rstrip(',')}."


def _chance(material: ReportMaterial, pairs: Sequence[Pair], *, significant: bool) -> str:
    """What the test says: whether other topics could show another order."""
    comparison = material.comparison
    if comparison is None or all(math.isnan(pair.p) for pair in pairs):
        return ""
    one, method = len(pairs) == 1, comparison.method
    limit = f"p {'<' if significant else '≥'} {method.alpha:g}"
    shown = f"{method.corrected}{p_words(pairs[0].p, method.alpha) if one else limit}"
    differences = "the difference is" if one else "the differences are"
    return f"{'and' if significant else 'but'} {differences} {'' if significant else 'not '}significant ({shown})"


def _tested(pairs: Sequence[Pair], *, significant: bool, better: bool) -> Iterator[str]:
    """Without ranges: what the test says of the scores as judged."""
    tested = [pair for pair in pairs if not math.isnan(pair.p)]
    if not tested:
        return
    subjects, objects = _sides(tested)
    if significant:
        words = f"score{'s' if len(subjects) == 1 else ''} significantly {'better' if better else 'worse'} than"
        yield f"As judged, {listed(subjects)} {words} {listed(objects)}."
    else:
        yield f"As judged, {listed(subjects)} cannot be told apart from {listed(objects)}."


def _open(pairs: Sequence[Pair]) -> Iterator[str]:
    """Pairs whose order some judgments reverse, or make equal."""
    if not pairs:
        return
    subjects, objects = _sides(pairs)
    many = len(subjects) > 1
    others, one = (subjects, objects[0]) if many else (objects, subjects[0])
    whether = f"{listed(others)} are better than {one}" if many else f"{one} is better than {listed(others, 'or')}"
    counts = {other: documents(pair) for other, pair in zip(others, pairs, strict=True)}
    known = {other: number for other, number in counts.items() if number is not None}
    if len(pairs) == 1:
        some = counted(known[others[0]], "unjudged document") if known else "unjudged documents"
        yield f"Whether {whether} is not known: {some} could {_done(pairs)}."
    else:
        first = [f"{number:,} suffice for {other}" for other, number in list(known.items())[:NAMED]]
        enough = f"; {', '.join(first)}" if first else ""
        yield f"Whether {whether} is not known: unjudged documents could {_done(pairs)}{enough}."
    if doubtful := [other for other, pair in zip(others, pairs, strict=True) if pair.significant]:
        yield f"As judged, the difference of {listed(doubtful)} is significant nevertheless."


def documents(pair: Pair) -> int | None:
    """The fewest documents that reverse a pair, if that is known."""
    number = pair.flip_documents if isinstance(pair, RangedPair) else None
    return None if number is None or math.isnan(number) else int(number)


def _done(pairs: Sequence[Pair]) -> str:
    """What judgments can do: reverse an order, or no more than make it a tie."""
    ranged = [pair for pair in pairs if isinstance(pair, RangedPair)]
    ties = all(0.0 in (pair.possible_low, pair.possible_high) and pair.difference != 0 for pair in ranged)
    return "make them equal" if ties else "reverse the order"


def _unresolved(pairs: Sequence[Pair]) -> Iterator[str]:
    """Pairs whose range includes 0, while no completion is known that reverses them."""
    if pairs:
        subjects, objects = _sides(pairs)
        both = f"{listed(subjects)} and {listed(objects)}"
        yield f"Whether unjudged documents could reverse the order of {both} is not resolved."


def _orders(material: ReportMaterial) -> Iterator[str]:
    """Of how many pairs the order is certain, where there are more than the sentences above speak of."""
    known = [pair for pair in material.pairs if _flip(pair)]
    if len(known) > len(material.against_reference):
        sure = sum(_flip(pair) == "no" for pair in known)
        yield f"Of the {len(known):,} orders of two runs, {sure:,} {'is' if sure == 1 else 'are'} certain."


def _coverage(material: ReportMaterial) -> Iterator[str]:
    """How much was judged, and of which run least."""
    holes = material.holes
    if holes is None or material.measure not in holes.measures:
        yield "Whether unjudged documents could change this was not examined."
        return
    situation = holes.bounder(material.measure).situation
    if situation.holes == 0:
        yield f"All {situation.documents} were judged."
        return
    yield from _least_judged(material, holes)


def _least_judged(material: ReportMaterial, holes: "Holes") -> Iterator[str]:
    shares = holes.scores.judged_shares[:, holes.measures.index(material.measure)].tolist()
    known = {run: share for run, share in zip(holes.runs, shares, strict=True) if not math.isnan(share)}
    if not known:
        return
    least, looked = min(known, key=lambda run: known[run]), f"the documents that {material.measure} looks at"
    if len(known) == 1:
        yield f"Of {looked}, {percent(known[least])} were judged."
    else:
        yield f"Of {looked}, {percent(known[least])} ({least}) to {percent(max(known.values()))} were judged."


def _missing_lists(material: ReportMaterial) -> Iterator[str]:
    """Runs that did not answer a topic that counts."""
    audit = material.scores.audit
    if audit.policies.get("topic_set", "qrels") == "intersection":
        return
    lost = {run: len(topics) for run, topics in audit.topics_missing.items() if topics}
    for run, number in list(lost.items())[:NAMED]:
        yield f"{run} has no list for {counted(number, 'topic')}, which count{'s' if number == 1 else ''} as 0."


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names in a sentence; of many, the first few and the number of the others.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b, c and 2 others')
    """
    shown = list(names) if len(names) <= NAMED + 1 else [*names[:NAMED], counted(len(names) - NAMED, "other")]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {word} {shown[-1]}"
