"""Compare runs in each group of topics, and by the mean of groups."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import place
from cranfield.errors.wording import setting, verb
from cranfield.stats.by_group.stratified import StratifiedMean
from cranfield.stats.comparison.compare import contrasts_of, named_baselines, place_of_baseline
from cranfield.stats.comparison.contrasts import Contrasts, by_topic
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.decide import decide
from cranfield.stats.comparison.declared import declare
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.examine import examine_all
from cranfield.stats.comparison.method import NONE, Method, MethodChoices
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.weights.weighted import has_weights, products, refuse_without_weights
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores, number
from cranfield.tables.side.gates import CHECKERS, GateResult

if TYPE_CHECKING:
    from cranfield.stats.by_group.grouped import GroupedScores
    from cranfield.tables.sheets.sheet import Sheet


@dataclass(frozen=True)
class GroupPair:
    """One run against another by the mean of groups; undefined numbers are NaN. The JSON schema reads these fields."""

    run: str = field(metadata=declare("name", "the run"))
    baseline: str = field(metadata=declare("name", "the run it is compared with"))
    measure: str = field(metadata=declare("name", "the measure"))
    mean: float = field(metadata=declare("number", "the mean of the means of the groups"))
    difference: float = field(metadata=declare("number", "that of the run minus that of the baseline"))
    ci: tuple[float, float] = field(metadata=declare("interval", "the interval of the difference"))
    statistic: float = field(metadata=declare("number", "the t statistic"))
    freedom: float = field(metadata=declare("number", "its degrees of freedom"))
    p_raw: float = field(metadata=declare("share", "the p value before the correction"))
    p: float = field(metadata=declare("share", "the p value after the correction"))
    significant: bool = field(metadata=declare("flag", "whether p is below alpha"))

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the JSON envelope; undefined is None."""
        plain = {name: number(value) if isinstance(value, float) else value for name, value in vars(self).items()}
        return {**plain, "ci": list(map(number, self.ci))}


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class GroupedComparison(Result):
    """The comparison of runs by group of topics: see `GroupedScores.compare`.

    Attributes:
        grouped: the scores that were compared.
        method: test, correction, level, draws.
        baselines: the runs with which the others were compared; empty: all pairs.
        parts: the comparison in each group. Their p values are corrected over the pairs of all groups together.
        pairs: every pair by the mean of groups, a stratified t test, corrected over the pairs.

    >>> import cranfield as cf
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(6)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> runs["new"] |= {"q0": ["b", "a"], "q3": ["b", "a"]}
    >>> groups = {"head": ["q0", "q1", "q2"], "tail": ["q3", "q4", "q5"]}
    >>> found = cf.by_group(cf.evaluate(qrels, runs, "RR"), groups).compare(baseline="old")
    >>> round(found.pairs[0].difference, 4), round(found.pairs[0].p, 3), found.part("head").pair("new", "old").topics
    (0.3333, 0.047, 3)
    """

    command: ClassVar[str] = "compare"

    grouped: "GroupedScores"
    method: Method
    baselines: tuple[str, ...]
    parts: tuple[Comparison, ...]
    pairs: tuple[GroupPair, ...]

    @property
    def audit(self) -> Audit:
        """What shaped the numbers."""
        return replace(self.grouped.audit.computed_with("scipy"), seed=self.method.seed)

    def part(self, group: str) -> Comparison:
        """The comparison on the topics of one group."""
        return self.parts[place(group, self.grouped.groups, self.grouped.grouping.noun)]

    def check(self, *conditions: str) -> "GateResult":
        """Check what must hold: `compared.check("not worse(nDCG@10) in *").require()` in a test.

        Args:
            conditions: as those of `compare --by --require`: `in GROUPGLOB` names groups, of which each has a verdict;
                without it a condition is about the mean of groups.

        Returns:
            The verdicts, which are true if all conditions passed.
        """
        return CHECKERS["grouped comparison"](self, conditions, "")

    def sheet(self) -> "Sheet":
        """The printed tables: the mean of groups, then each group."""
        from cranfield.stats.by_group.comparison_sheets import sheet

        return sheet(self)

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        groups = zip(self.grouped.groups, self.grouped.grouping.members, self.parts, strict=True)
        return {
            **self.method.as_dict(),
            "baselines": list(self.baselines),
            "mean_of_groups": [pair.as_dict() for pair in self.pairs],
            "groups": [
                {"group": name, "topics": len(places), "pairs": [pair.as_dict() for pair in part.pairs()]}
                for name, places, part in groups
            ],
            "missing": self.grouped.missing,
        }


def compare_by_group(
    grouped: "GroupedScores", baseline: str | Sequence[str] | None = None, **choices: Unpack[MethodChoices]
) -> GroupedComparison:
    """Compare the runs in each group, and by the mean of groups.

    The p values of a measure are corrected over the pairs of all groups together, those of the mean of groups over its
    pairs. `family="all"` corrects over all measures too.
    """
    scores = grouped.scores
    if len(scores.runs) < 2:
        hint = f"{verb('evaluate')} scores a single run"
        raise PolicyError("E207", f"compare needs two runs, got {len(scores.runs)}", hint=hint)
    named, method = named_baselines(baseline), Method(**choices)
    if method.posthoc:
        problem = f"{setting('adjust', method.adjust)} compares all pairs on the same topics, not by group"
        raise PolicyError("E244", problem, hint=setting("adjust", "holm"))
    refuse_without_weights(scores, method)
    at = [place_of_baseline(name, scores.runs) for name in named]
    found = [_examined(part, at, method) for part in map(by_topic, grouped.parts)]
    judged = [list(part.judged_shares.T) for part in grouped.parts]
    decided = _decided(found, judged, method)
    parts = tuple(
        Comparison(by_topic(part), method, tuple(named), evidence)
        for part, evidence in zip(grouped.parts, decided, strict=True)
    )
    return GroupedComparison(grouped, method, tuple(named), parts, _by_mean(grouped, at, method))


def _examined(part: Scores, baselines: list[int], method: Method) -> list[Evidence]:
    return examine_all(part, contrasts_of(part, baselines), method)


def _decided(found: list[list[Evidence]], judged: list[list[Floats]], method: Method) -> list[tuple[Evidence, ...]]:
    """The evidence of each group, corrected over all groups: measure by measure, or all measures at once."""
    together = replace(method, family="all")
    if method.family == "all":
        flat = decide([each for group in found for each in group], together, [own for part in judged for own in part])
        size = len(found[0])
        return [flat[begin : begin + size] for begin in range(0, len(flat), size)]
    by_measure = [
        decide(list(evidence), together, list(shares))
        for evidence, shares in zip(zip(*found, strict=True), zip(*judged, strict=True), strict=True)
    ]
    return list(zip(*by_measure, strict=True))


def _by_mean(grouped: "GroupedScores", baselines: list[int], method: Method) -> tuple[GroupPair, ...]:
    """Every pair by the mean of groups, measure by measure."""
    scores, means = grouped.scores, grouped.mean_of_groups
    complete = replace(scores, values=np.where(grouped.complete[:, None, None], scores.values, np.nan))
    tables = []
    for column, pairs in enumerate(contrasts_of(complete, baselines, means)):
        weighted = has_weights(scores)
        contrasts = replace(pairs, values=_products(grouped, column)) if weighted else pairs
        found = StratifiedMean.of(contrasts.differences, grouped.grouping.members)
        tables.append(
            (column, contrasts, found, found.pvalue if method.test != NONE else np.full(len(contrasts), np.nan))
        )
    raw = [p for _, _, _, p in tables]
    rule = CORRECTIONS[method.adjust]
    corrected = (
        np.split(rule(np.concatenate(raw)), np.cumsum(list(map(len, raw)))[:-1])
        if method.family == "all"
        else list(map(rule, raw))
    )
    return tuple(
        pair
        for (column, contrasts, found, p_raw), p in zip(tables, corrected, strict=True)
        for pair in _pairs(scores, column, contrasts, found, p_raw, p, means, method)
    )


def _products(grouped: "GroupedScores", column: int) -> Floats:
    """`[run, topic]`: the values times their weights, over the mean weight of their group; NaN for topics in none."""
    found = np.full(grouped.scores.values.shape[:2], np.nan)
    for places, part in zip(grouped.grouping.members, grouped.parts, strict=True):
        found[:, places] = products(part, column)
    return found


def _pairs(
    scores: Scores,
    column: int,
    contrasts: Contrasts,
    found: StratifiedMean,
    raw: Floats,
    corrected: Floats,
    means: Floats,
    method: Method,
) -> list[GroupPair]:
    spans = found.interval(method.level)
    return [
        GroupPair(
            run=scores.runs[run],
            baseline=scores.runs[baseline],
            measure=scores.measures[column],
            mean=float(means[run, column]),
            difference=float(found.mean[at]),
            ci=(float(spans[at, 0]), float(spans[at, 1])),
            statistic=float(found.t[at]),
            freedom=float(found.freedom[at]),
            p_raw=float(raw[at]),
            p=float(corrected[at]),
            significant=bool(corrected[at] < method.alpha),
        )
        for at, (run, baseline) in enumerate(zip(contrasts.run, contrasts.baseline, strict=True))
    ]
