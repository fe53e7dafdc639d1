"""`--scores` and `--lower-is-better`: scores that were computed elsewhere, in place of judgments and runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.files import InputPath
from cranfield.cli.help import Option
from cranfield.cli.options import NAMED, F, bundle, option
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.cli.options.reading import Reading
    from cranfield.tables.scores import Scores

_READ = (  # of use for tables
    "columns",
    "encoding",
    "max_size",
    "max_errors",
    "scores",
    "lower_is_better",
    "jobs",
    "by",
    "topics",
    "weights",
)


@dataclass(frozen=True)
class ScoreTableOptions:
    """Tables of scores, and the measures of which a smaller value is better."""

    scores: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()

    def check(self, context: click.Context, qrels: str | None, runs: Sequence[str]) -> bool:
        """Whether scores are given; refuses judgments beside them, options that need rankings, and neither of both."""
        if not self.scores:
            if self.lower_is_better:
                raise PolicyError("E200", "--lower-is-better has no effect without --scores")
            if not qrels or not runs:
                lacking = "'RUNS...'" if qrels else "'QRELS'"
                raise click.MissingParameter(ctx=context, param_hint=lacking, param_type="argument")
            return False
        if qrels:
            hint = "repeat --scores before each table, or leave out either QRELS and RUN… or --scores"
            raise PolicyError("E200", "scores were given, and judgments or runs too", hint=hint)
        for param in context.command.params:
            if _idle(context, param):
                hint = "leave it out, or give judgments and runs"
                raise PolicyError("E244", f"{param.opts[0]} needs rankings, and --scores holds none", hint=hint)
        return True

    def reading(self, reading: "Reading") -> dict[str, Any]:  # keyword options of `read_scores`
        """How the tables are read."""
        if len(reading.columns) > 1:
            raise PolicyError("E200", "--columns may be given once for tables of scores")
        columns = reading.columns[0] if reading.columns else None
        return {"columns": columns, **{name: reading.shared[name] for name in ("encoding", "max_size")}}

    def read(self, context: click.Context, reading: "Reading") -> "Scores":
        """The scores, restricted to the measures that -m names."""
        import cranfield as cf

        chosen = self.reading(reading)
        return cf.read_scores(
            list(self.scores), measures=named(context) or None, lower_is_better=self.lower_is_better, **chosen
        )


def named(context: click.Context) -> list[str]:
    """The measures that -m names, as they are written."""
    found: list[str] = context.meta.get(NAMED, [])
    return found


def _idle(context: click.Context, param: click.Parameter) -> bool:
    """Whether an option was given that has no effect on given scores."""
    said = context.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
    ours = isinstance(param, Option) and param.group in ("input", "policy") and param.name not in _READ
    return said and (ours or param.name in ("universe", "estimate"))


def given_scores(function: F) -> F:
    """The options, handed over as `given`."""
    return bundle(
        "given",
        ScoreTableOptions,
        ("scores", "lower_is_better"),
        option(
            "--scores",
            group="input",
            multiple=True,
            type=InputPath(),
            metavar="TABLE",
            is_eager=True,
            help="scores of every topic that were computed elsewhere, in place of QRELS and RUN…",
        ),
        option(
            "--lower-is-better",
            group="input",
            multiple=True,
            metavar="NAME",
            help="a measure of --scores of which a smaller value is better",
        ),
    )(function)
