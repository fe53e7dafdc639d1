"""S6, compare: runs that are kept, on the judgments of the lab, with what the missing ones could change."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.responses import Response

from cranfield.errors import Error
from cranfield.judging.looking.comparison import CompareChoices, ComparedRuns, compared_runs
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import render

TESTS = ("t", "permutation", "bootstrap", "wilcoxon", "sign")
CORRECTIONS = ("holm", "bh", "bonferroni", "none")
UNJUDGED = ("nonrelevant", "condensed")
TOPIC_SETS = ("qrels", "intersection", "union")
NO_RELEVANT = ("zero", "exclude")
SELECTORS = (  # name of the field, what it is called, and its values, the usual one first
    ("test", "Test", TESTS),
    ("adjust", "Correction", CORRECTIONS),
    ("unjudged", "Unjudged documents", UNJUDGED),
    ("topic_set", "Topics in the mean", TOPIC_SETS),
    ("no_relevant", "Topics without relevant ones", NO_RELEVANT),
)


def compare(ask: Ask) -> Response:
    """The page."""
    if ask.room.open_to(ask.visitor.name):
        return render(ask, "later.html", what="Comparisons")
    runs, chosen = ask.room.runs(), _choices(ask)
    problem, found = "", None
    if len(runs) > 1:
        try:
            found = in_order(_found(ask, chosen), [each.topic for each in ask.room.status().topics])
        except Error as error:
            problem = f"{error.problem[:1].upper()}{error.problem[1:]}."
    return render(
        ask,
        "compare.html",
        status=422 if problem else 200,
        found=found,
        chosen=chosen,
        names=[run.name for run in runs],
        selectors=SELECTORS,
        unusual=any(getattr(chosen, name) != values[0] for name, _, values in SELECTORS) or chosen.rel != 1,
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
    """What was chosen; what is unknown is left as usual."""
    rel = ask.query("rel")
    return CompareChoices(
        measure=ask.query("measure").strip() or "nDCG@10",
        baseline=ask.query("baseline"),
        test=_of(ask.query("test"), TESTS),
        adjust=_of(ask.query("adjust"), CORRECTIONS),
        unjudged=_of(ask.query("unjudged"), UNJUDGED),
        topic_set=_of(ask.query("topic_set"), TOPIC_SETS),
        no_relevant=_of(ask.query("no_relevant"), NO_RELEVANT),
        rel=int(rel) if rel.isascii() and rel.isdigit() and len(rel) < 4 else 1,
    )


def _of(value: str, known: tuple[str, ...]) -> str:
    return value if value in known else known[0]


def _safe(text: str) -> str:
    """A cell that no spreadsheet takes for a formula (SEC-13)."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
