"""S6, compare: runs that are kept, on the judgments of the lab, with what the missing ones could change."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from cranfield.align.policy import CHOICES, Policy
from cranfield.errors import Error, PolicyError
from cranfield.judging.looking.comparison import CompareChoices, ComparedRuns, compared_runs
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import render
from cranfield.registry import Registry, one_of, registered
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.several.posthoc import POSTHOC

USUAL = CompareChoices()
TITLES = {
    "test": "Test",
    "adjust": "Correction",
    "unjudged": "Unjudged documents",
    "topic_set": "Topics in the mean",
    "no_relevant": "Topics without relevant ones",
}
REGISTRIES: dict[str, tuple[Registry[Any], ...]] = {"test": (TESTS,), "adjust": (CORRECTIONS, POSTHOC)}


def words_of(name: str) -> list[str]:
    """The words that a field of the form offers: all that are registered, or those of the policy that have ranges.

    >>> words_of("unjudged"), words_of("no_relevant")
    (['nonrelevant', 'condensed'], ['zero', 'exclude', 'error'])
    """
    if name in REGISTRIES:
        return [word for registry in REGISTRIES[name] for word in registry]
    usual = USUAL.policy.as_dict()
    return [word for word in CHOICES[name] if _has_ranges(Policy(**{**usual, name: word}))]


def _has_ranges(policy: Policy) -> bool:
    """Whether the page can draw what is possible beside each mean."""
    try:
        policy.require_single_values("the page")
        policy.require_no_ones("the page")
    except PolicyError:
        return False
    return True


def compare(ask: Ask) -> Response:
    """The page."""
    if ask.room.open_to(ask.visitor.name):
        return render(ask, "looking/later.html", what="Comparisons")
    runs, chosen = ask.room.runs(), _named(ask)
    problem, found = "", None
    if len(runs) > 1:
        try:
            chosen = _choices(ask)
            found = in_order(_found(ask, chosen), [each.topic for each in ask.room.status().topics])
        except Error as error:
            problem = f"{error.problem[:1].upper()}{error.problem[1:]}."
    return render(
        ask,
        "looking/compare.html",
        status=422 if problem else 200,
        found=found,
        chosen=chosen,
        names=[run.name for run in runs],
        selectors=[(name, title, words_of(name)) for name, title in TITLES.items()],
        unusual=replace(chosen, measure=USUAL.measure, baseline=USUAL.baseline) != USUAL,
        grades=[grade for grade in ask.room.grades() if grade > 0],
        problem=problem,
        query=ask.request.url.query,
    )


def scores(ask: Ask) -> Response:
    """The same as a file: one row for each run and topic."""
    if ask.room.open_to(ask.visitor.name):
        return Response("Shown when you have no open pairs.\n", 409, media_type="text/plain")
    if len(ask.room.runs()) < 2:
        raise HTTPException(404, "There are no two runs to compare.")
    found = _found(ask, _choices(ask))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    base = found.rows[0].run
    writer.writerow(["topic", "measure", "baseline", "value", "run", "difference"])
    for topic in found.topics:
        for name, delta in zip(found.others, topic.numbers, strict=True):
            writer.writerow(
                [_safe(topic.topic), found.choices.measure, _safe(base), topic.baseline, _safe(name), delta]
            )
    headers = {"content-disposition": 'attachment; filename="scores.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def in_order(found: ComparedRuns, topics: Sequence[str]) -> ComparedRuns:
    """The topics in the order of the lab."""
    place = {topic: number for number, topic in enumerate(topics)}
    return replace(found, topics=tuple(sorted(found.topics, key=lambda one: place.get(one.topic, len(place)))))


def _found(ask: Ask, chosen: CompareChoices) -> ComparedRuns:
    return compared_runs(ask.room.qrels(), ask.room.runs(), chosen)


def _choices(ask: Ask) -> CompareChoices:
    """What was chosen; a word that the page does not know is refused."""
    rel = ask.query("rel")
    return replace(
        _named(ask),
        rel=int(rel) if rel.isascii() and rel.isdigit() and len(rel) < 4 else USUAL.rel,
        **{name: _word(name, given) for name in TITLES if (given := ask.query(name).strip())},
    )


def _named(ask: Ask) -> CompareChoices:
    """Measure and baseline, which are written again on a page that refuses another word."""
    return CompareChoices(measure=ask.query("measure").strip() or USUAL.measure, baseline=ask.query("baseline"))


def _word(name: str, given: str) -> str:
    """The registered name of a word or alias."""
    if name in REGISTRIES:
        return registered(name, given, *REGISTRIES[name])
    one_of(name, given, words_of(name))
    return given


def _safe(text: str) -> str:
    """A cell that no spreadsheet takes for a formula (SEC-13)."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
