"""White-space separated files: TREC and MS MARCO runs, TREC qrels and their relatives for sampled pools."""

from dataclasses import replace

import numpy as np

from cranfield.errors import InputError
from cranfield.read.columns import NO_QRELS, NO_RUN, Columns
from cranfield.read.content import Content, check_lines
from cranfield.read.formats import reads
from cranfield.read.metadata import header
from cranfield.read.options import Options
from cranfield.read.paths import stem
from cranfield.read.scan import scan
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

RUN = ("topic", "_", "doc", "rank", "score", "run")
MSMARCO = ("topic", "doc", "rank")
QRELS = ("topic", "iteration", "doc", "grade")
STRATUM = ("topic", "iteration", "doc", "stratum", "grade")
PROBABILITY = ("topic", "iteration", "doc", "grade", "probability")
PRELS = ("topic", "doc", "grade", "_", "probability")
PREFERENCES = ("topic", "iteration", "stratum", "doc", "grade")

_HINTS = {
    (RUN, 5): "column 6 (run tag) is missing; add one, or pass --columns topic,_,doc,rank,score",
    (RUN, 3): "is this an MS MARCO run? then --format-in run-msmarco",
    (QRELS, 3): "column 2 (iteration, usually 0) is missing; add one, or pass --columns topic,doc,grade",
    (QRELS, 5): "judgments with five columns are never guessed: --format-in qrels-stratum or qrels-probability",
}
_NEED = {
    RUN: "a line is: TOPIC Q0 DOC RANK SCORE TAG; ids cannot contain blanks",
    QRELS: "a line is: TOPIC ITERATION DOC GRADE; ids cannot contain blanks",
}


@reads("run-trec", "run", "301 Q0 FT911-3 1 14.25 bm25", (".run", ".trec", ".res", ".ranking"), writable=True)
def read_trec_run(content: Content, options: Options) -> list[Run]:
    """TREC run: topic, Q0, document, rank, score, tag, separated by any white space."""
    return [_run(content, options, RUN, "run-trec")]


@reads("run-msmarco", "run", "1048585\t7187158\t1", writable=True)
def read_msmarco_run(content: Content, options: Options) -> list[Run]:
    """MS MARCO run: topic, document, rank; the score falls with the rank."""
    return [_run(content, options, MSMARCO, "run-msmarco")]


@reads("qrels-trec", "qrels", "301 0 FT911-3 1", (".qrels", ".qrel"), writable=True)
def read_trec_qrels(content: Content, options: Options) -> Qrels:
    """TREC qrels: topic, iteration (or subtopic), document, grade, separated by any white space."""
    return _qrels(content, options, QRELS, "qrels-trec")


@reads("qrels-stratum", "qrels", "301 0 FT911-3 2 1", writable=True, guessed=False)
def read_stratum_qrels(content: Content, options: Options) -> Qrels:
    """Stratum qrels of a sampled pool: topic, iteration, document, stratum, grade (−1: not sampled)."""
    return _qrels(content, options, STRATUM, "qrels-stratum")


@reads("qrels-probability", "qrels", "301 0 FT911-3 1 0.25", writable=True, guessed=False)
def read_probability_qrels(content: Content, options: Options) -> Qrels:
    """TREC qrels with the inclusion probability of a sampled pool in column 5."""
    return _qrels(content, options, PROBABILITY, "qrels-probability")


@reads("qrels-prels", "qrels", "10002 GX037-06-11625428 0 1 0.0031586555555558", writable=True, guessed=False)
def read_prels(content: Content, options: Options) -> Qrels:
    """Prels: topic, document, grade, sampling method, inclusion probability."""
    return _qrels(content, options, PRELS, "qrels-prels")


@reads("qrels-prefs", "qrels", "301 ann 1 FT911-3 2", guessed=False)
def read_preferences(content: Content, options: Options) -> Qrels:
    """Preferences of trec_eval: topic, judgment group (as iteration), subgroup (as stratum), document, level."""
    return _qrels(content, options, PREFERENCES, "qrels-prefs")


def as_run(columns: Columns, options: Options, format: str, name: str | None = None) -> Run:
    """A run from columns of text, whatever the file looked like."""
    columns.ids("topic", "doc")
    rank = columns.ranks()
    if "score" in columns:
        score = columns.scores()
    else:
        if isinstance(rank, Text):
            rank, wrong = rank.integers()
            columns.wrong(wrong, "E119", "rank {} is not a whole number", "rank")
        score = -np.asarray(rank, dtype=np.float64)
    columns.check()
    topics, topic = columns["topic"].codes()
    content = columns.content
    return Run(
        name or _name(columns.get("run"), content.name, options),
        *(tuple(topics), topic, columns["doc"], score, rank),
        line=columns.line,
        source=content.source(format),
    )


def as_qrels(columns: Columns, options: Options, format: str) -> Qrels:
    """Qrels from columns of text, whatever the file looked like."""
    columns.ids("topic", "doc")
    grade = columns.grades(options)
    probability = columns.numbers("probability", 0, 1) if "probability" in columns else None
    columns.check()
    topics, topic = columns["topic"].codes()
    content = columns.content
    return Qrels(
        *(tuple(topics), topic, columns["doc"], grade, columns.get("iteration"), columns.get("stratum"), probability),
        line=columns.line,
        source=content.source(format, assessors="assessor" in columns),
    )


def _run(content: Content, options: Options, layout: tuple[str, ...], format: str) -> Run:
    columns = scanned(content, options, layout, ("topic", "doc", "score|rank"), NO_RUN)
    run = as_run(columns, options, format)
    metadata = header(content)
    return replace(run, source=replace(run.source, metadata=metadata)) if metadata else run


def _qrels(content: Content, options: Options, layout: tuple[str, ...], format: str) -> Qrels:
    return as_qrels(scanned(content, options, layout, ("topic", "doc", "grade"), NO_QRELS), options, format)


def scanned(
    content: Content, options: Options, layout: tuple[str, ...], needed: tuple[str, ...], empty_hint: str
) -> Columns:
    """The columns of a white-space separated file; wrong lines are noted, not yet raised."""
    roles = tuple(options.positions or layout)
    if options.names:
        problem = "the file has no header, so --columns goes by position"
        raise InputError("E303", problem, path=content.name, hint="--columns topic,_,doc,rank,score")
    for role in needed:
        if not any(choice in roles for choice in role.split("|")):
            raise InputError("E303", f"--columns names no column for {role.split('|')[0]!r}", path=content.name)
    check_lines(content)
    array = content.array
    kept = [place for place, role in enumerate(roles) if role != "_"]
    found = scan(array[: content.size], len(roles), kept)
    if found.rows == 0 and len(found.wrong_line) == 0:
        problem = "the file is empty" if content.size == 0 else "the file holds no rows"
        raise InputError("E104", problem, path=content.name, hint=empty_hint)
    values = {
        roles[place]: Text(array, start, length)
        for place, start, length in zip(kept, found.start, found.length, strict=True)
    }
    columns = Columns(content, options.max_errors, values, found.line)
    wrong = zip(found.wrong_line.tolist(), found.wrong_start.tolist(), found.wrong_columns.tolist(), strict=True)
    for (line, start, count), _ in zip(wrong, range(options.max_errors), strict=False):
        problem = f"expected {len(roles)} columns, found {count}"
        hint = _HINTS.get((roles, count)) or _NEED.get(roles, "")
        text = content.line_from(start)
        columns.problems.append(InputError("E105", problem, path=content.name, line=line, text=text, hint=hint))
    return columns


def _name(tag: Text | None, path: str, options: Options) -> str:
    """The name given by hand; or the tag, if there is exactly one in the file; or the name of the file."""
    if options.name is not None:
        return options.name
    if options.name_by == "tag" and tag is not None and len(tag):
        tags, _ = tag.codes()
        if len(tags) == 1 and tags[0]:
            return tags[0]
    return stem(path) or "run"
