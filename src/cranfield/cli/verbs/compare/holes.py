"""What missing judgments could change about a comparison: the column "holes could flip it?" of `cranfield compare`."""

import glob
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.cli import options
from cranfield.cli.options.estimates import EstimateOptions, estimated
from cranfield.cli.options.scoring import ScoredRuns, Scoring
from cranfield.cli.options.universe import universe
from cranfield.cli.printing.console import Console
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.read.sources.runs import Sources
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.qrels import Qrels

_NEXT = 20  # documents that the last line proposes to judge


@dataclass(frozen=True)
class HolesOptions:
    """Whether ranges are found, and over which documents."""

    universe: str
    holes: bool
    estimating: EstimateOptions

    @property
    def again(self) -> bool:
        """Whether the runs are read once more."""
        return self.holes or self.estimating.estimate is not None

    def check(self, rankings: bool) -> None:
        """Refuse what cannot be done, before any file is read."""
        from cranfield.missing.universe import read_universe

        read_universe(self.universe)
        self.estimating.check()
        if self.estimating.estimate is not None and not (rankings and self.holes):
            problem = "--estimate needs rankings" if not rankings else "--estimate and --no-holes exclude each other"
            raise PolicyError("E200", problem, hint="leave one of them out" if rankings else "give runs, not scores")

    def joined(
        self,
        console: Console,
        comparison: "Comparison",
        scored: ScoredRuns,
        policy: "Policy",
        scoring: Scoring,
        weights: str | None = None,
    ) -> "Comparison":
        """The comparison with the column, or with the reason why it has none."""
        if not self.holes:
            return comparison
        from cranfield.missing.joined.sources import ranges_from, without_ranges
        from cranfield.missing.universe import read_universe

        if comparison.against:
            return without_ranges(comparison, f"{comparison.against} holds scores and no rankings")
        if weights is not None:
            return without_ranges(comparison, "ranges do not support weights of topics")
        if scoring.cluster is not None:
            return without_ranges(comparison, "the runs are read by the workers of --cluster")
        if scoring.replicates is not None:
            return without_ranges(comparison, "ranges are of runs, and systems with replicates have several")
        judged = scored.qrels
        if scoring.collapse is not None:
            from cranfield.align.combining.combine import collapse

            judged = collapse(judged, scoring.collapse)
        with console.timed("ranges"):
            sources = scored.sources._replace(seen=lambda *_: None)
            if self.estimating.estimate is not None:
                return self._estimated(comparison, judged, sources, policy)
            return ranges_from(comparison, judged, sources, policy, read_universe(self.universe))

    def _estimated(
        self, comparison: "Comparison", judged: "Qrels", sources: "Sources", policy: "Policy"
    ) -> "Comparison":
        """The comparison with ranges and estimates; measures that have none are refused."""
        from cranfield.errors.warning import kept
        from cranfield.missing.holes import holes
        from cranfield.missing.joined.estimated import with_estimates
        from cranfield.missing.joined.join import with_ranges

        seed = comparison.method.seed
        with kept():  # warnings of files that were read before
            found = holes(judged, sources, comparison.measures, policy=policy, universe=self.universe)
        drawn = {name: self.estimating.drawn(found, seed, name) for name in comparison.measures}
        return with_estimates(with_ranges(comparison, found), drawn)


def next_step(comparison: "Comparison", qrels: str, runs: Sequence[str]) -> list[str]:
    """The command that says which documents to judge next, if some pair could be flipped."""
    from cranfield.missing.joined.result import RangedComparison

    if not isinstance(comparison, RangedComparison) or not comparison.open_measures:
        return []
    measures = [part for name in comparison.open_measures for part in ("-m", shlex.quote(name))]
    return [" ".join(["next: cranfield holes", shlex.quote(qrels), _pattern(runs), *measures, f"--next {_NEXT}"])]


def _pattern(runs: Sequence[str]) -> str:
    """The runs as a pattern, if there is one that matches them and no other file; else their names."""
    folders, endings = {os.path.dirname(run) for run in runs}, {os.path.splitext(run)[1] for run in runs}
    if len(runs) > 1 and len(folders) == len(endings) == 1:
        pattern = os.path.join(glob.escape(folders.pop()), f"*{glob.escape(endings.pop())}")
        if sorted(glob.glob(pattern)) == sorted(runs):
            return _quoted(pattern)
    return " ".join(map(_quoted, runs))


def _quoted(path: str) -> str:
    """A path as a shell reads it; a pattern stays one.

    >>> _quoted("runs/*.run"), _quoted("my runs/*.run")
    ('runs/*.run', "'my runs/*.run'")
    """
    plain = path.translate(dict.fromkeys(map(ord, "*?[]")))
    return path if plain and shlex.quote(plain) == plain else shlex.quote(path)


def holes(function: options.F) -> options.F:
    """The options, handed over as `holes`."""
    return options.bundle(
        "holes",
        HolesOptions,
        ("universe", "holes", "estimating"),
        universe(),
        options.option(
            "--holes/--no-holes",
            group="statistics",
            default=True,
            help="whether unjudged documents could flip each difference",
        ),
        estimated("P(run scores higher) on these and on new topics"),
    )(function)
