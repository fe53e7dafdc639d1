"""The band of a curve that missing judgments leave: the lowest and the highest possible mean at each point.

A point of a curve is a measure of its own, such as nDCG@7 on the way to nDCG@20, or IPrec@0.3. The ends of each are
found by the method of that measure, over one set of completions for all points: two points of an edge of the band may
need different completions, so the edge itself need not be the curve of any.
"""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.align.policy import Collapse, Policy
from cranfield.arrays import Floats
from cranfield.errors import DataWarning
from cranfield.measures.curves.grammar import CurveRequest
from cranfield.measures.definition import MEASURES
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure, build

if TYPE_CHECKING:
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.run import Runs

RUNS = "runs"


@dataclass(frozen=True, eq=False)
class BandOfBounds:
    """The ends, `[measure, run, point]`; which documents may be relevant; and the assumptions in words."""

    low: Floats
    high: Floats
    universe: str
    notes: tuple[str, ...]


def band_of_bounds(
    request: CurveRequest,
    measures: tuple[Measure, ...],
    points: Floats,
    qrels: "Qrels",
    runs: "Runs",
    policy: Policy,
    universe: str,
    collapse: Collapse | None,
) -> BandOfBounds:
    """The ends of the mean at each point.

    With the universe `runs`, documents in the first *k* of a run may be relevant, *k* being the last rank of the curve:
    the same ones at all points.
    """
    known = f"{RUNS}:{request.last}" if universe == RUNS and request.kind.axis == "rank" else universe
    asked = [at_point(request, measure, point) for measure in measures for point in points.tolist()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the curve has said it
        bounded = policy.with_(
            unjudged="bounds", rel=1
        )  # measures are named with their level, condensed ones with a prime
        found = evaluate(qrels, runs, asked, policy=bounded, universe=known, collapse=collapse).possible
    assert found is not None  # what the policy asks for
    low, high = (ends.reshape(len(ends), len(measures), len(points)).swapaxes(0, 1) for ends in (found.low, found.high))
    return BandOfBounds(low, high, known, found.notes)


def at_point(request: CurveRequest, measure: Measure, point: float) -> Measure:
    """The measure whose value is one point of a curve.

    >>> from cranfield.measures.curves.grammar import read_kind
    >>> gain, recall = read_kind("ndcg(dcg='jk')@20"), read_kind("11pt(rel=2)")
    >>> at_point(gain, gain.measures[0], 7), at_point(recall, recall.measures[0], 0.3)
    (nDCG(dcg='jk')@7, IPrec(rel=2)@0.3)
    """
    kind = request.kind
    definition = MEASURES[kind.measure_at_point] if kind.measure_at_point else measure.definition
    place = {"cutoff": int(point)} if kind.axis == "rank" else {kind.axis: point}
    return build(definition, dict(measure.values) | place, measure.condensed)
