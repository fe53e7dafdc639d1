"""White-space separated files: TREC and MS MARCO runs, TREC qrels and their relatives for sampled pools."""

from dataclasses import replace
from functools import partial

import numpy as np

from cranfield import kernel
from cranfield.arrays import Floats
from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.read.checked_columns import NO_QRELS, NO_RUN, TextColumns
from cranfield.read.definition import reads
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, check_lines
from cranfield.read.sources.paths import stem
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text, Unread

RUN = ("topic", "_", "doc", "rank", "score", "run")
MSMARCO = ("topic", "doc", "rank")
QRELS = ("topic", "iteration", "doc", "grade")
STRATUM = ("topic", "iteration", "doc", "stratum", "grade")
PROBABILITY = ("topic", "iteration", "doc", "grade", "probability")
PRELS = ("topic", "doc", "grade", "_", "probability")
PREFERENCES = ("topic", "iteration", "stratum", "doc", "grade")

_KINDS = {
    "_": kernel.SKIP,
    "topic": kernel.TOPIC,
    "score": kernel.NUMBER,
    "grade": kernel.NUMBER,
    "run": kernel.CONSTANT,
    "rank": kernel.SKIP,
}
_HINTS = {
    (RUN, 5): f"column 6 (run tag) is missing; add one, or pass {setting('columns', 'topic,_,doc,rank,score')}",
    (RUN, 3): f"is this an MS MARCO run? then {setting('format', 'run-msmarco')}",
    (QRELS, 3): f"column 2 (iteration, usually 0) is missing; add one, or pass {setting('columns', 'topic,doc,grade')}",
    (QRELS, 5): "judgments with five columns are never guessed: "
    + setting("format", "qrels-stratum", "qrels-probability", "qrels-prels"),
}
_NEED = {
    RUN: "a line is: TOPIC Q0 DOC RANK SCORE TAG; ids cannot contain blanks",
    QRELS: "a line is: TOPIC ITERATION DOC GRADE; ids cannot contain blanks",
}


@reads(
    "run-trec", "run", "301 Q0 FT911-3 1 14.25 bm25", usual_endings=(".run", ".trec", ".res", ".ranking"), writable=True
)
def read_trec_run(content: Content, options: ReadOptions) -> list[Run]:
    """TREC run: topic, Q0, document, rank, score, tag, separated by any white space."""
    return [_run(content, options, RUN, "run-trec")]


@reads("run-msmarco", "run", "1048585\t7187158\t1", writable=True)
def read_msmarco_run(content: Content, options: ReadOptions) -> list[Run]:
    """MS MARCO run: topic, document, rank; the score falls with the rank."""
    return [_run(content, options, MSMARCO, "run-msmarco")]


@reads("qrels-trec", "qrels", "301 0 FT911-3 1", usual_endings=(".qrels", ".qrel"), writable=True)
def read_trec_qrels(content: Content, options: ReadOptions) -> Qrels:
    """TREC qrels: topic, iteration (or subtopic), document, grade, separated by any white space."""
    return _qrels(content, options, QRELS, "qrels-trec")


@reads("qrels-stratum", "qrels", "301 0 FT911-3 2 1", writable=True, guessed=False)
def read_stratum_qrels(content: Content, options: ReadOptions) -> Qrels:
    """Stratum qrels of a sampled pool: topic, iteration, document, stratum, grade (−1: not sampled)."""
    return _qrels(content, options, STRATUM, "qrels-stratum")


@reads("qrels-probability", "qrels", "301 0 FT911-3 1 0.25", writable=True, guessed=False)
def read_probability_qrels(content: Content, options: ReadOptions) -> Qrels:
    """TREC qrels with the inclusion probability of a sampled pool in column 5."""
    return _qrels(content, options, PROBABILITY, "qrels-probability")


@reads("qrels-prels", "qrels", "10002 GX037-06-11625428 0 1 0.0031586555555558", writable=True, guessed=False)
def read_prels(content: Content, options: ReadOptions) -> Qrels:
    """Prels: topic, document, grade, sampling method, inclusion probability."""
    return _qrels(content, options, PRELS, "qrels-prels")


@reads("qrels-prefs", "qrels", "301 ann 1 FT911-3 2", guessed=False)
def read_preferences(content: Content, options: ReadOptions) -> Qrels:
    """Preferences of trec_eval: topic, judgment group (as iteration), subgroup (as stratum), document, level."""
    return _qrels(content, options, PREFERENCES, "qrels-prefs")


def as_run(columns: TextColumns, options: ReadOptions, format: str, name: str | None = None) -> Run:
    """A run from columns of text of any file format."""
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
    topics, topic = columns.codes("topic")
    content = columns.content
    return Run(
        name=name or _name(columns, options),
        topics=tuple(topics),
        topic=topic,
        document=columns["doc"],
        score=score,
        rank=rank,
        line=columns.line,
        source=content.source(format),
    )


def as_qrels(columns: TextColumns, options: ReadOptions, format: str) -> Qrels:
    """Qrels from columns of text of any file format."""
    columns.ids("topic", "doc")
    grade = columns.grades(options)
    probability = columns.numbers("probability", 0, 1, "NA") if "probability" in columns else None
    columns.check()
    topics, topic = columns.codes("topic")
    content = columns.content
    return Qrels(
        topics=tuple(topics),
        topic=topic,
        document=columns["doc"],
        grade=grade,
        iteration=columns.get("iteration"),
        stratum=columns.get("stratum"),
        probability=probability,
        line=columns.line,
        source=content.source(format, assessors="assessor" in columns),
    )


def _run(content: Content, options: ReadOptions, layout: tuple[str, ...], format: str) -> Run:
    from cranfield.read.formats.metadata import header

    columns = scanned(content, options, layout, ("topic", "doc", "score|rank"), NO_RUN)
    run = as_run(columns, options, format)
    metadata = header(content)
    return replace(run, source=run.source._replace(metadata=metadata)) if metadata else run


def _qrels(content: Content, options: ReadOptions, layout: tuple[str, ...], format: str) -> Qrels:
    return as_qrels(scanned(content, options, layout, ("topic", "doc", "grade"), NO_QRELS), options, format)


def scanned(
    content: Content, options: ReadOptions, layout: tuple[str, ...], needed: tuple[str, ...], empty_hint: str
) -> TextColumns:
    """The columns of a white-space separated file; wrong lines are noted, not yet raised."""
    roles = tuple(options.positions or layout)
    if options.names:
        problem = f"the file has no header, so {setting('columns')} goes by position"
        raise InputError("E303", problem, path=content.name, hint=setting("columns", "topic,_,doc,rank,score"))
    for role in needed:
        if not any(choice in roles for choice in role.split("|")):
            raise InputError(
                "E303", f"{setting('columns')} names no column for {role.split('|')[0]!r}", path=content.name
            )
    check_lines(content)
    found = quickly(content, options, roles)
    return _exactly(content, options, roles, empty_hint) if found is None else found


def kinds_of(roles: tuple[str, ...]) -> list[int] | None:
    """How the kernel converts each column; None if two columns have one role."""
    if len(set(roles) - {"_"}) != len(roles) - roles.count("_"):
        return None
    kinds = [_KINDS.get(role, kernel.TEXT) for role in roles]
    if "rank" in roles and "score" not in roles:
        kinds[roles.index("rank")] = kernel.WHOLE
    return kinds


def quickly(content: Content, options: ReadOptions, roles: tuple[str, ...]) -> TextColumns | None:
    """The columns of a file whose lines and numbers are all regular; None for any other."""
    kinds = kinds_of(roles)
    if kinds is None or (found := kernel.scan(content.array, content.size, kinds)) is None:
        return None
    topics, topic, made, line, any_long, *_ = found
    columns = TextColumns(content, options.max_errors, {}, line)
    for place, (role, kind, column) in enumerate(zip(roles, kinds, made, strict=True)):
        if kind == kernel.TEXT:
            start, length, hash_ = column
            columns.values[role] = Text(content.array, start, length).hashed(hash_, any_long)
        elif kind in (kernel.NUMBER, kernel.WHOLE):
            whole = role == "rank" or (role == "grade" and options.grades == "int")
            if not fits(role, column, whole):
                return None
            columns.typed[role] = column.astype(np.int64) if whole else column
        elif kind == kernel.CONSTANT and column is not None:
            columns.coded[role] = [decoded(column)], np.broadcast_to(np.int64(0), len(topic))
        elif role != "_":
            columns.values[role] = Unread(partial(_located, content, len(roles), place))
    columns.coded["topic"] = [*map(decoded, topics)], topic
    return columns


def fits(role: str, column: Floats, whole: bool) -> bool:
    """Whether the numbers are valid for the role; if not, the exact reader words the error."""
    if role == "score":
        return True
    return bool((np.abs(column) < 2.0**53).all() and (not whole or (column == np.rint(column)).all()))


def decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _located(content: Content, columns: int, place: int) -> Text:
    """A single column of a file that has been scanned before."""
    from cranfield.read.formats.scan import scan

    found = scan(content.array[: content.size], columns, [place])
    return Text(content.array, found.start[0], found.length[0])


def _exactly(content: Content, options: ReadOptions, roles: tuple[str, ...], empty_hint: str) -> TextColumns:
    """The same for any file; errors are noted line by line."""
    from cranfield.read.formats.scan import scan

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
    columns = TextColumns(content, options.max_errors, values, found.line)
    wrong = zip(found.wrong_line.tolist(), found.wrong_start.tolist(), found.wrong_columns.tolist(), strict=True)
    for (line, start, count), _ in zip(wrong, range(options.max_errors), strict=False):
        problem = f"expected {len(roles)} columns, found {count}"
        hint = _HINTS.get((roles, count)) or _NEED.get(roles, "")
        text = content.line_from(start)
        columns.problems.append(InputError("E105", problem, path=content.name, line=line, text=text, hint=hint))
    return columns


def _name(columns: TextColumns, options: ReadOptions) -> str:
    tags, _ = columns.codes("run") if options.name_by == "tag" and "run" in columns else ([], None)
    return name_of(tags[0] if len(tags) == 1 else None, columns.content.name, options)


def name_of(tag: str | None, file: str, options: ReadOptions) -> str:
    """The name that the caller gave, else the tag if the file has exactly one, else the name of the file."""
    if options.name is not None:
        return options.name
    return (tag if options.name_by == "tag" else None) or stem(file) or "run"
