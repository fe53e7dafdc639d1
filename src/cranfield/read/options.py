"""The options of readers, and the names by which columns are recognised."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypedDict, get_args

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import one_of
from cranfield.tables.source import Grades, NameBy

REAL_GRADES = f"{setting('grades', 'float')} accepts real gains for gain measures (nDCG, DCG, RBP …)"
TopicNames: TypeAlias = str | os.PathLike[str] | Iterable[str]  # names, with commas between them, or a file of them
TextsLike: TypeAlias = Mapping[str, Any] | str | os.PathLike[str]  # id -> text or record, or a file of them
_COLUMNS = "write topic=query,doc=url or topic,_,doc,rank,score"


class GeneralKeywords(TypedDict, total=False):
    """Options of readers that apply to every file, as keyword arguments."""

    encoding: str
    max_errors: int
    max_size: int | None
    grades: Grades
    name: str | None
    name_by: NameBy
    missing: tuple[str, ...]


class FileKeywords(GeneralKeywords, total=False):
    """Options of readers that apply to one file, as keyword arguments."""

    format: str | None
    columns: str | Mapping[str, str] | None


class Keywords(FileKeywords, total=False):
    """All options of readers as keyword arguments."""

    topics: TextsLike | None
    docs: TextsLike | None
    map: str | os.PathLike[str] | None


@dataclass(frozen=True, eq=False, repr=False)
class ReadOptions:
    """The keyword options common to all readers."""

    format: str | None = None
    columns: str | Mapping[str, str] | None = None
    encoding: str = "utf-8"
    max_errors: int = 20
    max_size: int | None = None  # by default what the machine can hold
    grades: Grades = "int"
    name: str | None = None
    name_by: NameBy = "tag"
    missing: tuple[str, ...] = ()  # words in the grade column that mean no judgment
    topics: TextsLike | None = None  # whose ids replace the query texts of formats without ids
    docs: TextsLike | None = None  # the same for the texts of documents
    map: str | os.PathLike[str] | None = None  # requests that labels answer: id, topic, document

    def __post_init__(self) -> None:
        one_of("grades", self.grades, get_args(Grades))
        one_of("name_by", self.name_by, get_args(NameBy))
        if self.max_errors < 1:
            raise PolicyError("E240", f"{setting('max_errors', self.max_errors)} must be at least 1")

    def named(self, name: str | None) -> "ReadOptions":
        """The same options with the name that the caller gave, if any."""
        return self if name is None else replace(self, name=name)

    @property
    def positions(self) -> list[str] | None:
        """Roles of the columns by position, from `columns="topic,_,doc,rank,score"`.

        >>> ReadOptions(columns="topic,_,doc").positions, ReadOptions(columns="topic=qid,doc=url").positions
        (['topic', '_', 'doc'], None)
        """
        if self.columns is None or not isinstance(self.columns, str) or "=" in self.columns:
            return None
        roles = [canonical(role) for role in self.columns.split(",")]
        if repeated := next((role for role in roles if role != "_" and roles.count(role) > 1), None):
            raise PolicyError("E242", f"{setting('columns')} names {repeated!r} twice")
        return roles

    @property
    def names(self) -> dict[str, str]:
        """Names of the columns by role, from `columns="topic=query,doc=url"` or a dict of them.

        >>> ReadOptions(columns="topic=query,doc=url").names == ReadOptions(
        ...     columns={"topic": "query", "doc": "url"}
        ... ).names
        True
        """
        if isinstance(self.columns, Mapping):
            return {canonical(role): name for role, name in self.columns.items()}
        if self.columns is None or "=" not in self.columns:
            return {}
        pairs = [part.partition("=") for part in self.columns.split(",")]
        if wrong := next((left for left, equals, right in pairs if not (equals and left and right)), None):
            problem = f"{setting('columns')} cannot be read at {wrong!r}"
            raise PolicyError("E242", problem, hint=_COLUMNS)
        return {canonical(role): name.strip() for role, _, name in pairs}


ROLES: dict[str, tuple[str, ...]] = {
    "topic": ("topic", "qid", "query_id", "query-id", "q_id", "query", "user_id", "userid", "user"),
    "doc": ("doc", "docno", "doc_id", "docid", "corpus-id", "corpus_id", "document", "item_id", "itemid", "item"),
    "score": ("score", "sim", "similarity", "prediction"),
    "rank": ("rank", "position"),
    "grade": ("grade", "rel", "relevance", "rating", "label"),
    "run": ("run", "system", "run_id", "tag"),
    "iteration": ("iteration", "iter", "subtopic", "intent"),
    "stratum": ("stratum",),
    "probability": ("probability", "inclusion_probability"),
    "assessor": ("assessor", "assessor_id", "judge"),
    "kind": ("kind",),
    "status": ("status",),
    "at": ("at", "time", "timestamp"),
    "latency": ("latency", "latency_ms"),
}
# beside a better name these are something else: the text of the query, who asked, a number inside an index, a score
_WEAK = {
    "topic": ("query", "user_id", "userid", "user"),
    "doc": ("docid", "item_id", "itemid", "item"),
    "score": ("prediction",),
    "grade": ("score",),
}
NOUNS = {"doc": "the document id", "topic": "the topic id", "run": "the run"}


OF_RUNS = ("score", "rank", "run")
OF_QRELS = ("grade", "iteration", "stratum", "probability", "assessor", "kind", "status", "at")


def columns_for(columns: str | Mapping[str, str] | None, *, qrels: bool) -> dict[str, str] | None:
    """The names of columns that concern qrels, or runs, where the caller gave those of both at once.

    >>> columns_for("topic=query,doc=url,grade=rel,score=sim", qrels=True)
    {'topic': 'query', 'doc': 'url', 'grade': 'rel'}
    """
    if columns is None:
        return None
    others = OF_RUNS if qrels else OF_QRELS
    if not (names := ReadOptions(columns=columns).names):
        raise PolicyError("E242", f"{setting('columns', columns)} names no column", hint=_COLUMNS)
    return {role: name for role, name in names.items() if role not in others}


def canonical(role: str) -> str:
    """The role that a word in `--columns` means."""
    role = role.strip().lower()
    if role in ("_", ""):
        return "_"
    for name, spellings in ROLES.items():
        if role in spellings:
            return name
    raise PolicyError("E242", f"{setting('columns')} has no role {role!r}", hint="roles: " + ", ".join(ROLES))


def roles_of(
    header: Iterable[str], needed: tuple[str, ...], options: ReadOptions, path: str, qrels: bool
) -> dict[str, int]:
    """The position of the column for each role; if a needed column is absent, the error lists the columns there are.

    `score|rank` in `needed` means either of them.

    >>> roles_of(["query-id", "corpus-id", "score"], ("topic", "doc", "grade"), ReadOptions(), "q.tsv", qrels=True)
    {'topic': 0, 'doc': 1, 'grade': 2}
    """
    found = [name.strip() for name in header]
    lower = [name.lower() for name in found]
    roles = {}
    for role, spellings in ROLES.items():
        known = (*spellings, "score") if role == "grade" and qrels else spellings
        claims = [place for spelling in known for place, name in enumerate(lower) if name == spelling]
        if claims:
            roles[role] = claims[0]
            best = [place for place in claims if lower[place] == lower[claims[0]]]
            strong = [place for place in claims if lower[place] not in _WEAK.get(role, ())] or best
            if len(strong) > 1 and role not in options.names:
                raise _two_columns(path, role, [found[place] for place in strong])
    for role, name in options.names.items():
        if name.lower() not in lower:
            raise _no_column(path, role, found, named=name)
        roles[role] = found.index(name) if name in found else lower.index(name.lower())
    if qrels:
        roles.pop("score", None)  # there it is the grade
    for role in needed:
        if not any(choice in roles for choice in role.split("|")):
            first = tuple(name.split("|")[0] for name in needed)
            raise _no_column(path, role.split("|")[0], found, needed=first, roles=roles)
    return roles


def _two_columns(path: str, role: str, names: list[str]) -> InputError:
    """The error for two columns with one role; the reader does not choose silently."""
    problem = f"{len(names)} columns for {NOUNS.get(role, f'the {role}')}: {', '.join(names)}"
    if len({name.lower() for name in names}) < len(names):
        return InputError("E303", problem, path=path, hint="give each column a name of its own")
    return InputError("E303", problem, path=path, hint=f"{setting('columns', f'{role}={names[0]}')} says which one")


def _no_column(
    path: str,
    role: str,
    found: list[str],
    named: str = "",
    needed: tuple[str, ...] = (),
    roles: dict[str, int] | None = None,
) -> InputError:
    noun = NOUNS.get(role, f"the {role}")
    shown = ", ".join(found)
    if named:
        return InputError("E303", f"no column {named!r} for {noun}; found: {shown}", path=path)
    if not roles:
        hint = f"the first line should name the columns; if it does not, pass {setting('columns', ','.join(needed))}"
        return InputError("E303", f"no column for {noun}; found: {shown}", path=path, hint=hint)
    # the columns without a role, in order, are the best guess for a hint
    free = iter([name for place, name in enumerate(found) if place not in roles.values()])
    pairs = [f"{r}={found[roles[r]] if r in roles else next(free, 'NAME')}" for r in needed]
    return InputError(
        "E303", f"no column for {noun}; found: {shown}", path=path, hint=setting("columns", ",".join(pairs))
    )
