"""Checks of one run or one qrels table alone."""

from collections.abc import Iterator

import numpy as np

from cranfield.align.checking.findings import Finding
from cranfield.align.rankings import Rankings
from cranfield.align.tie_groups import count_ties
from cranfield.arrays import NO_INTS, Ints
from cranfield.arrays.strings import pair_key
from cranfield.errors.wording import setting, verb
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text
from cranfield.tables.words import counted

CUTOFFS = (1, 5, 10, 20, 100, 1000)
DEEP = 1000  # the usual length of a list
_SHOWN = 5  # ids named in one message


def run_findings(rankings: Rankings) -> Iterator[Finding]:
    """Duplicates, ties, self-matches, infinities and shallow lists of a run; of duplicates, one is ranked."""
    run = rankings.run
    earlier, later = repeats(run.topic, run.document) if rankings.duplicates else (NO_INTS,) * 2
    for first, row in zip(earlier.tolist(), later.tolist(), strict=True):
        place, line = _pair(run, row), run.line_of(first)
        again = f"document {place[1]!r} is listed twice for topic {place[0]!r}"
        where = "" if line is None else f" (first at line {line})"
        hint = f"{setting('duplicates', 'first', 'last', 'best')} keeps one of them"
        yield Finding("error", "duplicates", again + where, "E108", run.line_of(row), hint=hint)
    yield from _ties(rankings)
    yield from _self_matches(run)
    if infinite := int(np.count_nonzero(np.isinf(run.score))):
        yield Finding(
            "warning", "infinite scores", f"{counted(infinite, 'infinite score')}, ranked first or last", "W103"
        )
    yield from _shallow(rankings)


def qrels_findings(qrels: Qrels) -> Iterator[Finding]:
    """Contradictions, repetitions, the range of the grades, topics without relevant documents, self-matches."""
    grades = [f"{counted(int(count), 'judgment')} of grade {grade}" for grade, count in _distribution(qrels)]
    shown = grades if len(grades) <= 10 else [f"{len(grades)} different grades"]
    yield Finding("note", "grades", f"grades {qrels.grade.min()}…{qrels.grade.max()}: {', '.join(shown)}")
    if below := int(np.count_nonzero(qrels.grade < 0)):
        message = (
            f"{counted(below, 'negative grade')}: pooled but unjudged, unless {setting('negative')} says otherwise"
        )
        yield Finding("warning", "negative grades", message)
    yield from _contradictions(qrels)
    best = np.full(len(qrels.topics), -np.inf)
    np.maximum.at(best, qrels.topic, qrels.grade.astype(np.float64))
    if empty := [qrels.topics[topic] for topic in np.flatnonzero(best < 1)]:
        message = f"{counted(len(empty), 'topic')} without relevant documents, scored 0: {some(empty)}"
        yield Finding("warning", "topics without relevant documents", message)
    yield from _self_matches(qrels)


def repeats(topic: Ints, document: Text) -> tuple[Ints, Ints]:
    """Rows that repeat a pair of topic and document: the first row of the pair, and the later one, in file order.

    >>> repeats(np.array([0, 0, 1, 0]), Text.of(["a", "b", "a", "a"]))
    (array([0]), array([3]))
    """
    key = pair_key(topic, document.hash)
    order = np.argsort(key, kind="stable")
    new = np.ones(len(order), dtype=bool)
    new[1:] = key[order][1:] != key[order][:-1]
    first = order[np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))]
    earlier, later = first[~new], order[~new]
    same = document.equal(earlier, document, later) & (topic[earlier] == topic[later])
    by_row = np.argsort(later[same], kind="stable")
    return earlier[same][by_row], later[same][by_row]


def some(ids: list[str]) -> str:
    """The first few names of a list, and how many more there are."""
    rest = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + rest


def _ties(rankings: Rankings) -> Iterator[Finding]:
    counts = {cutoff: count_ties(rankings, cutoff) for cutoff in CUTOFFS}
    groups, single = counts[CUTOFFS[0]].groups, counts[CUTOFFS[0]].single
    across = [(cutoff, count.across) for cutoff, count in counts.items() if count.across]
    if across:
        places = ", ".join(f"{count:,} across rank {cutoff}" for cutoff, count in across)
        message = (
            f"{counted(groups, 'group')} of equal scores, {places}: {setting('ties')} decides which documents are in"
        )
        yield Finding("warning", "ties", message)
    elif groups:
        reach = ", ".join(map(str, CUTOFFS))
        yield Finding("note", "ties", f"{counted(groups, 'group')} of equal scores, none across rank {reach}")
    if single:
        message = (
            f"{counted(single, 'pair')} of neighbours tied in single precision only: trec_eval 9 orders them by id"
        )
        yield Finding("warning", "single-precision ties", message)


def _self_matches(table: Run | Qrels) -> Iterator[Finding]:
    """Topics with a document of the same name, as where documents are used as queries."""
    same = table.document.equal(np.arange(len(table)), Text.of(table.topics), table.topic)
    for row in np.flatnonzero(same).tolist():
        message = f"topic {table.topics[int(table.topic[row])]!r} has a document of its own name"
        hint = (
            f"if topics are documents of the collection, {setting('drop_self', True)} leaves each out of its own list"
        )
        yield Finding("warning", "self-matches", message, line=table.line_of(row), hint=hint)


def _shallow(rankings: Rankings) -> Iterator[Finding]:
    """Lists shorter than the median list of this run, and lists shorter than the depth of deep measures."""
    length = rankings.retrieved
    usual = int(np.median(length))
    short = np.flatnonzero(length < usual)
    if len(short):
        names = some(
            [
                f"{rankings.run.topics[topic]} ({length[topic]})"
                for topic in short[np.argsort(length[short], kind="stable")]
            ]
        )
        message = f"{counted(len(short), 'topic')} with fewer documents than the median list of {usual:,}: {names}"
        yield Finding("warning" if (length[short] < usual / 2).any() else "note", "shallow topics", message)
    if count := int(np.count_nonzero(length < DEEP)):
        message = f"{counted(count, 'list')} of fewer than {DEEP:,} documents: measures of deep lists see no more"
        yield Finding("note", "short lists", message)


def _contradictions(qrels: Qrels) -> Iterator[Finding]:
    earlier, later = repeats(qrels.topic, qrels.document)
    if len(later) == 0:
        return
    if qrels.iteration is not None and not qrels.iteration.equal(earlier, qrels.iteration, later).any():
        names = qrels.iteration.codes()[0]
        yield Finding("note", "subtopics", f"column 2 holds {counted(len(names), 'subtopic')}: {some(names)}")
        return
    alike = qrels.grade[earlier] == qrels.grade[later]
    if repeated := int(np.count_nonzero(alike)):
        yield Finding(
            "warning", "repeated judgments", f"{counted(repeated, 'judgment')} repeated, counted once", "W104"
        )
    hint = f"several assessors? give each a file, or an assessor column, and use {verb('agree')}"
    if qrels.source.assessors:
        hint = f"several assessors: {verb('convert', rule='majority')} makes one grade of theirs"
    for first, row in zip(earlier[~alike].tolist(), later[~alike].tolist(), strict=True):
        place, line = _pair(qrels, row), qrels.line_of(first)
        before = "before" if line is None else f"at line {line}"
        grades = f"grade {qrels.grade[row]} here and {qrels.grade[first]} {before}"
        message = f"topic {place[0]!r}, document {place[1]!r} has {grades}"
        yield Finding("error", "contradictory judgments", message, "E109", qrels.line_of(row), hint=hint)


def _distribution(qrels: Qrels) -> list[tuple[float, int]]:
    grades, counts = np.unique(qrels.grade, return_counts=True)
    return list(zip(grades.tolist(), counts.tolist(), strict=True))


def _pair(table: Run | Qrels, row: int) -> tuple[str, str]:
    return table.topics[int(table.topic[row])], table.document[row]
