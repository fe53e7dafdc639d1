"""From the arguments of a verb to scores: options for subtopics, their probabilities, and workers."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import click

from cranfield.align.policy import Collapse, Policy
from cranfield.cli.files import InputPath
from cranfield.cli.options import F, bundle, option
from cranfield.cli.options.reading import read_judged, run_sources
from cranfield.cli.options.workers import workers
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.progress import progress
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.read.sources.runs import Sources
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.scores import Scores


HELD = 1 << 28  # bytes of runs that are held in memory where they are needed twice; more are read twice


class ScoredRuns(NamedTuple):
    """Scores, and what they were made of."""

    scores: "Scores"
    qrels: "Qrels"
    sources: "Sources"


class Scoring(NamedTuple):
    """How runs are scored, beside policies and measures."""

    collapse: Collapse | None
    intents: str | None
    jobs: int | None
    cluster: str | None
    replicates: Mapping[str, str] | None

    def scored(
        self,
        console: Console,
        qrels: str,
        runs: Sequence[str],
        reading: "Reading",
        measures: "Sequence[Measure]",
        policy: Policy,
        seed: int,
        *,
        again: bool = False,
        **choices: Any,  # of `cranfield.evaluate`
    ) -> "ScoredRuns":
        """Read the judgments, and the runs one after the other while they are scored.

        With `again` the sources can be opened once more, although one may be a pipe.
        """
        import cranfield as cf

        with console.timed("reading"):
            judgments = read_judged(console, qrels, reading)
            chances = None if self.intents is None else cf.read_intents(self.intents, **reading.intents)
        with console.timed("evaluating"), progress(console, "evaluating") as step:
            sources = run_sources(console, runs, reading)
            if again:
                sources = sources.held(HELD) if self.cluster is None else sources.kept()
            scores = cf.evaluate(
                judgments,
                sources,
                measures,
                policy=policy,
                seed=seed,
                progress=step,
                collapse=self.collapse,
                intents=chances,
                jobs=self.jobs,
                cluster=self.cluster,
                replicates=self.replicates,
                **choices,
            )
        return ScoredRuns(scores, judgments, sources)


def _systems(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str] | None:
    """The patterns, and the names of their systems; None if there are none."""
    found = {}
    for text in given:
        pattern, sign, name = text.rpartition("=")
        if not (pattern and sign and name):
            problem = f"--replicates {text} is not written GLOB=NAME"
            raise PolicyError("E242", problem, hint="for example --replicates 'dense-*=dense'")
        found[pattern] = name
    return found or None


def scoring(function: F) -> F:
    """The options, handed over as `scoring`."""
    return bundle(
        "scoring",
        Scoring,
        ("collapse", "intents", "jobs", "cluster", "replicates"),
        option(
            "--collapse",
            group="input",
            type=click.Choice(get_args(Collapse)),
            help="judgments of subtopics become one grade of the document",
        ),
        option("--intents", group="input", type=InputPath(), metavar="FILE", help="probabilities of subtopics"),
        workers,
        option(
            "--replicates",
            group="input",
            multiple=True,
            metavar="GLOB=NAME",
            callback=_systems,
            help="runs of one system, such as seeds: one row, their mean on each topic",
        ),
    )(function)
