"""Gain that is collected down to each rank, with that of the ideal list."""

from typing import Any

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.families.gain import collectable, collected
from cranfield.measures.grammar import Measure
from cranfield.tables.curves.kind import VectorColumns, curve_kind


@curve_kind("cg", "cumulated gain", measure="CG", last=100, banded=True, ideal=True)
def cumulated(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank."""
    return gain_vectors(hits, measure, ranks)


@curve_kind("dcg", "discounted cumulated gain", measure="DCG", last=100, banded=True, ideal=True)
def discounted(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank, documents further down counting less."""
    return gain_vectors(hits, measure, ranks)


@curve_kind(
    "ncg", "normalised cumulated gain", measure="nCG", last=100, y=("mean_of_norm",), banded=True, normalised=True
)
def normalised(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank over that of the ideal list."""
    return normalised_vectors(hits, measure, ranks)


@curve_kind(
    "ndcg",
    "normalised discounted cumulated gain",
    measure="nDCG",
    last=100,
    y=("mean_of_norm",),
    banded=True,
    normalised=True,
)
def normalised_discounted(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The discounted gain collected down to each rank over that of the ideal list."""
    return normalised_vectors(hits, measure, ranks)


def gain_vectors(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank, that of the ideal list, and how far the list is behind it."""
    gained, ideal = _gains(hits, measure, len(ranks))
    return {"gained": gained, "ideal": ideal, "gap": ideal - gained}


def normalised_vectors(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """The gain collected down to each rank over that of the ideal list; undefined where the ideal list has no gain."""
    gained, ideal = _gains(hits, measure, len(ranks))
    return {"normalised": ratio(gained, ideal), "gained": gained, "ideal": ideal}


def _gains(hits: Hits, measure: Measure, depth: int) -> tuple[Floats, Floats]:
    scheme = _scheme(measure)
    return collected(hits, depth, **scheme), collectable(hits, depth, **scheme)[hits.topic]


def _scheme(measure: Measure) -> dict[str, Any]:
    """The parameters of a measure that shape gain and discount."""
    return {name: value for name, value in measure.arguments.items() if name in ("dcg", "b", "gains")}
