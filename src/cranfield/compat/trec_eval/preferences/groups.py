"""Measures by judgment group: the mean, over the groups of a topic, of the measure that each group's judgments give."""

from collections.abc import Callable, Mapping

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, zero_if_undefined
from cranfield.compat.trec_eval.columns import PrintedColumn
from cranfield.compat.trec_eval.entry import Entry
from cranfield.compat.trec_eval.evaluation import Evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure
from cranfield.measures.families import ranked
from cranfield.measures.families.trec import trec_rest


def averaged(lists: Evaluation, measure: Callable[[Hits], Floats]) -> Floats:
    """The mean over the groups of each topic; a topic has only the first so many."""
    total = np.zeros(len(lists.topics))
    for number, hits in enumerate(lists.groups):
        total += np.where(number < lists.group_count, zero_if_undefined(measure(hits)), 0.0)
    return total / np.maximum(lists.group_count, 1)


def _average_precision(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    values = averaged(lists, lambda hits: ranked.average_precision(hits, rel=lists.level))
    return [PrintedColumn(request.name, values)]


def _precision(default: tuple[int, ...]) -> Entry:
    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        return [PrintedColumn(f"{request.name}_{k}", _precision_at(lists, k)) for k in request.cutoffs(default)]

    return Entry(calculate, judged="qrels_jg", series=True, check=lambda request: request.cutoffs(default))


def _precision_at(lists: Evaluation, cutoff: int) -> Floats:
    return averaged(lists, lambda hits: ranked.precision(hits, rel=lists.level, cutoff=cutoff))


def _r_precision(default: tuple[float, ...]) -> Entry:
    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        return [PrintedColumn(f"{request.name}_{m:.2f}", _r_precision_at(lists, m)) for m in request.points(default)]

    return Entry(calculate, judged="qrels_jg", series=True)


def _r_precision_at(lists: Evaluation, multiple: float) -> Floats:
    return averaged(lists, lambda hits: trec_rest.r_precision_multiple(hits, rel=lists.level, mult=multiple))


def entries(cutoffs: tuple[int, ...], multiples: tuple[float, ...]) -> Mapping[str, Entry]:
    """The measures, with the cut-offs and multiples that stand for those not named."""
    return {
        "map_avgjg": Entry(_average_precision, judged="qrels_jg"),
        "P_avgjg": _precision(cutoffs),
        "Rprec_mult_avgjg": _r_precision(multiples),
    }
