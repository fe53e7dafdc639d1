"""`evaluate --curve`: the curve of a measure, as a table or as a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from cranfield.align.policy import Collapse, Policy
from cranfield.cli import defaults
from cranfield.cli.options.reading import Reading, read_tables
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.printing.progress import progress
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.tables.sheets.forms import FORMS

if TYPE_CHECKING:
    from cranfield.measures.curves.curve import CurveBand
    from cranfield.measures.grammar import Measure
    from cranfield.tables.charts import Width
    from cranfield.tables.curves.result import Curves


@dataclass(frozen=True)
class CurveOptions:
    """What the options ask for."""

    kind: str
    models: "tuple[Measure, ...]"
    average: str
    band: "CurveBand"
    universe: str
    width: "Width | None"
    per_topic: bool
    collapse: Collapse | None


def refuse_others(given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning for a curve."""
    if other := next((option for option, value in given.items() if value), None):
        raise PolicyError("E200", f"--curve and {other} exclude each other", hint="a curve is no table of means")


def draw(
    context: click.Context,
    request: CurveOptions,
    qrels: str,
    runs: Sequence[str],
    reading: Reading,
    policy: Policy,
    output: Output,
) -> int:
    """Read, compute and write the curves."""
    import cranfield as cf
    from cranfield.measures.curves.grammar import read_kind

    console: Console = context.obj
    said = context.get_parameter_source("measures") is click.core.ParameterSource.COMMANDLINE
    models = request.models if said else ()
    kind = read_kind(request.kind, models).kind  # before anything is read
    if models and not kind.models:
        raise PolicyError("E200", f"-m has no effect on {request.kind!r}", hint=f"write --curve '{kind.usage}'")
    chart = output.is_picture(console)
    _check(request, chart)
    output.check(console, picture=chart)
    with console.timed("reading"):
        judgments, systems = read_tables(console, qrels, runs, reading)
    with console.timed("evaluating"), progress(console, "evaluating") as step:
        curves = cf.curve(
            judgments,
            systems,
            request.kind,
            models=models,
            average="norm_of_mean" if request.average == "micro" else "mean_of_norm",
            band=request.band,
            universe=request.universe,
            policy=policy,
            collapse=request.collapse,
            progress=step,
        )
    if chart:
        with console.timed("drawing"):
            output.write_picture(console, cf.chart(curves, width=request.width or "two"))
    else:
        _write(console, curves, request.per_topic, output, [defaults.NOTE] if defaults.used(context) else [])
    return 0


def _write(console: Console, curves: "Curves", per_topic: bool, output: Output, notes: Sequence[str]) -> None:
    """Print or write the table: some points for people, every point for programs."""
    form = output.chosen(console)
    for_people = form != "json" and FORMS[form].for_people
    whole = curves.sheet() if for_people else curves.point_sheet()
    sheet = curves.topic_sheet() if per_topic else whole
    audit = curves.audit
    written = envelope(
        console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=curves.result(per_topic)
    )
    output.write(console, replace(sheet, notes=(*sheet.notes, *notes)), written if form == "json" else {})


def _check(request: CurveOptions, chart: bool) -> None:
    """Refuse options that have no meaning for a curve, for a chart, or for a table."""
    if request.average == "median":
        problem = f"{setting('average', 'median')} does not apply to a curve"
        raise PolicyError("E244", problem, hint=setting("average", "macro", "micro"))
    if chart and request.per_topic:
        raise PolicyError("E200", "--per-topic is for tables", hint="-o topics.csv, or leave it out for the chart")
    if request.width is not None and not chart:
        raise PolicyError("E200", "--width is for charts", hint="add -o chart.svg")
