"""`cranfield compare QRELS RUN…`: test the differences between runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.align.policy import Policy
from cranfield.cli import defaults, options
from cranfield.cli.console import Console, envelope
from cranfield.cli.gates.gate import Gate, judge, parse_gate
from cranfield.cli.gates.pair import check_pair_gate, judge_pair
from cranfield.cli.gates.verdicts import say_verdicts
from cranfield.cli.help import Verb
from cranfield.cli.names import RegisteredName
from cranfield.cli.output import Output
from cranfield.cli.reports import Reports, reports
from cranfield.cli.schemas.compare import compare_schema
from cranfield.cli.scoring import Scoring, scoring
from cranfield.reporting.verdict import Verdict

if TYPE_CHECKING:
    from cranfield.cli.reading import Reading
    from cranfield.measures.grammar import Measure
    from cranfield.registry import Registry
    from cranfield.stats.comparison.corrections import Correction
    from cranfield.stats.comparison.result import Comparison
    from cranfield.stats.paired.definition import TestDefinition
    from cranfield.stats.paired.intervals import IntervalDefinition
    from cranfield.stats.several.omnibus import Omnibus
    from cranfield.stats.several.posthoc import Procedure

EXAMPLES = (
    "cranfield compare qrels.txt runs/*.run -m nDCG@10 --baseline bm25",
    "cranfield compare qrels.txt runs/*.run --format latex -o table.tex",
    "cranfield compare qrels.txt new.run --against main.json --fail-if 'worse(AP)'",
)


def _tests() -> "Registry[TestDefinition]":
    from cranfield.stats.paired.definition import TESTS

    return TESTS


def _corrections() -> "Registry[Correction]":
    from cranfield.stats.comparison.corrections import CORRECTIONS

    return CORRECTIONS


def _procedures() -> "Registry[Procedure]":
    from cranfield.stats.several.posthoc import POSTHOC

    return POSTHOC


def _intervals() -> "Registry[IntervalDefinition]":
    from cranfield.stats.paired.intervals import INTERVALS

    return INTERVALS


def _several() -> "Registry[Omnibus]":
    from cranfield.stats.several.omnibus import OMNIBUS

    return OMNIBUS


TEST, ADJUST = RegisteredName(_tests, besides=["none"]), RegisteredName(_corrections, _procedures)
INTERVAL, SEVERAL = RegisteredName(_intervals), RegisteredName(_several)
_ABOVE = click.FloatRange(0, min_open=True)


@dataclass(frozen=True)
class Statistics:
    """How runs are compared, as far as the command line was told."""

    baseline: tuple[str, ...]
    against: str | None
    options: dict[str, Any]  # keyword options of `cranfield.compare`, of several types

    @property
    def baselined(self) -> bool:
        """Whether runs are held against something, not all against all."""
        return bool(self.baseline or self.against)

    @property
    def tested(self) -> bool:
        """Whether there will be p values."""
        from cranfield.stats.several.posthoc import POSTHOC

        return self.options["test"] != "none" or self.options["adjust"] in POSTHOC


def _statistics(function: options.F) -> options.F:
    """Test, correction and the rest: handed over as `statistics`."""

    def build(baseline: tuple[str, ...], against: str | None, **rest: Any) -> Statistics:
        return Statistics(baseline, against, rest)

    def option(*names: str, **attributes: Any) -> Any:
        return options.option(*names, group="statistics", **attributes)

    chosen = (
        "test",
        "samples",
        "seed",
        "adjust",
        "family",
        "alpha",
        "equivalence",
        "rope",
        "risk",
        "omnibus",
        "interval",
    )
    return options.bundle(
        "statistics",
        build,
        ("baseline", "against", *chosen),
        option(
            "--baseline",
            multiple=True,
            metavar="RUN",
            brief=True,
            usual="all pairs",
            help="run that others are held against",
        ),
        option("--against", metavar="SAVED.json", help="scores saved by evaluate --save, as the baseline"),
        option("--test", type=TEST, default="t", brief=True, help="test of the differences of two runs"),
        option(
            "--samples",
            type=click.IntRange(1),
            metavar="N",
            usual="as the test wants",
            help="draws of tests and intervals that draw",
        ),
        options.seed,
        option(
            "--adjust",
            type=ADJUST,
            default="holm",
            brief=True,
            help="correction for many comparisons, or a procedure for all pairs in place of test and correction",
        ),
        option(
            "--family",
            type=click.Choice(["measure", "all"]),
            default="measure",
            help="what is corrected together: the comparisons of a measure, or all",
        ),
        option(
            "--alpha",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.05,
            metavar="P",
            help="a corrected p below it is significant; intervals have the level 1 - P",
        ),
        option(
            "--ci",
            "interval",
            type=INTERVAL,
            usual="the one that goes with the test",
            help="interval of the mean difference",
        ),
        option("--equivalence", type=_ABOVE, metavar="M", help="test whether differences lie within M (TOST)"),
        option("--rope", type=_ABOVE, metavar="M", help="probability that the difference lies within M"),
        option("--risk", type=click.FloatRange(0), metavar="A", help="URisk and TRisk, where losses count 1 + A times"),
        option("--omnibus", type=SEVERAL, help="test of all runs at once"),
    )(function)


@click.command("compare", cls=Verb, synopsis="QRELS RUN…", examples=EXAMPLES, result_schema=compare_schema)
@click.argument("qrels", type=click.Path())
@click.argument("runs", type=click.Path(), nargs=-1, required=True)
@options.inputs
@scoring
@options.policies
@options.measures
@_statistics
@options.option(
    "--per-topic",
    group="statistics",
    is_flag=True,
    help="the differences on every topic",
)
@options.option(
    "--fail-if",
    group="statistics",
    multiple=True,
    metavar="COND",
    brief=True,
    help="exit 1 if so, for example 'worse(AP)'",
)
@reports
@options.output
@click.pass_context
def command(
    context: click.Context,
    qrels: str,
    runs: Sequence[str],
    reading: "Reading",
    scoring: Scoring,
    policy: Policy,
    measures: "tuple[Measure, ...]",
    statistics: Statistics,
    per_topic: bool,
    fail_if: Sequence[str],
    reports: Reports,
    output: Output,
) -> int:
    """Test the differences between runs: against baselines, saved scores, or all."""
    from cranfield.measures.grammar import parse_many
    from cranfield.read.sources.paths import expand
    from cranfield.stats.comparison.against import Saved
    from cranfield.stats.comparison.compare import DEFAULT_MEASURES, compare
    from cranfield.stats.comparison.method import Method

    console: Console = context.obj
    gates = [parse_gate(text, "compare") for text in fail_if]
    for gate in gates:
        if gate.pair:
            check_pair_gate(gate, statistics.baselined, statistics.tested)
    Method(**statistics.options)  # a choice that cannot be followed is refused before anything is read
    shown = measures or parse_many(DEFAULT_MEASURES)
    compared = tuple(dict.fromkeys([*shown, *(gate.measure for gate in gates if gate.pair and gate.measure)]))
    others = [path for path in (scoring.intents, statistics.against) if path is not None]
    files = [*(item.path for item in expand([qrels, *runs])), *others]
    output.check(console, files)
    reports.check(files)
    saved = None if statistics.against is None else Saved.of(statistics.against)
    wanted = tuple(dict.fromkeys([*compared, *(gate.measure for gate in gates if gate.measure)]))
    scores = scoring.scores(console, qrels, runs, reading, wanted, policy, statistics.options["seed"])
    with console.timed("comparing"):
        chosen = scores.select(scores.measures[: len(compared)])
        baselines = statistics.baseline or None
        comparison = compare(chosen, baseline=baselines, against=saved, jobs=scoring.jobs, **statistics.options)

    def verdict(gate: Gate) -> Verdict:
        at = None if gate.measure is None else wanted.index(gate.measure)
        return judge_pair(gate, comparison, scores.measures[at or 0]) if gate.pair else judge(gate, scores, at)

    verdicts = [verdict(gate) for gate in gates]
    notes = [defaults.NOTE] if defaults.used(context) else []
    return _write(console, comparison, verdicts, notes, output, per_topic, reports)


def _write(
    console: Console,
    comparison: "Comparison",
    verdicts: Sequence[Verdict],
    notes: Sequence[str],
    output: Output,
    per_topic: bool,
    reports: Reports,
) -> int:
    code = int(any(not verdict.passed for verdict in verdicts))
    sheet = comparison.topic_sheet() if per_topic else comparison.sheet()
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    form = output.chosen(console)
    data: dict[str, Any] = {}
    if form == "json":
        audit = comparison.audit
        gates = {"gates": [verdict.as_dict() for verdict in verdicts]} if verdicts else {}
        result = {**comparison.result(per_topic=per_topic), **gates}
        data = envelope(
            console, exit=code, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=result
        )
    brief = form == "table" and output.to_stdout and verdicts and comparison.against and not per_topic
    if brief:
        console.out(comparison.brief())
    else:
        output.write(console, sheet, data)
    say_verdicts(console, verdicts, output, form, blank=not brief)
    reports.write("cranfield compare", comparison.sheet(), verdicts)
    return code
