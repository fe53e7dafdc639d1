"""Laws that every measure of the registry obeys, whatever its parameters: a new measure inherits them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.align.hits import Hits
from cranfield.measures.grammar import Measure, build, parse
from tests.laws.covering import diversified
from tests.laws.twins import TWINS
from tests.laws.worlds import (
    BUILT_IN,
    POOLED,
    SEEDS,
    Document,
    World,
    bare,
    measures,
    needed,
    settings_of,
    small_world,
    whole,
    world_of,
    worlds,
)

COMPLETE = (0, 0, 1, 2, 3, 4)  # nothing unjudged


def relevant(hits: Hits, measure: Measure) -> np.ndarray:
    return hits.judged_at_least(measure.rel)


@given(worlds(), measures())
def test_every_value_lies_within_the_bounds_of_its_measure(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        values = measure(hits)
        assert values.shape == (len(hits),), measure
        defined = values[~np.isnan(values)]
        assert (defined >= measure.definition.low - 1e-12).all(), measure
        assert (defined <= measure.definition.high + 1e-12).all(), measure


@given(worlds(), measures())
def test_a_value_is_undefined_only_without_relevant_or_nonrelevant_documents_and_if_its_page_says_so(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        undefined = np.isnan(measure(hits))
        allowed = (relevant(hits, measure) == 0) | measure.definition.partial
        if measure.definition.name == "BprefN":
            allowed |= hits.judged_below(measure.rel) == 0
        if "ndefined" not in measure.definition.document:
            allowed[:] = False
        assert (allowed | ~undefined).all(), measure


@given(worlds(), measures())
def test_a_measure_that_uses_no_grades_sees_only_what_was_judged(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        if not measure.definition.uses_grades:
            blank = replace(hits, grade=np.zeros_like(hits.grade), base_grade=np.zeros_like(hits.base_grade))
            np.testing.assert_array_equal(measure(hits), measure(blank), err_msg=str(measure))


@given(worlds(), measures())
def test_a_ranking_is_scored_alone(world, several):
    together = world.hits()
    for measure in map(parse, several):
        alone = [measure(world.only(number).hits())[0] for number in range(len(world.rankings))]
        np.testing.assert_allclose(measure(together), alone, rtol=1e-11, atol=1e-12, err_msg=str(measure))


@given(worlds(), measures(), st.randoms(use_true_random=False))
def test_the_order_of_topics_and_rankings_changes_nothing(world, several, random):
    topics, numbers = list(range(len(world.topics))), list(range(len(world.rankings)))
    random.shuffle(topics)
    random.shuffle(numbers)
    shuffled = World(
        tuple(world.topics[t] for t in topics),
        tuple((topics.index(world.rankings[n][0]), world.rankings[n][1]) for n in numbers),
    )
    before, after = world.hits(), shuffled.hits()
    for measure in map(parse, several):
        np.testing.assert_allclose(
            measure(after), measure(before)[numbers], rtol=1e-11, atol=1e-12, err_msg=str(measure)
        )


@given(worlds(), measures())
def test_condensing_twice_is_condensing_once(world, several):
    once = world.hits().condensed()
    for measure in map(parse, several):
        np.testing.assert_array_equal(measure(once.condensed()), measure(once), str(measure))
        np.testing.assert_array_equal(measure.as_condensed()(world.hits()), measure(once), str(measure))


@given(worlds(COMPLETE), measures())
def test_the_condensed_value_is_the_plain_one_when_everything_retrieved_is_judged(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        np.testing.assert_array_equal(measure.as_condensed()(hits), measure(hits), str(measure))


@given(worlds(), measures())
def test_the_best_list_of_all_judged_documents_has_the_ideal_value(world, several):
    best = world.hits().ideal()
    for measure in map(whole, map(parse, several)):
        ideal = measure.definition.ideal
        if ideal is None:
            continue
        values = measure(best)
        measured = (relevant(best, measure) > 0) & ~np.isnan(values)
        np.testing.assert_allclose(values[measured], ideal, rtol=1e-12, err_msg=str(measure))


@given(worlds(), measures())
def test_every_measure_equals_its_twin_in_plain_loops(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        expected = [
            TWINS[measure.definition.name](world.documents(n), world.judged(n), world.top_grade, **measure.arguments)
            for n in range(len(world.rankings))
        ]
        np.testing.assert_allclose(measure(hits), expected, rtol=1e-9, atol=1e-12, err_msg=str(measure))


@given(worlds(), measures())
def test_a_measure_that_ignores_unjudged_documents_gives_the_same_without_them(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        if measure.definition.ignores_unjudged:
            np.testing.assert_array_equal(measure(hits.condensed()), measure(hits), str(measure))


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_measure_that_does_not_ignore_unjudged_documents_changes_with_some(name):
    definition = BUILT_IN[name]
    lists: list[list[Document]] = [
        [None, 1, 0, 2],
        [1, None, 0, 2, 0, 0, 0],
        [None, None, None, 1],
        [1, POOLED, 2, 0, 1],
    ]
    hits = world_of(*((found, ()) for found in lists), ([1, None], [1])).hits()
    cut = {"cutoff": 3} if "cutoff" in definition.parameters else {}
    several = [bare(definition), build(definition, needed(definition) | cut)]
    same = [np.array_equal(measure(hits), measure(hits.condensed()), equal_nan=True) for measure in several]
    assert all(same) == definition.ignores_unjudged


@st.composite
def exchanges(draw: st.DrawFn, rel: int) -> tuple[World, World]:
    """A list, and the same with a relevant document in the place of a judged nonrelevant one above it."""
    states = st.sampled_from((0, 0, 1, 2, 3, 4, POOLED, None))
    found = draw(st.lists(states, min_size=2, max_size=12))
    high, low = sorted(draw(st.lists(st.integers(0, len(found) - 1), min_size=2, max_size=2, unique=True)))
    found[high], found[low] = draw(st.integers(0, rel - 1)), draw(st.integers(rel, 4))
    missed = draw(st.lists(states, max_size=5))
    covering = diversified([*found, *missed], draw(SEEDS))
    found, missed = covering[: len(found)], covering[len(found) :]
    exchanged = list(found)
    exchanged[high], exchanged[low] = found[low], found[high]
    return world_of((found, missed)), world_of((exchanged, missed))


@pytest.mark.parametrize("name", [name for name, d in BUILT_IN.items() if d.swap != "none"])
@given(data=st.data())
def test_moving_a_relevant_document_above_a_nonrelevant_one_never_lowers_the_value(name, data):
    measure = parse(data.draw(settings_of(BUILT_IN[name])))
    binary = "rel" in measure.definition.parameters
    before, after = data.draw(exchanges(math.ceil(measure.rel) if binary else 1))
    low, high = measure(before.hits())[0], measure(after.hits())[0]
    assert high >= low - 1e-12 or (np.isnan(low) and np.isnan(high))


@pytest.mark.parametrize("name", [name for name, d in BUILT_IN.items() if d.swap == "strict"])
@given(data=st.data())
def test_moving_a_relevant_document_above_a_nonrelevant_one_raises_a_strict_measure(name, data):
    definition = BUILT_IN[name]
    rel = data.draw(st.integers(1, 3)) if "rel" in definition.parameters else 1
    measure = build(definition, needed(definition) | ({"rel": rel} if "rel" in definition.parameters else {}))
    before, after = data.draw(exchanges(rel))
    assert measure(after.hits())[0] > measure(before.hits())[0]


@pytest.mark.parametrize("name", [name for name, d in BUILT_IN.items() if d.swap == "weak"])
def test_a_measure_that_is_not_strict_has_an_exchange_that_leaves_it_as_it_is(name):
    measure = bare(BUILT_IN[name])
    pairs = [
        ([0, 0, 1], [0, 1, 0], [0]),
        ([1, 0, 1], [1, 1, 0], []),
        ([0, 0, 0, 0, 1], [0, 0, 0, 1, 0], [1]),
        ([1, 1, 0, 0, 1], [1, 1, 0, 1, 0], [1] * 17),
        ([0] * 12 + [1], [0] * 11 + [1, 0], []),
        ([0, 1], [1, 0], [2, 2]),
        ([2, 0, 1], [2, 1, 0], []),
    ]
    before = measure(world_of(*((found, missed) for found, _, missed in pairs)).hits())
    after = measure(world_of(*((exchanged, missed) for _, exchanged, missed in pairs)).hits())
    assert (before == after).any()


@given(worlds(), measures())
def test_a_residual_and_its_measure_never_exceed_one(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        if measure.definition.residual is None:
            continue
        residual = BUILT_IN[measure.definition.residual]
        shared = {name: value for name, value in measure.arguments.items() if name in residual.parameters}
        left = build(residual, shared)(hits)
        assert (left >= 0).all(), measure
        assert (measure(hits) + left <= 1 + 1e-12).all(), measure


def test_every_measure_has_a_twin_and_every_twin_a_measure():
    assert TWINS.keys() == BUILT_IN.keys()


@given(measures())
def test_what_a_measure_prints_is_read_back_as_the_same_measure(several):
    for measure in map(parse, several):
        for form in (measure, measure.as_condensed()):
            assert parse(str(form)) == form
            assert str(parse(str(form))) == str(form)


def test_measures_do_not_change_the_hits_they_are_given():
    hits = small_world(3).hits()
    frozen = replace(hits, **{name: getattr(hits, name).copy() for name in ("rank", "grade", "ranking", "base_grade")})
    for name in ("rank", "grade", "ranking", "base_grade"):
        getattr(frozen, name).setflags(write=False)
    for definition in BUILT_IN.values():
        bare(definition)(frozen)
    np.testing.assert_array_equal(frozen.rank, hits.rank)
