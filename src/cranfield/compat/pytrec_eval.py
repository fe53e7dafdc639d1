"""The interface of pytrec_eval: the same keys, the same values, the same kinds of errors.

>>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut.10"})
>>> evaluator.evaluate({"q1": {"d1": 1.0, "d2": 2.0}})
{'q1': {'map': 0.5, 'ndcg_cut_10': 0.63...}}
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, repeat
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.joined_run import JoinedRun
from cranfield.arrays import Floats, Ints
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.catalogue import ENTRIES, known, nicknames
from cranfield.compat.trec_eval.columns import PrintedColumn, logarithms
from cranfield.compat.trec_eval.evaluation import Evaluation, evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure, requests
from cranfield.compat.trec_eval.quit import Quit
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

Grade: TypeAlias = int | np.integer[Any]  # of any width
Score: TypeAlias = float | np.floating[Any] | np.integer[Any]  # of any width

_VERSION = 9  # pytrec_eval carries the code of trec_eval 9

supported_measures: set[str] = set(known(_VERSION, "", "qrels")) - {"yaap"}
supported_nicknames: dict[str, set[str]] = {name: set(members) for name, members in nicknames(_VERSION).items()}

_WITH_PARAMETERS = re.compile(r"(.*?)[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)")
_DICTIONARIES = {dict, defaultdict}
_WRONG_SCORES = "Unable to extract query/object scores."
_WRONG_ARGUMENTS = "Expected object_relevance_per_qid dictionary and measures set."


class RelevanceEvaluator:
    """Evaluates runs, given as dictionaries, against relevance judgments, given as a dictionary."""

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, Grade]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        """Keep the judgments.

        Args:
            query_relevance: grades by topic and document.
            measures: names of measures, with parameters as `ndcg_cut.10` or `P_5`, or nicknames.
            relevance_level: lowest relevant grade, from 1.
            judged_docs_only_flag: whether unjudged documents are taken out of the lists.

        Raises:
            ValueError: a measure is unknown, or its parameters cannot be read.
            TypeError: an argument, topic, document or grade is of the wrong type.
        """
        self._requests = _requests(measures)
        if not (_is_whole(relevance_level) and _is_whole(judged_docs_only_flag)):
            raise TypeError(_WRONG_ARGUMENTS)
        if relevance_level < 1:
            raise TypeError("Argument relevance_level should be positive.")
        self._options = TrecOptions(
            version=9, level=int(relevance_level), judged_only=bool(judged_docs_only_flag), num_docs=0
        )
        self._qrels = _qrels(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, float]]:
        """Values by topic and measure, for the topics that are both judged and in the run.

        Raises:
            TypeError: the run is no dictionary of dictionaries of numbers.
        """
        joined = JoinedRun.of_dictionary(scores, self._index, "trec9")
        if joined is not None:
            lists = self._answered(joined)
            return self._values(lists, lists.topics)
        run = _run(scores)
        judged = set(self._qrels.topics)
        topics = [topic for topic in run.topics if topic in judged]
        return self._values(evaluation(self._qrels, run, self._options), topics) if topics else {}

    def _answered(self, joined: JoinedRun) -> Evaluation:
        """The lists of the judged topics, in the order of the run."""
        number, hits = joined.answered()
        topics = tuple(map(self._index.topics.__getitem__, number.tolist()))
        return Evaluation(
            options=self._options,
            topics=topics,
            present=np.ones(len(topics), dtype=bool),
            judged_topics=len(self._qrels.topics),
            run_id="",
            stop=None,
            hits=hits.condensed() if self._options.judged_only else hits,
            best_grade=self._best_grade[number],
            relevant_anywhere=self._relevant_anywhere,
        )

    def _values(self, lists: Evaluation, topics: Sequence[str]) -> dict[str, dict[str, float]]:
        """The values of the requested measures, by topic."""
        columns = [pair for request in self._requests for pair in _named(lists, request)] if topics else []
        names = [name for name, _ in columns]
        rows = zip(*(values for _, values in columns), strict=True) if columns else repeat((), len(lists.topics))
        by_topic = dict(zip(lists.topics, rows, strict=True))
        return {topic: dict(zip(names, by_topic[topic], strict=True)) for topic in topics}

    @cached_property
    def _index(self) -> JudgmentIndex:
        return JudgmentIndex.of(self._qrels)

    @cached_property
    def _relevant_anywhere(self) -> int:
        return int(np.count_nonzero(self._qrels.grade > 0))

    @cached_property
    def _best_grade(self) -> Ints:
        best = np.full(len(self._qrels.topics), -1, dtype=np.int64)
        np.maximum.at(best, self._qrels.topic, self._qrels.grade)
        return best


def _requests(measures: Iterable[str]) -> list[RequestedMeasure]:
    """The measures in the order in which trec_eval prints them."""
    asked: list[str] = []
    for measure in measures:
        for name in sorted(supported_nicknames.get(measure, {measure})):
            asked.append(_with_dot(name))
    return requests(asked, known(_VERSION), {})


def _with_dot(measure: str) -> str:
    """`P_5` as `P.5`; parameters behind those that can be read are ignored."""
    found = None if measure in supported_measures else _WITH_PARAMETERS.match(measure)
    name = measure if found is None else found[1]
    if name not in supported_measures:
        raise ValueError(f"unsupported measure {measure}")
    if found is None:
        return measure
    request = RequestedMeasure(name, found[2])
    try:
        ENTRIES[name].check(request)
    except Quit:
        raise ValueError(f"unsupported measure {measure}") from None
    return f"{name}.{found[2]}"


def _named(lists: Evaluation, request: RequestedMeasure) -> list[tuple[str, list[float]]]:
    """Key and values of each column of a measure."""
    entry = ENTRIES[request.name]
    try:
        columns = entry.calculate(lists, request)
    except Quit:  # utility without four coefficients
        return [(request.name, [0.0] * len(lists.topics))]
    return [(column.name if entry.series else request.name, _values(column).tolist()) for column in columns]


def _values(column: PrintedColumn) -> Floats:
    return logarithms(column.values) if column.summary == "geometric" else column.values


def _qrels(query_relevance: Mapping[str, Mapping[str, Grade]]) -> Qrels:
    return _plain_qrels(query_relevance) or _any_qrels(query_relevance)


def _plain_qrels(judged: Mapping[str, Mapping[str, Grade]]) -> Qrels | None:
    """The judgments of plain dictionaries, strings and numbers; only their types are checked."""
    if (
        type(judged) not in _DICTIONARIES
        or {*map(type, judged.values())} - _DICTIONARIES
        or {*map(type, judged)} - {str}
    ):
        return None
    documents = list(chain.from_iterable(judged.values()))
    grades = list(chain.from_iterable(inner.values() for inner in judged.values()))
    if {*map(type, documents)} - {str} or {*map(type, grades)} - {int, bool}:
        return None
    kept = [topic for topic, inner in judged.items() if inner]
    sizes = [len(inner) for inner in judged.values() if inner]
    topic = np.repeat(np.arange(len(kept)), sizes)
    return Qrels(tuple(kept), topic, Text.of(documents), np.array(grades, dtype=np.int64))


def _any_qrels(query_relevance: Mapping[str, Mapping[str, Grade]]) -> Qrels:
    topics: list[str] = []
    documents: list[str] = []
    grades: list[int] = []
    for topic, judgments in query_relevance.items():
        if not _is_text(topic):
            raise TypeError("Expected string as key.")
        if not _is_mapping(judgments):
            raise TypeError("Expected dictionary as value.")
        for document, grade in judgments.items():
            if not _is_text(document):
                raise TypeError("Expected mapping of document id to query relevance or matching score.")
            if not _is_whole(grade):
                raise TypeError("Expected relevance to be integer.")
            topics.append(topic)
            documents.append(document)
            grades.append(int(grade))
    return Qrels.of(topics, documents, np.array(grades, dtype=np.int64))


def _run(scores: Mapping[str, Mapping[str, Score]]) -> Run:
    if not _is_mapping(scores):
        raise TypeError("Argument object scores should be of type dictionary.")
    if not (all(map(_is_text, scores)) and all(map(_is_mapping, scores.values()))):
        raise TypeError(_WRONG_SCORES)
    documents = [document for listed in scores.values() for document in listed]
    values = [score for listed in scores.values() for score in listed.values()]
    if not (all(map(_is_text, documents)) and all(map(_is_number, values))):
        raise TypeError(_WRONG_SCORES)
    sizes = np.array([len(listed) for listed in scores.values()], dtype=np.int64)
    topic = np.repeat(np.arange(len(sizes)), sizes)
    return Run("", tuple(scores), topic, Text.of(documents), np.array([float(value) for value in values]))


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)  # numpy's integers are


def _is_number(value: object) -> bool:
    return isinstance(value, Real)  # numpy's single precision is


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping)


def compute_aggregated_measure(measure: str, values: list[float]) -> float:
    """The summary of the values of all topics: a sum for counts, a geometric mean for `gm_`, else the mean.

    >>> compute_aggregated_measure("num_ret", [2.0, 3.0]), compute_aggregated_measure("map", [0.5, 1.0])
    (5.0, 0.75)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    mean = float(np.mean(values))
    return float(np.exp(mean)) if measure.startswith("gm_") else mean


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Scores by topic and document from the lines of a run.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for line in f_run:
        topic, _, document, _, score, _ = line.strip().split()
        if document in run[topic]:
            raise AssertionError(f"document {document!r} is listed twice for {topic!r}")
        run[topic][document] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Grades by topic and document from the lines of a qrels file.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    qrel: dict[str, dict[str, int]] = defaultdict(dict)
    for line in f_qrel:
        topic, _, document, grade = line.strip().split()
        if document in qrel[topic]:
            raise AssertionError(f"document {document!r} is judged twice for {topic!r}")
        qrel[topic][document] = int(grade)
    return qrel
