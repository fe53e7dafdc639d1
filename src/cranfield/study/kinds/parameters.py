"""`parameters`: how much the order of runs depends on gains, logarithms, patience and the last rank."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.random_streams import stream
from cranfield.stats.orders.correlation import correlate
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import need_means, whole_topics
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.summaries.order_agreement import coefficient_name, coefficient_option, need_order
from cranfield.study.summaries.separation import TESTS, separate
from cranfield.study.summaries.variants import MeasureVariants, cut, numbered, scores_of, top_weights
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted


@define(
    "parameters",
    "how much gains, log base, p, beta and last rank matter",
    cites="voorhees2001 jarvelin2002 sakai2008",
    examples=(
        "cranfield study parameters qrels.txt runs/*.run",
        "cranfield study parameters qrels.txt runs/*.run --p 0.5,0.8,0.95 --bases 2,10",
        "cranfield study parameters qrels.txt runs/*.run -m nDCG --last 5,10 -o p/",
    ),
)
@dataclass(frozen=True)
class Parameters(Study[Collection]):
    """Change the parameters of measures, and see whether the order of the runs and the significant pairs change.

    Families: nDCG over gain schemes and over log bases, RBP over p, Q over beta; and each measure named with -m at
    each last rank. Each variant is compared with the usual one of its family.
    """

    usual: ClassVar[tuple[str, ...]] = ("nCG@1000", "nDCG")

    gains: tuple[float, ...] = option(
        (1, 10, 100, 1000),
        "weights of the highest grade",
        metavar="W,…",
        check=lambda w: all(1 <= x <= 1e6 for x in w),
        rule="from 1",
    )
    bases: tuple[float, ...] = option(
        (1.5, 2, math.e, 5, 10, 100),
        "bases of the logarithm of nDCG",
        metavar="B,…",
        check=lambda b: all(x > 1 for x in b),
        rule="above 1",
    )
    p: tuple[float, ...] = option(
        (0.5, 0.8, 0.95),
        "values of p of RBP",
        metavar="P,…",
        check=lambda p: all(0 < x < 1 for x in p),
        rule="between 0 and 1",
    )
    beta: tuple[float, ...] = option(
        (0, 1, 10, 100), "values of beta of Q", metavar="B,…", check=lambda b: all(x >= 0 for x in b), rule="from 0"
    )
    last: tuple[int, ...] = option(
        (10, 20, 50, 100, 200),
        "ranks at which measures are cut off",
        metavar="K,…",
        check=lambda k: all(x >= 1 for x in k),
        rule="from 1",
    )
    test: Literal["t", "bootstrap", "tukey", "tukey-randomized"] = option("t", "test of the differences between runs")
    boot: int = option(
        1000,
        "resamples, or permutations, of a test that draws",
        metavar="N",
        check=lambda n: n >= 20,
        rule="20 or more",
    )
    alpha: float = option(0.05, "level of significance", metavar="A", check=lambda a: 0 < a < 1, rule="between 0 and 1")
    coefficient: str = coefficient_option()

    def families(self, data: Collection) -> list[MeasureVariants]:
        """All families that have a variant."""
        found = [
            top_weights(data, self.gains),
            numbered(data, "nDCG, log base", "nDCG", "b", self.bases, 2),
            numbered(data, "RBP, patience", "RBP", "p", self.p, 0.8),
            numbered(data, "Q, weight of gain", "Q", "beta", self.beta, 1),
        ]
        return [family for family in (*found, *cut(data, self.last)) if family.measures]

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each family."""
        need_order(len(data.runs))
        need_means(data.measures)
        return [{"family": at} for at in range(len(self.families(data)))]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of the hits for each variant, and of the pairs of runs."""
        return (len(data.hits.rank) + len(data.runs) ** 2 // 2 * len(data.topics)) * 8 * 5

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The coefficients between all variants, their means, and the level and difference of every pair of runs."""
        family = self.families(data)[unit["family"]]
        scores, means = scores_of(data, family.measures)
        key = int(stream(seed, "parameters").integers(2**63))
        tested = [
            separate(
                scores[:, whole_topics(data, scores[..., m]), m],
                self.test,
                alpha=self.alpha,
                samples=self.boot,
                key=key,
            )
            for m in range(scores.shape[-1])
        ]
        sides = range(means.shape[1])
        matrix = [[correlate(means[:, a], means[:, b], self.coefficient) for b in sides] for a in sides]
        return {
            "matrix": np.array(matrix),
            "score": means.mean(axis=0),
            "level": np.array([each.level for each in tested]),
            "difference": np.array([each.difference for each in tested]),
        }

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """A row for each variant: agreement with the usual one of its family, and pairs that are told apart."""
        families = self.families(data)
        what = coefficient_name(self.coefficient)
        pairs = len(data.runs) * (len(data.runs) - 1) // 2
        rows = _rows(families, found, self.alpha)
        names = [family.name for family in families for _ in family.labels]
        variants = [label for family in families for label in family.labels]
        usual = ["usual" if row["usual"] else "" for row in rows]
        columns = {key: [row[key] for row in rows] for key in ("agreement", "score", "significant", "changed")}
        return Findings(
            title=f"{what} with the usual variant, and pairs told apart · {TESTS[self.test]}, α = {self.alpha:g} · "
            f"{counted(len(data.runs), 'run')}, {counted(pairs, 'pair')} · {counted(len(data.topics), 'topic')} · "
            f"no judgment removed",
            shown=(
                Column("family", names),
                Column("variant", variants),
                Column("", usual),
                Column(what, columns["agreement"], ".2f"),
                Column("mean score", columns["score"], ".4f"),
                Column("separated", columns["significant"]),
                Column("changed", columns["changed"]),
            ),
            tidy=(
                Column("family", names),
                Column("variant", variants),
                Column("measure", [str(measure) for family in families for measure in family.measures]),
                Column("usual", [int(row["usual"]) for row in rows]),
                Column("coefficient", [self.coefficient] * len(rows)),
                *(Column(key, values) for key, values in columns.items()),
                Column("pairs", [pairs] * len(rows)),
            ),
            notes=("Changed: pairs that only one of the variant and the usual one tells apart.",),
            aside={
                f"{what} between variants: {family.name}": _matrix(family, each["matrix"])
                for family, each in zip(families, found, strict=True)
            },
            details={"variants": _between(families, found), "pairs": _pairs(data, families, found)},
            drawings=_drawings(self, families, found, pairs, what),
        )


def _rows(families: Sequence[MeasureVariants], found: Sequence[UnitResult], alpha: float) -> list[dict[str, Any]]:
    rows = []
    for family, each in zip(families, found, strict=True):
        significant = each["level"] < alpha
        for at in range(len(family.labels)):
            rows.append(
                {
                    "usual": at == family.usual,
                    "agreement": float(each["matrix"][family.usual, at]),
                    "score": float(each["score"][at]),
                    "significant": int(significant[at].sum()),
                    "changed": int((significant[at] != significant[family.usual]).sum()),
                }
            )
    return rows


def _matrix(family: MeasureVariants, values: Floats) -> tuple[Column, ...]:
    cells = [Column(label, values[:, at], ".2f") for at, label in enumerate(family.labels)]
    return (Column("variant", family.labels), *cells)


def _between(families: Sequence[MeasureVariants], found: Sequence[UnitResult]) -> tuple[Column, ...]:
    """Every variant with every other of its family."""
    rows = [
        (family.name, one, two, float(each["matrix"][a, b]))
        for family, each in zip(families, found, strict=True)
        for a, one in enumerate(family.labels)
        for b, two in enumerate(family.labels)
    ]
    heads = ("family", "variant", "other", "agreement")
    return tuple(Column(head, list(values)) for head, values in zip(heads, zip(*rows, strict=True), strict=True))


def _pairs(data: Collection, families: Sequence[MeasureVariants], found: Sequence[UnitResult]) -> tuple[Column, ...]:
    """Every pair of runs by every variant."""
    one, two = np.triu_indices(len(data.runs), 1)
    runs = np.array(data.runs, dtype=object)
    measures = [str(measure) for family in families for measure in family.measures]
    families_of = [family.name for family in families for _ in family.measures]
    return (
        Column("family", np.repeat(np.array(families_of, dtype=object), len(one)).tolist()),
        Column("measure", np.repeat(np.array(measures, dtype=object), len(one)).tolist()),
        Column("run", np.tile(runs[one], len(measures)).tolist()),
        Column("other", np.tile(runs[two], len(measures)).tolist()),
        Column("difference", np.concatenate([each["difference"].ravel() for each in found])),
        Column("level", np.concatenate([each["level"].ravel() for each in found])),
    )


def _drawings(
    study: Parameters, families: Sequence[MeasureVariants], found: Sequence[UnitResult], pairs: int, what: str
) -> dict[str, Drawing]:
    """Pairs told apart, and agreement with the deepest list, by the last rank."""
    deep = [(f, each) for f, each in zip(families, found, strict=True) if f.labels[0].startswith("@")]
    if not deep or len(study.last) < 2:
        return {}
    order = np.argsort(study.last, kind="stable")
    x = np.array(study.last, dtype=np.float64)[order]
    shares = [(each["level"] < study.alpha).mean(axis=1)[order] for _, each in deep]
    orders = [each["matrix"][family.usual][order] for family, each in deep]
    names = [family.name.removesuffix(", last rank") for family, _ in deep]
    ends = (float(x[0]), float(x[-1]))
    power = tuple(Curve(name, x, y) for name, y in zip(names, shares, strict=True))
    agree = tuple(Curve(name, x, y) for name, y in zip(names, orders, strict=True))
    return {
        "last-rank": Drawing(
            "Pairs told apart, by the last rank", "last rank", "share of pairs", power, ends, log=True
        ),
        "order": Drawing(f"{what} with the deepest list", "last rank", what, agree, ends, log=True),
    }
