"""`evaluate --by` and `evaluate --collection`: the means of every group of topics, or of every collection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli import defaults
from cranfield.cli.gates.verdicts import say_verdicts
from cranfield.cli.options.collections import CollectionPaths, scored_collections
from cranfield.cli.printing.console import Console, dumped, envelope
from cranfield.cli.printing.output import write_whole
from cranfield.cli.verbs.evaluate import order
from cranfield.errors import PolicyError
from cranfield.reporting.gates.grouped import judged_by_group, refuse_ranges

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.cli.gates.conditions import Conditions
    from cranfield.cli.gates.reports import Reports
    from cranfield.cli.options.averages import GroupOptions
    from cranfield.cli.options.reading import Reading
    from cranfield.cli.options.scoring import Scoring
    from cranfield.cli.printing.output import Output
    from cranfield.measures.grammar import Measure
    from cranfield.stats.by_group.grouped import GroupedScores, GroupInterval
    from cranfield.tables.charts import Width
    from cranfield.tables.side.gates import GateVerdict

_PICTURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class GroupedOptions:
    """What the options ask for."""

    groups: "GroupOptions"
    collections: Sequence[CollectionPaths]
    measures: "tuple[Measure, ...]"
    ci: "GroupInterval"
    seed: int
    average: str
    sort: str | None
    save: str | None
    width: "Width | None"
    conditions: "Conditions"
    reports: "Reports"
    output: "Output"


def show(
    context: click.Context,
    asked: GroupedOptions,
    qrels: str | None,
    runs: Sequence[str],
    reading: "Reading",
    scoring: "Scoring",
    policy: "Policy",
) -> int:
    """Read, score, group and write."""
    console: Console = context.obj
    picture = _is_picture(console, asked)
    form = asked.output.check(console, picture=picture)
    column = None if picture else order.column_of(asked.sort, asked.measures, form)
    asked.reports.check(console, asked.output)
    gates = asked.conditions.gates("evaluate", grouped=True)
    refuse_ranges(gates)
    wanted = tuple(dict.fromkeys([*asked.measures, *(gate.measure for gate in gates if gate.measure)]))
    if asked.collections:
        found = scored_collections(
            console, asked.collections, reading, scoring, wanted, policy, ci=asked.ci, seed=asked.seed
        )
    else:
        scores = scoring.scored(
            console, str(qrels), runs, reading, wanted, policy, asked.seed, average=asked.average
        ).scores
        found = asked.groups.grouped(scores, reading, asked.ci, asked.seed)
    named = dict(zip(map(str, wanted), found.scores.measures, strict=True))
    gates = [replace(gate, name=named.get(gate.name, gate.name)) for gate in gates]
    verdicts = judged_by_group(found, gates)
    shown = replace(found, scores=found.scores.select(found.scores.measures[: len(asked.measures)]))
    notes = [defaults.NOTE] if defaults.used(context) else []
    return _write(console, asked, shown, verdicts, notes, column, "picture" if picture else form)


def _is_picture(console: Console, asked: GroupedOptions) -> bool:
    """Whether the file of -o is a picture; refuses options that choose a table, or a chart where there is none."""
    output = asked.output
    ending = "" if output.to_stdout else Path(str(output.path)).suffix.lower()
    picture = ending in _PICTURES and output.is_picture(console)
    if picture and len(asked.measures) > 1:
        problem = f"a chart of groups shows one measure, not {len(asked.measures)}"
        raise PolicyError("E200", problem, hint=f"write -m {asked.measures[0]}")
    if asked.width is not None and not picture:
        raise PolicyError("E200", "--width is for charts", hint="add -o groups.svg")
    return picture


def _write(
    console: Console,
    asked: GroupedOptions,
    found: "GroupedScores",
    verdicts: "Sequence[GateVerdict]",
    notes: Sequence[str],
    column: int | None,
    form: str,
) -> int:
    code = int(any(not verdict.passed for verdict in verdicts))
    gates = {"gates": [verdict.as_dict() for verdict in verdicts]} if verdicts else {}
    output, reports, audit = asked.output, asked.reports, found.audit

    def enveloped(result: Mapping[str, object]) -> dict[str, object]:
        return envelope(
            console,
            exit=code,
            inputs=audit.inputs,
            policies=audit.policies,
            audit=audit.as_dict(),
            result={**result, **gates},
        )

    printed = found if column is None else found.sorted(found.scores.measures[column])
    sheet = (printed if order.is_printed(form) else found).sheet()
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    if asked.save is not None:
        write_whole(asked.save, dumped(enveloped(found.scores.result(per_topic=True))))
    if form == "picture":
        output.write_picture(console, found.sorted().plot(width=asked.width or "two"))
    elif not (reports.to_stdout and output.to_stdout):
        output.write(console, sheet, enveloped(found.result()) if form in ("json", "html") else {})
    say_verdicts(console, verdicts, output, form, aside=reports.to_stdout)
    reports.write(console, "cranfield evaluate", lambda: sheet, verdicts)
    return code
