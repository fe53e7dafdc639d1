"""`compare --by` and `compare --collection`: the differences in every group of topics, and by their mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import defaults
from cranfield.cli.gates.verdicts import say_verdicts
from cranfield.cli.options.collections import CollectionPaths, scored_collections
from cranfield.cli.printing.console import Console, envelope
from cranfield.errors import PolicyError
from cranfield.reporting.gates.grouped import judged_pairs_by_group, refuse_ranges
from cranfield.reporting.gates.pair import check_pair_gate

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.cli.gates.conditions import Conditions
    from cranfield.cli.gates.reports import Reports
    from cranfield.cli.options.averages import GroupOptions
    from cranfield.cli.options.reading import Reading
    from cranfield.cli.options.score_tables import ScoreTableOptions
    from cranfield.cli.options.scoring import Scoring
    from cranfield.cli.printing.output import Output
    from cranfield.cli.verbs.compare.statistics import Statistics
    from cranfield.measures.grammar import Measure
    from cranfield.reporting.gates.condition import Gate
    from cranfield.stats.by_group.comparing import GroupedComparison
    from cranfield.stats.by_group.grouped import GroupedScores
    from cranfield.tables.side.gates import GateVerdict


@dataclass(frozen=True)
class GroupedComparing:
    """What the options ask for."""

    groups: "GroupOptions"
    collections: Sequence[CollectionPaths]
    given: "ScoreTableOptions"
    statistics: "Statistics"
    conditions: "Conditions"
    reports: "Reports"
    output: "Output"


def show(
    context: click.Context,
    asked: GroupedComparing,
    qrels: str | None,
    runs: Sequence[str],
    reading: "Reading",
    scoring: "Scoring",
    policy: "Policy",
    measures: "tuple[Measure, ...]",
) -> int:
    """Read, score, compare and write."""
    from cranfield.stats.comparison.method import Method

    console: Console = context.obj
    chosen = asked.statistics.options
    Method(**chosen)  # a choice that cannot be followed is refused before anything is read
    asked.output.check(console)
    asked.reports.check(console, asked.output)
    if asked.given.scores:
        asked.given.check(context, qrels, runs)
        grouped, shown, gates = _given(context, asked, reading)
    else:
        grouped, shown, gates = _scored(console, asked, qrels, runs, reading, scoring, policy, measures)
    with console.timed("comparing"):
        compared = replace(grouped, scores=grouped.scores.select(shown))
        found = compared.compare(asked.statistics.baseline or None, **chosen)
    verdicts = judged_pairs_by_group(found, gates, grouped)
    notes = [defaults.NOTE] if defaults.used(context) else []
    return _write(console, asked, found, verdicts, notes)


def _given(
    context: click.Context, asked: GroupedComparing, reading: "Reading"
) -> "tuple[GroupedScores, Sequence[str], list[Gate]]":
    """Scores that were computed elsewhere, by group; all measures are compared."""
    scores = asked.given.read(context, reading)
    gates = _checked(asked, scores.measures)
    if strange := next((gate for gate in gates if gate.name and gate.name not in scores.measures), None):
        hint = f"there are {', '.join(scores.measures)}"
        raise PolicyError("E246", f"there are no scores of {strange.name}", hint=hint)
    return asked.groups.grouped(scores, reading, "none", asked.statistics.options["seed"]), scores.measures, gates


def _scored(
    console: Console,
    asked: GroupedComparing,
    qrels: str | None,
    runs: Sequence[str],
    reading: "Reading",
    scoring: "Scoring",
    policy: "Policy",
    measures: "tuple[Measure, ...]",
) -> "tuple[GroupedScores, Sequence[str], list[Gate]]":
    """The scores by group, the measures that are compared, and the conditions with the names of their measures."""
    from cranfield.measures.grammar import parse_many
    from cranfield.stats.comparison.compare import DEFAULT_MEASURES

    policy.require_single_values("a comparison")
    gates, seed = _checked(asked), asked.statistics.options["seed"]
    shown = measures or parse_many(DEFAULT_MEASURES)
    compared = tuple(dict.fromkeys([*shown, *(gate.measure for gate in gates if gate.pair and gate.measure)]))
    wanted = tuple(dict.fromkeys([*compared, *(gate.measure for gate in gates if gate.measure)]))
    if asked.collections:
        found = scored_collections(console, asked.collections, reading, scoring, wanted, policy, seed=seed)
    else:
        scores = scoring.scored(console, str(qrels), runs, reading, wanted, policy, seed).scores
        found = asked.groups.grouped(scores, reading, "none", seed)
    names = dict(zip(map(str, wanted), found.scores.measures, strict=True))
    return (
        found,
        found.scores.measures[: len(compared)],
        [replace(gate, name=names.get(gate.name, "")) for gate in gates],
    )


def _checked(asked: GroupedComparing, names: Sequence[str] = ()) -> "list[Gate]":
    """The conditions, read; those that need a baseline, a test or rankings are refused without."""
    gates = asked.conditions.gates("compare", names, grouped=True)
    refuse_ranges(gates)
    for gate in gates:
        if gate.pair:
            check_pair_gate(gate, asked.statistics.baselined, asked.statistics.tested)
    return gates


def _write(
    console: Console,
    asked: GroupedComparing,
    found: "GroupedComparison",
    verdicts: "Sequence[GateVerdict]",
    notes: Sequence[str],
) -> int:
    code = int(any(not verdict.passed for verdict in verdicts))
    output, reports, form = asked.output, asked.reports, asked.output.chosen(console)
    sheet = found.sheet()
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    data: dict[str, Any] = {}
    if form in ("json", "html"):
        audit = found.audit
        gates = {"gates": [verdict.as_dict() for verdict in verdicts]} if verdicts else {}
        data = envelope(
            console,
            exit=code,
            inputs=audit.inputs,
            policies=audit.policies,
            audit=audit.as_dict(),
            result={**found.result(), **gates},
        )
    if not (reports.to_stdout and output.to_stdout):
        output.write(console, sheet, data)
    say_verdicts(console, verdicts, output, form, aside=reports.to_stdout)
    reports.write(console, "cranfield compare", lambda: sheet, verdicts)
    return code
