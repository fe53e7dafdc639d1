"""How many topics become one number: `--average` and `--weights`; or one for each group: `--by` and `--collection`."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cranfield.cli.defaults import from_file
from cranfield.cli.files import InputPath
from cranfield.cli.options import F, bundle, option, recorded
from cranfield.errors import InputError, PolicyError
from cranfield.tables.averages import AVERAGING

if TYPE_CHECKING:
    from cranfield.cli.options.collections import CollectionPaths
    from cranfield.cli.options.reading import Reading
    from cranfield.reporting.gates.condition import Gate
    from cranfield.stats.by_group.grouped import GroupedScores, GroupInterval
    from cranfield.tables.scores import Scores


def average() -> Callable[[F], F]:
    """The option, handed over as `average`."""
    return option(
        "--average",
        group="statistics",
        type=click.Choice(list(AVERAGING)),
        default="macro",
        help="; ".join(f"{name}: {words}" for name, words in AVERAGING.items() if name != "macro"),
    )


class GroupOptions(NamedTuple):
    """How topics are grouped, and the collections that were named."""

    by: str | None
    collections: "tuple[CollectionPaths, ...]"
    weights: str | None

    def check(
        self, context: click.Context, qrels: str | None, runs: Sequence[str], reading: "Reading"
    ) -> "tuple[CollectionPaths, ...]":
        """The collections to evaluate, if any; refuses what excludes each other, and no input at all."""
        said = () if from_file(context, "collections") and qrels else self.collections
        if said and qrels:
            hint = "leave out QRELS and RUN…, or --collection"
            raise PolicyError("E200", "collections were given, and judgments or runs too", hint=hint)
        if said and self.weights:
            raise PolicyError("E200", "--weights are of one collection", hint="leave --collection or --weights out")
        if said and self.by:
            raise PolicyError("E200", "--by and --collection exclude each other", hint="every collection is a group")
        if not said and not (qrels and runs):
            lacking = "'RUNS...'" if qrels else "'QRELS'"
            raise click.MissingParameter(ctx=context, param_hint=lacking, param_type="argument")
        check_groups(self.by, reading)
        return said

    def grouped(self, scores: "Scores", reading: "Reading", ci: "GroupInterval", seed: int) -> "GroupedScores":
        """The scores by group."""
        return grouped_by(str(self.by), self.weighed(scores), reading, ci, seed)

    def weighed(self, scores: "Scores") -> "Scores":
        """The scores with the weights of their topics, if there are some."""
        if self.weights is None:
            return scores
        from cranfield.stats.weights.weighted import weighted

        return weighted(scores, self.weights)

    def refuse_ranges(self, gates: "Sequence[Gate]") -> None:
        """Refuse conditions on what missing judgments could change, where topics have weights."""
        if self.weights and (found := next((gate for gate in gates if gate.possible), None)):
            raise PolicyError(
                "E246", f"{found.possible} does not support weights of topics", hint="leave --weights out"
            )


def check_groups(by: str | None, reading: "Reading") -> None:
    """Refuse the name of a file that is not there, where it can be no field of topics."""
    if by and not reading.topics and not os.path.exists(by):
        hint = "a file with a topic and its group on each line; a field of the topics needs --topics FILE"
        raise InputError("E101", "no such file", path=by, hint=hint)


def grouped_by(by: str, scores: "Scores", reading: "Reading", ci: "GroupInterval", seed: int) -> "GroupedScores":
    """The scores by group, as a file says, or a field of the topics if there is no file of that name."""
    from cranfield.stats.by_group.group_topics import by_group

    topics = None if os.path.isfile(by) else reading.topics_table()
    return by_group(scores, by, topics=topics, ci=ci, seed=seed)


class _CollectionText(click.ParamType[Any]):  # a CollectionPaths, which is imported late
    """`NAME=QRELS:RUNS`."""

    name = "collection"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # click's types
        """The collection; one of `cranfield.toml` is one already."""
        from cranfield.cli.options.collections import CollectionPaths

        return value if isinstance(value, CollectionPaths) else CollectionPaths.of(str(value))


def refuse_beside_groups(given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning for groups."""
    if other := next((option for option, value in given.items() if value), None):
        raise PolicyError("E200", f"{other} is not made by group", hint="leave it out, or --by and --collection")


def groups_of_topics() -> Callable[[F], F]:
    """`--by`: a file, or a field of the topics, that says which group each topic belongs to."""
    return option(
        "--by",
        group="input",
        metavar="FILE|FIELD",
        type=InputPath(),
        callback=recorded,
        brief=True,
        help="topics in groups: a file with a topic and its group on each line, or a field of --topics",
    )


def topic_groups(function: F) -> F:
    """The options, handed over as `groups`."""
    return bundle(
        "groups",
        GroupOptions,
        ("by", "collections", "weights"),
        groups_of_topics(),
        option(
            "--collection",
            "collections",
            group="input",
            multiple=True,
            type=_CollectionText(),
            metavar="NAME=QRELS:RUNS",
            help="a collection in place of QRELS and RUN…; runs are paths or patterns with commas between them",
        ),
        option(
            "--weights",
            group="input",
            type=InputPath(),
            metavar="FILE",
            help="weights of topics in means, intervals and tests: a topic and its weight on each line",
        ),
    )(function)
