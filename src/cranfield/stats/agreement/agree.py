"""How far assessors agree, and whether their disagreement changes the order of systems."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

from cranfield.align.policy import Policy
from cranfield.errors import DataWarning, PolicyError
from cranfield.errors.warning import warn
from cranfield.errors.wording import either, setting
from cranfield.read.groups import as_groups, match_groups
from cranfield.read.objects import as_runs
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Readable
from cranfield.registry import one_of
from cranfield.stats.agreement.alpha import MeasurementLevel, known_level
from cranfield.stats.agreement.consequences import Systems
from cranfield.stats.agreement.labels import Labels, NegativeLabels, Repeats
from cranfield.stats.agreement.measured import Choices, Over, Weights, measured
from cranfield.stats.agreement.result import Agreement
from cranfield.stats.agreement.sources import gather, model_labels, together
from cranfield.stats.comparison.method import Method
from cranfield.stats.draws import check_draws
from cranfield.tables.audit import Audit
from cranfield.tables.judgments import Judgments
from cranfield.tables.run import Run, Runs
from cranfield.tables.source import Grades, Input
from cranfield.tables.text import Text
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import AssessorsLike, GroupsLike, QrelsLike, RunsLike


FEW_ASSESSORS = 10  # up to so many, every couple counts; beyond, those with enough pairs in common
ENOUGH = 20
SAMPLES = 1000
_HELD = 400  # bytes of a resample: some twenty coefficients, in blocks and in one array


def agree(
    *sources: "AssessorsLike",
    llm: "QrelsLike | Readable | None" = None,
    map: Readable | None = None,
    runs: "RunsLike | None" = None,
    measures: "MeasuresLike" = "nDCG@10",
    groups: "GroupsLike | None" = None,
    alpha: float = 0.05,
    itself: bool = False,
    weights: Weights = "quadratic",
    level: MeasurementLevel = "ordinal",
    binary: float | None = None,
    rel: float = 1,
    repeats: Repeats = "last",
    negative: NegativeLabels = "unjudged",
    missing: Sequence[float | str] = (),
    over: Over = "topics",
    samples: int = SAMPLES,
    seed: int = 0,
    min_common: int | None = None,
    policy: Policy | None = None,
    grades: Grades = "int",
    columns: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    max_errors: int = 20,
    max_size: int | None = None,
) -> Agreement:
    """Measure how far assessors agree on the topic–document pairs that several of them judged.

    Args:
        sources: qrels of one assessor each (paths, tables, dicts), judgments with an assessor column (paths, tables,
            data frames), a lab (`cf.Lab` or its path), or one dict from assessor to qrels.
        llm: labels of a model, as one more assessor.
        map: JSON lines with id, topic and doc, if the labels of the model have only an id.
        runs: systems to be evaluated under each assessor, on the pairs that both of two assessors judged.
        measures: the measures of that evaluation.
        groups: which run belongs to which group of systems, to see whether a model favours one: a mapping, or a file
            with run and group on each line.
        alpha: of the significance of differences between systems under people's and under a model's labels, by the
            default test and correction of `compare`: a corrected p below it is significant.
        itself: compare the repeated judgments of each assessor instead of different assessors.
        weights: of the weighted kappa that is printed: `none`, `linear` or `quadratic`.
        level: of the alpha that is printed: `nominal`, `ordinal`, `interval` or `ratio`.
        binary: reduce all grades to two: below this one, and from it on.
        rel: lowest relevant grade, for the overlap of relevant documents.
        repeats: which label counts if an assessor judged a pair again: the `last`, the `first`, or `all`.
        negative: what a grade below 0 means: no label (`unjudged`), 0 (`nonrelevant`), a `category`, an `error`.
        missing: grades that stand for no label.
        over: the units that are resampled for the intervals: `topics` or `pairs`.
        samples: number of resamples.
        seed: of the resamples.
        min_common: couples of assessors with fewer common pairs are left out of means over couples; by default 1 for
            up to ten assessors, else 20.
        policy: how runs are evaluated.
        grades: `int`, or `float` where labels are real numbers.
        columns: layout of the files, as in `read_qrels`; so are format, encoding, max_errors and max_size.

    Returns:
        Every coefficient with its interval, confusion tables, topics, and the systems under each assessor.

    >>> ann = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d4": 0}}
    >>> bob = {"q1": {"d1": 1, "d2": 0, "d3": 0}, "q2": {"d4": 0}}
    >>> found = agree({"ann": ann, "bob": bob})
    >>> found["raw"].value, found["cohen"].value  # (3/4 - 1/2) / (1 - 1/2)
    (0.75, 0.5)
    """
    _check(weights, over, samples)
    if llm is None and map is not None:
        raise PolicyError("E244", f"{setting('map')} has no effect without {setting('llm')}")
    words = tuple(_spelt(word) for word in missing)
    reading = ReadOptions(format, columns, encoding, max_errors, max_size, grades, missing=words)
    tables = gather(sources, reading, repeats=itself)
    if llm is not None:
        tables.append(_other_name(model_labels(llm, reading, map), tables))
    if not tables:
        raise PolicyError("E247", "agree needs judgments", hint="those of two assessors or more")
    labels = Labels.of(together(tables), negative, _numbers(words), binary)
    few = len(labels.assessors) <= FEW_ASSESSORS
    choices = Choices(
        weights=weights,
        level=known_level(level),
        rel=rel,
        over=over,
        samples=samples,
        seed=seed,
        min_common=min_common or (1 if few else ENOUGH),
        repeats=repeats,
        alpha=Method(alpha=alpha).alpha,
    )
    policies = {**asdict(choices), "binary": binary, "negative": negative, "missing": list(words), "itself": itself}
    systems = None if runs is None else as_runs(runs)
    grouped = None if groups is None else _groups(groups, systems, labels)
    inputs = [_input(table) for table in (*tables, *(() if systems is None else systems.values()))]
    audit = Audit(policies=policies, inputs=inputs, versions=versions("scipy"), seed=seed)
    if itself:
        if runs is not None:
            raise PolicyError("E244", "runs have no effect on agreement within assessors", hint="leave one of them out")
        return _say(measured(labels.repeated(), "within", choices, audit))
    if len(labels.assessors) < 2:
        names = f" ({labels.assessors[0]})" if labels.assessors else ""
        raise PolicyError(
            "E221",
            f"agreement needs two assessors, got {len(labels.assessors)}{names}",
            hint="give two qrels or a file with an assessor column; "
            f"{setting('itself', True)} compares repeated judgments of one",
        )
    again = len(labels.repeated().topic)
    under = None
    if systems is not None:
        under = Systems(
            runs=systems,
            measures=measures,
            policy=policy or Policy(),
            groups=grouped,
            alpha=choices.alpha,
            samples=samples,
            seed=seed,
        )
    return _say(measured(labels.once(repeats), "between", choices, audit, again, under))


def _say(found: Agreement) -> Agreement:
    """Warnings about the labels."""
    if found.prevalence:
        warn(DataWarning("W117", found.prevalence))
    return found


def _groups(groups: "GroupsLike", systems: Runs | None, labels: Labels) -> dict[str, str]:
    """The group of each run; refused where no bias is computed."""
    if systems is None:
        problem = f"{setting('groups')} has no effect without {setting('runs')}"
        raise PolicyError("E244", problem, hint="groups are groups of runs")
    if labels.kinds.count("model") != 1 or len(labels.kinds) < 2:
        problem = f"{setting('groups')} has no effect without the labels of people and of one model"
        raise PolicyError("E244", problem, hint=f"add the model's labels: {setting('llm')}")
    found = as_groups(groups)
    match_groups(found, list(systems), groups)
    return found


def _other_name(model: Judgments, tables: Sequence[Judgments]) -> Judgments:
    """Refuse a model that has the name of another assessor."""
    names = {name for table in tables for name in table.assessor.codes()[0]}
    if len(model) and model.assessor[0] in names:
        problem = f"two assessors are called {model.assessor[0]!r}, and one of them is the model"
        raise PolicyError("E206", problem, hint=either('write llm={"NAME": path}', "write --llm NAME=PATH"))
    return model


def _check(weights: str, over: str, samples: int) -> None:
    one_of("weights", weights, get_args(Weights))
    one_of("over", over, get_args(Over))
    check_draws(samples, _HELD)


def _spelt(word: float | str) -> str:
    return word if isinstance(word, str) else f"{word:g}"


def _numbers(words: Sequence[str]) -> list[float]:
    """The words that are numbers; other words can occur only in files."""
    numbers, wrong = Text.of(words).numbers()
    return numbers[~wrong].tolist()


def _input(table: Judgments | Run) -> Input:
    if isinstance(table, Run):
        role, name = "run", table.name
    else:
        role = "labels" if set(table.kind.codes()[0]) == {"model"} else "judgments"
        name = table.assessor[0] if len(table) else role
    return Input.of(role, table, name)
