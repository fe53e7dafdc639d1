"""`swap`: how often another set of topics would reverse the order of two runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import need_means, whole_topics
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.swap.swaps import BINS, Swaps, counted_swaps, every_set, predicted, random_sets
from cranfield.study.summaries.by_level import labels
from cranfield.study.summaries.order_agreement import need_order
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

ALL = 0  # sets: not so many random ones, but every one
NOTES = (
    "δ: among all comparisons that differ by δ or more, at most {error:g} % are swaps; "
    "δ per bin: no bin from there on has more.",
    "SD and variance are of the means of the runs, divisor n. δ/best changes when scores are shifted, δ/SD does not.",
)


@define(
    "swap",
    "how often another topic set would reverse the order",
    cites="voorhees2002 ahlgren2007",
    examples=(
        "cranfield study swap qrels.txt runs/*.run -m AP -m RankEff --keep ag07",
        "cranfield study swap qrels.txt runs/*.run -m AP --bins 0.005 -o swaps/",
        "cranfield study swap qrels.txt runs/*.run -m AP --sizes 5,15,25 --predict 50",
    ),
)
@dataclass(frozen=True)
class SwapStudy(Study[Collection]):
    """Compare every two runs on disjoint sets of topics, and see how often the sets disagree.

    A set has half of the topics; all pairs of runs use the same sets. Differences of means on the first set fall
    into 100 bins and one for all larger ones; a swap is a difference of the other sign on the second set.
    """

    takes_scores: ClassVar[bool] = True

    sets: int = option(
        1000,
        "pairs of topic sets that are drawn, or all",
        metavar="N",
        also={"all": ALL},
        check=lambda n: n >= 0,
        rule="a number, or all",
    )
    bins: float = option(
        0.002, "width of a bin of differences", metavar="W", check=lambda w: 0 < w <= 1, rule="above 0, up to 1"
    )
    error: float = option(
        0.05,
        "highest share of swaps at which a difference counts as reliable",
        metavar="E",
        check=lambda e: 0 < e < 1,
        rule="between 0 and 1",
    )
    sizes: tuple[int, ...] = option(
        (),
        "topics in each of the two sets",
        usual="half",
        metavar="Z,…",
        check=lambda z: all(n >= 1 for n in z),
        rule="whole numbers from 1",
    )
    predict: int | None = option(
        None, "extrapolate to sets of so many topics", metavar="Z", check=lambda z: z >= 1, rule="a whole number from 1"
    )

    def __post_init__(self) -> None:
        if str(self.sets) == "all":
            object.__setattr__(self, "sets", ALL)
        super().__post_init__()
        if self.predict is not None and len(set(self.sizes)) < 2:
            raise PolicyError(
                "E244", f"{setting('predict')} needs at least two sizes", hint=setting("sizes", [5, 10, 15, 20, 25])
            )

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each measure and size."""
        need_order(len(data.runs))
        need_means(data.measures)
        return [{"measure": m, "size": size} for m in range(len(data.measures)) for size in self.sizes or (0,)]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of the differences of all pairs on all pairs of sets."""
        return len(data.runs) ** 2 // 2 * (self.sets or 1000) * 16

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """Comparisons and swaps in each bin."""
        scores = data.full[:, :, unit["measure"]]
        topics = whole_topics(data, scores)
        size = unit["size"] or len(topics) // 2
        if 2 * size > len(topics):
            problem = f"{counted(len(topics), 'topic')} do not give two sets of {size}"
            raise PolicyError("E246", problem, hint=f"{setting('sizes')} up to {len(topics) // 2}")
        if self.sets == ALL:
            first, second = every_set(len(topics), size)
        else:
            first, second = random_sets(len(topics), size, self.sets, stream(seed, "swap", size))
        found = counted_swaps(scores[:, topics], first, second, self.bins)
        facts = np.array([size, len(topics), len(first)])
        return {"comparisons": found.comparisons, "swaps": found.swaps, "facts": facts}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """The smallest difference to be trusted, for each measure and size."""
        units = self.units(data)
        which = [unit["measure"] for unit in units]
        swaps = [Swaps(each["comparisons"], each["swaps"], self.bins) for each in found]
        sizes, topics, sets = np.array([each["facts"] for each in found]).T
        table = _table(data, which, swaps, self.error)
        names = [str(data.measures[m]) for m in which]
        several = len(self.sizes) > 1
        shown = (Column("measure", names), *([Column("topics", sizes)] if several else []))
        heads = {"best": ".4f", "δ": ".3f", "100 δ/best": ".1f", "δ per bin": ".3f", "SD": ".4f", "variance": ".4f"}
        heads |= {"δ/SD": ".2f", "swaps": ".1%"}
        keys = ("best", "delta", "delta_percent", "delta_per_bin", "sd", "variance", "delta_by_sd", "swap_rate")
        how = f"all {counted(int(sets[0]), 'pair')}" if self.sets == ALL else counted(int(sets[0]), "random pair")
        of = "" if several else f" of {counted(int(sizes[0]), 'topic')}"
        lacking = np.isnan(table["delta"]) | np.isnan(table["delta_per_bin"])
        unseen = [name for name, missing in zip(names, lacking, strict=True) if missing]
        dropped = int(len(data.topics) - topics.min())
        return Findings(
            title=f"Smallest difference with at most {100 * self.error:g} % swaps · {how} of disjoint topic sets{of} · "
            f"{counted(len(data.runs), 'run')} · {counted(len(data.topics), 'topic')} · no judgment removed",
            shown=(*shown, *(Column(h, table[k], f) for (h, f), k in zip(heads.items(), keys, strict=True))),
            tidy=(
                Column("measure", names),
                Column("topics", sizes),
                *(Column(key, values) for key, values in table.items()),
                Column("comparisons", [int(each.comparisons.sum()) for each in swaps]),
                Column("swaps", [int(each.swaps.sum()) for each in swaps]),
            ),
            notes=(
                *(note.format(error=100 * self.error) for note in NOTES),
                *(
                    [f"–: no difference that was seen is large enough, {', '.join(dict.fromkeys(unseen))}."]
                    if unseen
                    else []
                ),
                *([f"{counted(dropped, 'topic')} left out, where a run has no score."] if dropped else []),
            ),
            aside=self._predicted(names, sizes, swaps),
            details={"bins": _bins(names, sizes, swaps)},
            drawings={"errors": _drawing(names, sizes, swaps, several)},
        )

    def _predicted(self, names: Sequence[str], sizes: Floats, swaps: Sequence[Swaps]) -> dict[str, tuple[Column, ...]]:
        """Error rates on larger sets, if the options name some."""
        if self.predict is None:
            return {}
        columns = []
        for name in dict.fromkeys(names):
            mine = [at for at, other in enumerate(names) if other == name]
            rates = np.nan_to_num([swaps[at].rates for at in mine])
            weights = np.array([swaps[at].swaps for at in mine], dtype=np.float64)
            columns.append(Column(name, predicted(rates, weights, sizes[mine].astype(np.float64), self.predict), ".3f"))
        title = f"Error rate per bin extrapolated to sets of {counted(self.predict, 'topic')}, A exp(-B z)"
        return {title: (Column("difference", swaps[0].edges, ".3f"), *columns)}


def _table(data: Collection, which: Sequence[int], swaps: Sequence[Swaps], error: float) -> dict[str, Floats]:
    """The columns that are numbers."""
    means = data.full_means[:, which]
    low = np.array([data.measures[m].definition.smaller for m in which])
    best = np.where(low, np.nanmin(means, axis=0), np.nanmax(means, axis=0))
    delta = np.array([each.least(error) for each in swaps])
    sd = np.nanstd(means, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        percent, by_sd = 100 * delta / best, delta / sd
    return {
        "best": best,
        "delta": delta,
        "delta_percent": percent,
        "delta_per_bin": np.array([each.least_per_bin(error) for each in swaps]),
        "sd": sd,
        "variance": sd**2,
        "delta_by_sd": by_sd,
        "swap_rate": np.array([each.rate for each in swaps]),
    }


def _bins(names: Sequence[str], sizes: Floats, swaps: Sequence[Swaps]) -> tuple[Column, ...]:
    """A row for each bin of each measure and size."""
    shape = (len(swaps), BINS + 1)
    measure, edge = labels(shape, measure=names, difference=swaps[0].edges.tolist())
    columns = {
        "comparisons": np.concatenate([each.comparisons for each in swaps]),
        "swaps": np.concatenate([each.swaps for each in swaps]),
        "error_rate": np.concatenate([each.rates for each in swaps]),
        "error_rate_from_here": np.concatenate([each.tail_rates for each in swaps]),
    }
    return (measure, Column("topics", np.repeat(sizes, BINS + 1)), edge, *(Column(n, v) for n, v in columns.items()))


def _drawing(names: Sequence[str], sizes: Floats, swaps: Sequence[Swaps], several: bool) -> Drawing:
    title = "Error rate by the difference on the first set"
    drawn = [f"{name}, {size} topics" if several else name for name, size in zip(names, sizes.tolist(), strict=True)]
    curves = []
    for label, each in zip(drawn, swaps, strict=True):
        seen = each.comparisons[:-1] > 0
        curves.append(Curve(label, each.edges[:-1][seen], each.rates[:-1][seen]))
    end = max((float(curve.x[-1]) for curve in curves if len(curve.x)), default=BINS * swaps[0].width)
    return Drawing(title, "difference of means", "error rate", tuple(curves), across=(0, end or BINS * swaps[0].width))
