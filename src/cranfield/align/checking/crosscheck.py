"""Checks between tables: do runs, qrels, topics and documents use the same topics and document ids?"""

import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.align.checking.findings import Finding
from cranfield.align.checking.inspect import some
from cranfield.align.join import JudgmentIndex
from cranfield.align.rankings import Rankings
from cranfield.align.spellings import Spellings
from cranfield.errors import DataWarning, Error, PolicyError
from cranfield.read.sources.run_names import distinct_names
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, unlike_topics
from cranfield.tables.sheets.numerals import percent
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.topics import Topics
from cranfield.tables.words import counted

_ENOUGH = 0.9  # judged share below which a score deserves a warning
_LOOKED_AT = 10


def cross_findings(
    qrels: Sequence[Qrels], lists: Sequence[Rankings], topics: Sequence[Topics], documents: Sequence[Documents]
) -> Iterator[Finding]:
    """The findings that need several tables; of each list of a run, the first documents are enough."""
    runs = [ranked.run for ranked in lists]
    tables: list[Qrels | Run] = [*qrels, *runs]
    yield from _equal_names(runs)
    for judged in qrels:
        for run in runs:
            yield from _topics_of(run, judged)
            for each in Spellings.of(judged).misspelt(run):
                yield Finding("warning", "spelling", f"{_name(run)}: {each.message}", "W119")
        yield from _judged_share(judged, lists)
    if topics:
        texts = {name for topic_table in topics for name in topic_table}
        for table in tables:
            yield from _without_text(table, texts)
        used = {name for table in tables for name in table.topics}
        if used and (idle := sorted(texts - used)):
            yield Finding("note", "topics", f"{counted(len(idle), 'topic')} with a text but nothing else: {some(idle)}")
    if documents:
        known = {name for collection in documents for name in collection}
        for table in tables:
            yield from _without_document(table, known)


def heads(rankings: Rankings) -> Rankings:
    """The first documents of each list, as many as the checks look at."""
    return rankings.top(_LOOKED_AT)


def _equal_names(runs: Sequence[Run]) -> Iterator[Finding]:
    """Runs that share a tag, and the names that evaluation gives them; an error if they cannot be told apart."""
    try:
        named = distinct_names([run.name for run in runs], [run.source for run in runs])
    except PolicyError as error:
        yield Finding("error", "equal run names", error.problem, error.code, hint=error.hint)
        return
    for name in dict.fromkeys(run.name for run in runs):
        if len(own := [new for run, new in zip(runs, named, strict=True) if run.name == name]) > 1:
            message = f"{len(own)} runs are called {name!r}; they are named after their files: {some(own)}"
            yield Finding("note", "equal run names", message)


def _topics_of(run: Run, qrels: Qrels) -> Iterator[Finding]:
    """Topics that are in only one of the two tables."""
    judged, answered = set(qrels.topics), set(run.topics)
    if not judged & answered:
        message = f"{_name(run)}: none of its {counted(len(run.topics), 'topic')} occurs in {_name(qrels)}"
        hint = unlike_topics(run.topics[0], qrels.topics[0])
        yield Finding("error", "topics", message, "E114", hint=hint)
        return
    if missing := [topic for topic in qrels.topics if topic not in answered]:
        message = f"{_name(run)}: {counted(len(missing), 'judged topic')} missing, scored 0: {some(missing)}"
        yield Finding("warning", "topics", message, "W101")
    if extra := [topic for topic in run.topics if topic not in judged]:
        message = f"{_name(run)}: {counted(len(extra), 'topic')} without judgments, ignored: {some(extra)}"
        yield Finding("warning", "topics", message, "W102")


def _judged_share(qrels: Qrels, lists: Sequence[Rankings]) -> Iterator[Finding]:
    """How much of the first documents was judged, for each run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # repeated judgments were reported with the file
            judgments = JudgmentIndex.of(qrels)
    except Error:  # contradictions and subtopics, reported with the file
        return
    for ranked in lists:
        near = judgments.hits(ranked).top(_LOOKED_AT)
        if retrieved := int(near.retrieved.sum()):
            share = int(near.count.sum()) / retrieved
            message = f"{_name(ranked.run)}: {percent(share)} of the first {_LOOKED_AT} documents were judged"
            poor = share < _ENOUGH
            yield Finding("warning" if poor else "note", "judged share", message, "W105" if poor else "")


def _without_text(table: Qrels | Run, texts: set[str]) -> Iterator[Finding]:
    if missing := [topic for topic in table.topics if topic not in texts]:
        message = f"{_name(table)}: {counted(len(missing), 'topic')} not in the topic file: {some(missing)}"
        yield Finding("warning", "topics", message)


def _without_document(table: Qrels | Run, known: set[str]) -> Iterator[Finding]:
    names, code = table.document.codes()
    missing = [name for name in names if name not in known]
    if missing:
        strange = np.array([name not in known for name in names])[code]
        message = (
            f"{_name(table)}: {counted(len(missing), 'document')} in {counted(int(strange.sum()), 'row')} "
            f"not among the documents: {some(missing)}"
        )
        first = table.line_of(int(np.argmax(strange)))
        yield Finding("warning", "documents", message, line=first)


def _name(table: Qrels | Run) -> str:
    return table.source.name or (table.name if isinstance(table, Run) else "qrels")
