"""`--explain`: where trec_eval 9, trec_eval 10 and our own evaluation differ on two files, and why."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.align.policy import Ties, Unjudged
from cranfield.align.tie_breaking import ordered
from cranfield.arrays import Ints
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.catalogue import ENTRIES, PERSISTENCE, known, nicknames
from cranfield.compat.trec_eval.defects import DEFECTS
from cranfield.compat.trec_eval.parameters import requests
from cranfield.compat.trec_eval.program import TrecOutput, evaluate
from cranfield.compat.trec_eval.quit import Quit
from cranfield.compat.trec_eval.reader import read_qrels, read_run
from cranfield.errors import Error, MeasureError
from cranfield.measures.grammar import Measure, parse
from cranfield.tables.run import Run
from cranfield.tables.words import counted

_OTHERS = {"rbp": f"RBP(p={PERSISTENCE})", "rbp_resid": f"RBPResidual(p={PERSISTENCE})"}
_COLUMNS = ("trec_eval 9", "trec_eval 10", "evaluate")


@dataclass(frozen=True)
class Side:
    """The result of one of the three programs: a number for each name, and its messages."""

    values: Mapping[str, float]
    remark: str = ""


def text(options: TrecOptions) -> str:
    """The whole explanation."""
    requests(options.measures, known(10), nicknames(10))  # a name that neither version knows stops everything
    nine, ten = (_imitated(options._replace(version=version, zscores=None)) for version in (9, 10))
    names = list(dict.fromkeys([*nine.values, *ten.values]))
    sides = (nine, ten, _own(options, names))
    differing = [name for name in names if _differ([side.values.get(name) for side in sides])]
    return "".join(f"{line}\n" for line in _lines(sides, names, differing, options))


def _lines(
    sides: tuple[Side, Side, Side], names: list[str], differing: list[str], options: TrecOptions
) -> Iterator[str]:
    yield f"{'all topics':<22}" + "".join(f"  {column:>12}" for column in _COLUMNS)
    for name in differing:
        shown = (side.values.get(name) for side in sides)
        yield f"{name:<22}" + "".join(f"  {'-' if value is None else f'{value:.4f}':>12}" for value in shown)
    comparable = [name for name in names if sum(name in side.values for side in sides) > 1]
    yield f"{len(comparable) - len(differing)} of {len(names)} values agree"
    reasons = [f"{column}: {side.remark}" for column, side in zip(_COLUMNS, sides, strict=True) if side.remark]
    reasons += _of_the_files(options) + _of_the_measures(differing, options)
    if reasons:
        yield ""
        yield "why"
    for reason in reasons:
        yield f"  {reason}"


def _imitated(options: TrecOptions) -> Side:
    """The summary of one version, for the measures that it has."""
    names = {*known(options.version), *nicknames(options.version)}
    asked = tuple(measure for measure in options.measures if measure.partition(".")[0] in names)
    if options.measures and not asked:
        return Side({})
    options = options._replace(measures=asked)
    try:
        result = evaluate(options)
    except Quit as ending:
        return Side({}, _stopped(ending))
    if result.stop is not None:
        return Side({}, _stopped(result.stop))
    return Side(_summary(result))


def _stopped(ending: Quit) -> str:
    what = ending.text.splitlines()[0]
    return f"stops with exit code {ending.code}, saying {what.removeprefix('trec_eval: ')!r}"


def _summary(result: TrecOutput) -> dict[str, float]:
    topics = result.topics_in_mean
    missing = topics - len(result.lists.topics)
    values = {c.name: c.summarised(topics, missing, "") for c in result.columns if c.summary != "run"}
    return {name: float(value) for name, value in values.items() if isinstance(value, int | float)}


def _own(options: TrecOptions, names: list[str]) -> Side:
    """The summary of `evaluate` with its own defaults, for the measures it knows under these names."""
    from cranfield.measures.evaluate import evaluate as score

    measures = {name: measure for name in names if (measure := _measure(name, options)) is not None}
    if not measures:
        return Side({})
    unjudged: Unjudged = "condensed" if options.judged_only else "nonrelevant"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = score(
                options.qrels,
                options.run,
                list(measures.values()),
                rel=options.level,
                depth=options.max_docs,
                unjudged=unjudged,
            )
    except Error as refusal:
        return Side({}, f"refuses the files, {str(refusal).splitlines()[0]}")
    means = scores.means[0]
    place = {str(measure): position for position, measure in enumerate(dict.fromkeys(map(str, measures.values())))}
    return Side({name: float(means[place[str(measure)]]) for name, measure in measures.items()})


def _measure(name: str, options: TrecOptions) -> Measure | None:
    try:
        return parse(_OTHERS.get(name, name)).at_level(options.level)
    except MeasureError:
        return None


def _differ(values: list[float | None]) -> bool:
    """Whether the numbers that are there differ in the four decimals that are printed."""
    return len({f"{value:.4f}" for value in values if value is not None}) > 1


def _of_the_files(options: TrecOptions) -> list[str]:
    """The properties of the files for which the three differ."""
    try:
        qrels, run = read_qrels(options.qrels, 10), read_run(options.run, 10)
    except Quit:
        return []
    reasons = []
    missing = sorted(set(qrels.topics) - set(run.topics))
    if missing and not options.complete:
        reasons.append(
            f"missing from the run: {counted(len(missing), 'judged topic')} (first: {missing[0]}). Version 9 leaves "
            "them out of the mean, version 10 stops at the first, evaluate scores them 0, as -c does."
        )
    moved = int(np.count_nonzero(_order(run, "trec") != _order(run, "trec9")))
    if moved:
        reasons.append(
            f"ranked elsewhere by version 9: {counted(moved, 'document')}. It keeps scores in single precision, so "
            "scores that differ become ties, and ties are ordered by document id."
        )
    return reasons


def _order(run: Run, ties: Ties) -> Ints:
    order, _ = ordered(run, ties)
    return np.arange(len(run)) if order is None else order


def _of_the_measures(differing: list[str], options: TrecOptions) -> list[str]:
    """The defects that concern the measures that differ."""
    stems = {stem for stem in ENTRIES for name in differing if name == stem or name.startswith(f"{stem}_")}
    used = {
        "": True,
        "-c": options.complete,
        "-J": options.judged_only,
        "-l": options.level != 1,
        "-Z": options.zscores is not None,
    }
    reasons = []
    for defect in DEFECTS:
        if used[defect.only_with] and stems & set(defect.measures.split(", ")):
            versions = " and ".join(map(str, defect.versions))
            reasons.append(f"{defect.measures}, trec_eval {versions}: {defect.trec_eval} Defined: {defect.defined}")
    return reasons
