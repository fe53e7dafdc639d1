"""Precision and recall: rank by rank, at levels of recall, or as one point of a topic."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.families.interpolated import interpolated_precision
from cranfield.measures.families.ranked import harmonic
from cranfield.measures.grammar import Measure
from cranfield.tables.curves.kind import VectorColumns, curve_kind

RECALL_LEVELS = np.arange(11) / 10


@curve_kind(
    "pr",
    "precision against recall, rank by rank",
    measure="P",
    last=1000,
    x="recall",
    y=("precision",),
    y_title="precision",
    steps=True,
    example="pr(rel=2)",
)
def precision_recall(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """Recall and precision after each rank."""
    near = hits.relevant(measure.rel).top(len(ranks))
    here = np.zeros((len(hits), len(ranks)))
    here[near.ranking, near.rank - 1] = 1
    found = np.cumsum(here, axis=1)
    return {"recall": ratio(found, hits.judged_at_least(measure.rel)[:, None]), "precision": found / ranks}


@curve_kind(
    "11pt",
    "interpolated precision by recall",
    measure="11pt",
    axis="recall",
    measure_at_point="IPrec",
    x="recall",
    y=("precision",),
    y_title="interpolated precision",
    banded=True,
    example="11pt(rel=2)",
)
def interpolated(hits: Hits, measure: Measure, levels: Floats) -> VectorColumns:
    """Interpolated precision at each recall level."""
    values = [interpolated_precision(hits, recall=float(level), **measure.arguments) for level in levels]
    return {"precision": np.stack(values, axis=1)}


@curve_kind(
    "f",
    "precision against recall, a point per topic",
    measure="SetF",
    measure_at="F",
    axis="",
    x="recall",
    y=("precision",),
    y_title="precision",
    level="F",
    example="f(beta=2)@10",
)
def point(hits: Hits, measure: Measure, _: Floats) -> VectorColumns:
    """Precision, recall and F of the first documents, or of the whole list, as one point."""
    found = hits.relevant(measure.rel).top(measure.cutoff).count
    seen = hits.retrieved if measure.cutoff is None else np.full_like(hits.retrieved, measure.cutoff)
    relevant = hits.judged_at_least(measure.rel)
    columns = {
        "recall": ratio(found, relevant),
        "precision": found / np.maximum(seen, 1),
        "F": harmonic(found, seen, relevant, measure.arguments["beta"]),
    }
    return {name: values[:, None] for name, values in columns.items()}
