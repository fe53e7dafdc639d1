"""What functions take as judgments and as runs: the types `QrelsLike` and `RunsLike`, for annotations of your own.

`read/objects.py` turns all of it into tables.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, Protocol, SupportsFloat, TypeAlias

from numpy.typing import NDArray

from cranfield.read.sources.runs import Sources
from cranfield.read.stores import HoldsJudgments
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.scores import Scores
from cranfield.tables.side.intents import Intents

Path: TypeAlias = str | os.PathLike[str]
ListedDocuments: TypeAlias = list[Any] | tuple[Any, ...] | NDArray[Any]  # ids in order
Weighted: TypeAlias = Mapping[Any, SupportsFloat]  # id -> grade, or id -> score


class FrameLike(Protocol):
    """A data frame: of pandas, polars, pyarrow, or any other package that narwhals knows."""

    @property
    def columns(self) -> Any:  # names, or the columns themselves
        """The columns."""
        ...


class QrelRecord(Protocol):
    """One judgment as an object, such as the `Qrel` of ir_datasets and ir_measures."""

    @property
    def query_id(self) -> Any: ...  # an id
    @property
    def doc_id(self) -> Any: ...  # an id
    @property
    def relevance(self) -> Any: ...  # a number


class RunRecord(Protocol):
    """One document of a list as an object, such as the `ScoredDoc` of ir_datasets and ir_measures."""

    @property
    def query_id(self) -> Any: ...  # an id
    @property
    def doc_id(self) -> Any: ...  # an id
    @property
    def score(self) -> Any: ...  # a number


class RanxTable(Protocol):
    """A `Run` or `Qrels` of ranx."""

    @property
    def name(self) -> Any: ...  # text, or None
    def to_dict(self) -> Any: ...  # `{topic: {document: number}}`


class QrelsDataset(Protocol):
    """A dataset of ir_datasets with judgments."""

    def qrels_iter(self) -> Any: ...  # records


class RunDataset(Protocol):
    """A dataset of ir_datasets with a ranking."""

    def scoreddocs_iter(self) -> Any: ...  # records


class ListedDataset(Protocol):
    """A data set that lists its rows, such as one of Hugging Face or ragas."""

    def to_list(self) -> Any: ...  # dictionaries


QrelsLike: TypeAlias = (
    Qrels
    | Judgments
    | Path
    | Mapping[Any, Weighted | ListedDocuments | set[Any] | frozenset[Any]]
    | FrameLike
    | RanxTable
    | QrelsDataset
    | ListedDataset
    | Sequence[QrelRecord | Mapping[str, Any]]
    | Iterator[QrelRecord | Mapping[str, Any]]
)
"""What functions take as judgments: a table, a path, `{topic: {document: grade}}`, a data frame, or records.

A list or set of documents in place of `{document: grade}` means grade 1. Use the name to annotate
functions of your own.

>>> import cranfield as cf
>>> def first_relevant(qrels: cf.QrelsLike, runs: cf.RunsLike) -> cf.Scores:
...     return cf.evaluate(qrels, runs, "RR")
>>> first_relevant({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]})["run", "RR"]
array([0.5])
"""

# one Mapping and one Sequence, however deep: with several of them mypy cannot tell what a mixed dict or list shall be
_OneRun: TypeAlias = Mapping[Any, SupportsFloat | Weighted | ListedDocuments]  # or the documents of one topic
RunsLike: TypeAlias = (
    Run
    | Runs
    | Sources
    | Path
    | Mapping[Any, _OneRun | ListedDocuments | Run | Runs | Path | FrameLike | RanxTable]
    | FrameLike
    | RanxTable
    | RunDataset
    | ListedDataset
    | Sequence[Run | Path | RunRecord | RanxTable | Mapping[str, Any]]
    | Iterator[Run | Path | RunRecord | RanxTable | Mapping[str, Any]]
)
"""What functions take as runs: tables, paths and globs, dictionaries, data frames, or records; one run or several.

One run is `{topic: {document: score}}` or `{topic: [documents in order]}`, several are `{name: run}`. A data frame with
a run column holds several. Use the name to annotate functions of your own.

>>> import cranfield as cf
>>> runs: cf.RunsLike = {"bm25": {"q1": {"d1": 2.5, "d9": 1.0}}, "dense": {"q1": ["d9", "d1"]}}
>>> cf.evaluate({"q1": {"d1": 1, "d9": 0}}, runs, "RR").means
array([[1. ],
       [0.5]])
"""

ScoresLike: TypeAlias = Scores | Path | IO[Any] | FrameLike | Mapping[Any, Any] | Sequence[Any]  # tables of many kinds
GroupsLike: TypeAlias = Path | Mapping[Any, str | Iterable[str]]
IntentsLike: TypeAlias = Intents | Path | Mapping[Any, Mapping[Any, SupportsFloat]]
AssessorsLike: TypeAlias = QrelsLike | HoldsJudgments | Mapping[Any, QrelsLike]
