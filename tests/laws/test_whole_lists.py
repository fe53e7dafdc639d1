"""A measure declares that it looks at whole lists, so that runs can be read accordingly; no declaration is wrong."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from cranfield.align.hits import Hits
from cranfield.align.rankings import Rankings
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.catalogue import ENTRIES
from cranfield.compat.trec_eval.evaluation import evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure
from cranfield.compat.trec_eval.quit import Quit
from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import Measure, parse
from cranfield.measures.scoring import residual_of
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from tests.laws.worlds import BUILT_IN, bare, measures, small_world, worlds

GONE = np.empty(0, dtype=np.int64)


class Watched:
    """Ranked lists that note whether somebody looks at them."""

    def __init__(self, lists: Rankings) -> None:
        self.lists, self.seen = lists, False

    def __getattr__(self, name: str) -> Any:  # whatever ranked lists have
        self.seen = True
        return getattr(self.lists, name)


def looks_at_lists(measure: Measure, hits: Hits) -> bool:
    """Whether the measure, its divisor or its residual looks at the lists."""
    assert hits.lists is not None
    watched = Watched(hits.lists)
    shown = replace(hits, lists=watched)  # type: ignore[arg-type]  # it behaves like lists
    computed(measure, shown)
    return watched.seen


def computed(measure: Measure, hits: Hits) -> list[np.ndarray]:
    """Everything that scoring asks of a measure."""
    values = [measure(hits)]
    if measure.definition.divisor:
        values.append(measure.divisor(hits))
    if measure.definition.residual:
        values.append(residual_of(measure)(hits))
    return values


@given(worlds(), measures())
def test_a_measure_that_does_not_declare_it_never_looks_at_lists(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        if not measure.definition.needs_lists:
            assert not looks_at_lists(measure, hits), measure
            assert not looks_at_lists(measure.as_condensed(), hits), measure


@given(worlds(), measures())
def test_a_measure_that_does_not_declare_it_has_the_same_values_without_the_lists(world, several):
    hits = world.hits()
    streamed = replace(hits, lists=None, begin=GONE, place=GONE)
    for measure in map(parse, several):
        if not measure.definition.needs_lists:
            for asked in (measure, measure.as_condensed()):
                for whole, gone in zip(computed(asked, hits), computed(asked, streamed), strict=True):
                    np.testing.assert_array_equal(whole, gone, err_msg=str(asked))


@pytest.mark.parametrize("name", [name for name, definition in BUILT_IN.items() if definition.needs_lists])
def test_a_measure_that_declares_it_looks_at_lists(name):
    assert looks_at_lists(bare(MEASURES[name]), small_world(2).hits())


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.judged == "qrels"])
def test_what_trec_eval_prints_is_computed_without_the_lists(name):
    qrels = Qrels.of(["1", "1", "1", "2"], ["a", "b", "c", "a"], [1, 0, 2, 1])
    run = Run.of("r", ["1", "1", "1", "2"], ["x", "c", "b", "a"], [2.0, 1.0, 1.0, 1.0])
    lists = evaluation(qrels, run, TrecOptions(num_docs=9))
    assert lists.hits.lists is not None
    watched = Watched(lists.hits.lists)
    shown = replace(lists.hits, lists=watched)  # type: ignore[arg-type]  # it behaves like lists
    with suppress(Quit):  # utility without four coefficients
        ENTRIES[name].calculate(replace(lists, hits=shown), RequestedMeasure(name, None))
    assert not watched.seen
