"""Hits -> vectors: the columns of a curve by name, for all rankings at once, `[ranking, point]`."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.families.gain import collectable, collected
from cranfield.measures.families.interpolated import interpolated_precision
from cranfield.measures.families.ranked import harmonic
from cranfield.measures.grammar import Measure
from cranfield.measures.users.dense import share

VectorColumns: TypeAlias = dict[str, Floats]
Vectors: TypeAlias = Callable[
    [Hits, Measure, Floats], VectorColumns
]  # hits (condensed, if the measure is), measure, points

RECALL_LEVELS = np.arange(11) / 10


def gain_vectors(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank, that of the ideal list, and how far the list is behind it."""
    gained, ideal = _gains(hits, measure, len(ranks))
    return {"gained": gained, "ideal": ideal, "gap": ideal - gained}


def normalised_vectors(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank over that of the ideal list; undefined where the ideal list has no gain."""
    gained, ideal = _gains(hits, measure, len(ranks))
    return {"normalised": ratio(gained, ideal), "gained": gained, "ideal": ideal}


def precision_recall(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """Recall and precision after each rank."""
    near = hits.relevant(measure.rel).top(len(ranks))
    here = np.zeros((len(hits), len(ranks)))
    here[near.ranking, near.rank - 1] = 1
    found = np.cumsum(here, axis=1)
    return {"recall": ratio(found, hits.judged_at_least(measure.rel)[:, None]), "precision": found / ranks}


def interpolated(hits: Hits, measure: Measure, levels: Floats) -> VectorColumns:
    """Interpolated precision at each recall level."""
    values = [interpolated_precision(hits, recall=float(level), **measure.arguments) for level in levels]
    return {"precision": np.stack(values, axis=1)}


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


def user_functions(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """C, W and L of the user model behind a measure, by rank; a user who has stopped goes on with probability 0."""
    from cranfield.measures.users.cwl import UserModel

    model, depth = UserModel.of(measure), len(ranks)
    gain = share(hits, **{name: measure.arguments.get(name) for name in ("rel", "max_rel", "gains")})
    columns = {letter: np.zeros((len(hits), depth)) for letter in "CWL"}
    start = np.searchsorted(hits.ranking, np.arange(len(hits) + 1))
    for number, retrieved in enumerate(hits.retrieved):
        own = slice(start[number], start[number + 1])
        gains = np.zeros(max(int(retrieved), depth))
        gains[hits.rank[own] - 1] = gain[own]
        functions = model.functions(gains)
        if retrieved < depth:  # the end of the list is the end of the walk, or it is not
            ended = model.functions(gains[:retrieved])
            functions = ended if abs(ended.W[0] - functions.W[0]) > 1e-9 else functions
        for letter, values in zip("CWL", functions, strict=True):
            columns[letter][number, : len(values)] = values[:depth]
    return columns


def _gains(hits: Hits, measure: Measure, depth: int) -> tuple[Floats, Floats]:
    scheme = _scheme(measure)
    return collected(hits, depth, **scheme), collectable(hits, depth, **scheme)[hits.topic]


def _scheme(measure: Measure) -> dict[str, Any]:
    """The parameters of a measure that shape gain and discount."""
    return {name: value for name, value in measure.arguments.items() if name in ("dcg", "b", "gains")}
