"""A provider for ir_measures: importing this module puts it first in the default pipeline.

    import ir_measures
    import cranfield.compat.ir_measures
    ir_measures.calc_aggregate([ir_measures.nDCG @ 10, ir_measures.RBP(p=0.8)], qrels, run)

It computes every measure of ir_measures that our registry has, in one order of the documents: score descending, then
document id descending. The providers of ir_measures compute the others.

Every measure of our registry is an attribute here, as an object that ir_measures and PyTerrier take:

    from cranfield.compat.ir_measures import Q, FullRecall, measure
    pt.Experiment(systems, topics, qrels, [Q, FullRecall @ 5, measure("nDCG'@10")])
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

import numpy as np

from cranfield.errors.warning import warn

try:
    import ir_measures
except ImportError:
    raise ImportError("cranfield.compat.ir_measures needs ir_measures: pip install ir-measures") from None

from ir_measures.providers import Evaluator, Provider, registry
from ir_measures.providers.base import NOT_PROVIDED

from cranfield.align.columns.subtopics import has_subtopics
from cranfield.compat.ir_measure_objects import OTHERWISE, CranfieldMeasure, measure
from cranfield.errors import DataWarning, MeasureError
from cranfield.measures.definition import MEASURES
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure, build
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

__all__ = [
    "OTHERWISE",
    "CranfieldEvaluator",
    "CranfieldMeasure",
    "CranfieldProvider",
    "measure",
    "provider",
    "translated",
]

IrMeasuresInput = Any  # what ir_measures takes: a dictionary of dictionaries, a pandas frame, records
Converter = Any  # ir_measures' readers of those, whose methods have no types
util: Any = ir_measures.util  # the same

SETTINGS: Mapping[str, Mapping[str, object]] = {  # what the names of ir_measures mean beyond their parameters
    "IPrec": {"rule": "te9"},  # how trec_eval 9 rounds recall to documents
    "ERR": {"max_rel": 4},  # gdeval's highest grade
    "alpha_DCG": {"normalisation": "ideal_ideal"},  # ndeval divides by the gain of documents that cover everything
    "INST": {"pad": 1000},  # the C/W/L measures end at rank 1000
    "INSQ": {"pad": 1000},
    "NERR10": {"pad": 1000},
    "NERR11": {"pad": 1000},
}


def translated(measure: ir_measures.Measure) -> Measure | None:
    """Our measure with the same definition, if there is one.

    >>> translated(ir_measures.nDCG(judged_only=True) @ 10), translated(ir_measures.Accuracy @ 10)
    (nDCG'@10, None)
    """
    if isinstance(measure, CranfieldMeasure):
        return measure.ours
    definition = MEASURES.find(measure.NAME or "")
    if definition is None or definition.name != measure.NAME or hasattr(measure, "runtime_impl"):
        return None
    values = dict(SETTINGS.get(definition.name, {}))
    given = {name: measure[name] for name in measure.SUPPORTED_PARAMS}
    condensed = given.pop("judged_only", False)
    for name, value in given.items():
        if value is NOT_PROVIDED:
            continue
        if name in definition.parameters and value == definition.parameters[name].default:
            continue
        if name in definition.parameters:
            values[name] = value**0.5 if (definition.name, name) == ("SetF", "beta") else value  # theirs is its square
        elif value != measure.SUPPORTED_PARAMS[name].default:
            return None
    try:
        return build(definition, values, condensed)
    except MeasureError:
        return None


class CranfieldProvider(Provider):
    """Computes what `cranfield.evaluate` can."""

    NAME: str = "cranfield"

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Whether the registry has a measure with that definition."""
        measure.validate_params()  # type: ignore[no-untyped-call]  # ir_measures ships no types
        return translated(measure) is not None

    def _evaluator(self, measures: Iterable[ir_measures.Measure], qrels: IrMeasuresInput) -> "CranfieldEvaluator":
        ours = {measure: found for measure in measures if (found := translated(measure)) is not None}
        return CranfieldEvaluator(ours, qrels)


class CranfieldEvaluator(Evaluator):
    """Scores runs by measures that were translated, against judgments that were read once."""

    def __init__(self, measures: Mapping[ir_measures.Measure, Measure], qrels: IrMeasuresInput) -> None:
        self._topics, self._qrels = _qrels(qrels)
        self._plain = {theirs: ours for theirs, ours in measures.items() if not ours.definition.needs_subtopics}
        self._diverse = {theirs: ours for theirs, ours in measures.items() if ours.definition.needs_subtopics}
        super().__init__(list(measures), set(self._topics.values()))

    def _iter_calc(self, run: IrMeasuresInput) -> Iterator[ir_measures.Metric]:
        table = _run(run)
        both = set(table.topics) & set(self._qrels.topics)
        answered = [topic for topic in self._topics if topic in both]
        if not answered:
            return
        if self._plain:
            yield from self._values(self._plain, _one_per_document(self._qrels), table, answered)
        if self._diverse:
            yield from self._values(self._diverse, _with_subtopics(self._qrels), table, answered)

    def _values(
        self, measures: Mapping[ir_measures.Measure, Measure], qrels: Qrels, run: Run, answered: list[str]
    ) -> Iterator[ir_measures.Metric]:
        """The values of the topics that the run has; ir_measures fills in its default for the others.

        Our own measures have values for topics that the run lacks.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # ir_measures has no place for them
            scores = evaluate(qrels, run, list(measures.values()), duplicates="last")
        column = {name: number for number, name in enumerate(scores.measures)}
        row = {topic: number for number, topic in enumerate(scores.topics)}
        for theirs, ours in measures.items():
            values = scores.values[0, :, column[str(ours)]]
            for topic in self._topics if isinstance(theirs, CranfieldMeasure) else answered:
                if not np.isnan(value := float(values[row[topic]])):
                    yield ir_measures.Metric(query_id=self._topics[topic], measure=theirs, value=value)


def _qrels(source: IrMeasuresInput) -> tuple[dict[str, Any], Qrels]:
    """The ids of the topics as they were given, and the judgments."""
    converter = util.QrelsConverter(source)
    topic, document, grade, iteration = _columns(converter, source, ("query_id", "doc_id", "relevance", "iteration"))
    table = Qrels.of(map(str, topic), map(str, document), np.array(grade), map(str, iteration))
    return {str(name): name for name in (source if isinstance(source, dict) else topic)}, table


def _with_subtopics(qrels: Qrels) -> Qrels:
    """The judgments; if they name no subtopics, as judgments of one, where ir_measures warns and goes on."""
    if has_subtopics(qrels):
        return qrels
    message = "the judgments name no subtopics; all documents count for one"
    warn(DataWarning("W131", message))
    return replace(qrels, iteration=Text.of(["1"]).take(np.zeros(len(qrels), dtype=np.int64)))


def _run(source: IrMeasuresInput) -> Run:
    topic, document, score = _columns(util.RunConverter(source), source, ("query_id", "doc_id", "score"))
    return Run.of("run", map(str, topic), map(str, document), np.array(score, dtype=np.float64))


def _columns(converter: Converter, source: IrMeasuresInput, fields: tuple[str, ...]) -> list[list[Any]]:
    """Columns of equal length; judgments without subtopics get subtopic 0."""
    if isinstance(source, dict):
        topic = list(chain.from_iterable(repeat(name, len(row)) for name, row in source.items()))
        document = list(chain.from_iterable(source.values()))
        value = [number for row in source.values() for number in row.values()]
        return [topic, document, value, ["0"] * len(topic)][: len(fields)]
    if hasattr(source, "itertuples") and converter.predict_type()[1] is None:
        return [source[name].tolist() if name in source else ["0"] * len(source) for name in fields]
    rows = list(converter.as_namedtuple_iter())  # says what it cannot read
    return [[getattr(row, name, "0") for row in rows] for name in fields]


def _one_per_document(qrels: Qrels) -> Qrels:
    """The last judgment of each document, which ir_measures uses for measures without subtopics."""
    last = {pair: row for row, pair in enumerate(zip(qrels.topic.tolist(), qrels.document.raws(), strict=True))}
    if len(last) == len(qrels):
        return qrels
    row = np.array(list(last.values()), dtype=np.int64)
    return Qrels(qrels.topics, qrels.topic[row], qrels.document.take(row), qrels.grade[row])


def _stand_first(provider: CranfieldProvider) -> CranfieldProvider:
    """Put a provider at the head of the default pipeline, once."""
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline[:] = [provider, *(other for other in pipeline if getattr(other, "NAME", "") != provider.NAME)]
    registry[provider.NAME] = provider
    return provider


provider: CranfieldProvider = _stand_first(CranfieldProvider())  # type: ignore[no-untyped-call]  # see above


def __getattr__(name: str) -> CranfieldMeasure:
    """A measure of our registry by its name: `cranfield.compat.ir_measures.Q`."""
    if name in MEASURES:
        return measure(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
