"""Laws that relate particular measures to each other, and counterexamples kept so that nobody claims more."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.measures.grammar import parse
from tests.laws.worlds import BUILT_IN, POOLED, World, settings_of, world_of, worlds
from tests.measures.worked import value

JUDGED = (0, 0, 1, 2, 3, 4)


@st.composite
def insertions(draw: st.DrawFn) -> tuple[World, World]:
    """A list, and the same with an unjudged document put in somewhere."""
    states = st.sampled_from((0, 0, 1, 2, 3, 4, None))
    found, missed = draw(st.lists(states, max_size=12)), draw(st.lists(states, max_size=5))
    place = draw(st.integers(0, len(found)))
    return world_of((found, missed)), world_of(([*found[:place], None, *found[place:]], missed))


@pytest.mark.parametrize("name", ["AP", "RBP", "nDCG"])
@given(data=st.data())
def test_an_inserted_unjudged_document_never_raises_a_plain_measure(name, data):
    measure = parse(data.draw(settings_of(BUILT_IN[name])))
    before, after = data.draw(insertions())
    low, high = measure(after.hits())[0], measure(before.hits())[0]
    assert np.isnan(high) or low <= high + 1e-12


@given(insertions(), st.sampled_from([n for n, d in BUILT_IN.items() if d.ignores_unjudged]), st.data())
def test_an_inserted_unjudged_document_leaves_measures_of_judged_documents_as_they_are(pair, name, data):
    measure = parse(data.draw(settings_of(BUILT_IN[name])))
    np.testing.assert_array_equal(measure(pair[0].hits()), measure(pair[1].hits()))


@pytest.mark.parametrize("name", ["AP", "RBP", "nDCG"])
@given(world=worlds(), data=st.data())
def test_the_condensed_value_is_at_least_the_plain_one(name, world, data):
    measure = parse(data.draw(settings_of(BUILT_IN[name])))
    plain, condensed = measure(world.hits()), measure.as_condensed()(world.hits())
    assert (np.isnan(plain) | (condensed >= plain - 1e-12)).all()


@given(worlds(), st.sampled_from([0.2, 0.5, 0.8, 0.95]))
def test_rbp_is_at_most_the_weight_of_the_ranks_of_the_list(world, p):
    hits = world.hits()
    assert (parse(f"RBP(p={p})")(hits) <= 1 - p**hits.retrieved + 1e-12).all()


@given(worlds(), st.integers(0, 4), st.sampled_from([0.3, 0.8, 0.95]), st.sampled_from(["", "@5"]), st.data())
def test_judging_one_more_document_moves_weight_from_the_residual_to_rbp_or_drops_it(world, grade, p, at, data):
    holes = [
        (n, rank, place)
        for n, (topic, places) in enumerate(world.rankings)
        for rank, place in enumerate(places, start=1)
        if world.topics[topic][place] in (None, POOLED) and (not at or rank <= 5)
    ]
    assume(holes)
    number, rank, place = data.draw(st.sampled_from(holes))
    topic = world.rankings[number][0]
    documents = list(world.topics[topic])
    documents[place] = grade
    judged = World((*world.topics[:topic], tuple(documents), *world.topics[topic + 1 :]), world.rankings)
    base, residual = parse(f"RBP(p={p}, max_rel=4){at}"), parse(f"RBPResidual(p={p}){at}")
    weight = (1 - p) * p ** (rank - 1)
    before, after = world.only(number).hits(), judged.only(number).hits()
    assert residual(before)[0] - residual(after)[0] == pytest.approx(weight, abs=1e-12)
    assert base(after)[0] - base(before)[0] == pytest.approx(weight * grade / 4, abs=1e-12)


@given(worlds())
def test_bpref_is_rank_effectiveness_when_as_many_are_nonrelevant_as_relevant(world):
    hits = world.hits()
    even = hits.judged_below() == hits.judged_at_least()
    np.testing.assert_allclose(parse("Bpref")(hits)[even], parse("RankEff")(hits)[even], rtol=1e-12)


@given(worlds())
def test_bpref_10_of_trec_eval_is_rank_effectiveness_with_few_nonrelevant_documents(world):
    hits = world.hits()
    few = (hits.judged_below() <= 10 + hits.judged_at_least()) & (hits.judged_below() > 0)
    te, rank_effectiveness = parse("Bpref10(variant='te')")(hits), parse("RankEff")(hits)
    np.testing.assert_allclose(te[few], rank_effectiveness[few], rtol=1e-12)


@given(worlds((0, 0, 1, 2, None)))
def test_inferred_average_precision_is_average_precision_without_sampled_documents(world):
    hits = world.hits()
    np.testing.assert_allclose(parse("infAP")(hits), parse("AP")(hits), atol=1e-4)


@given(worlds(), st.integers(2, 9), st.sampled_from(["log2", "jk"]))
def test_scaling_all_gains_leaves_ndcg_as_it_is(world, factor, form):
    gains = {grade: grade * factor for grade in range(1, 5)}
    scaled = parse(f"nDCG(dcg='{form}', gains={gains})")
    np.testing.assert_allclose(scaled(world.hits()), parse(f"nDCG(dcg='{form}')")(world.hits()), rtol=1e-12)


@given(worlds())
def test_a_large_base_turns_the_discounted_gain_into_the_plain_sum(world):
    sums = [sum(d for d in world.documents(n) if d is not None and d > 0) for n in range(len(world.rankings))]
    np.testing.assert_allclose(parse("DCG(dcg='jk', b=100)")(world.hits()), sums)


@given(worlds(), st.integers(1, 12), st.sampled_from(["log2", "exp-log2", "jk"]))
def test_the_ideal_list_has_ndcg_one_at_every_rank(world, cutoff, form):
    values = parse(f"nDCG(dcg='{form}')@{cutoff}")(world.hits().ideal())
    np.testing.assert_allclose(values[~np.isnan(values)], 1, rtol=1e-12)


@given(worlds(), st.integers(1, 12))
def test_the_ideal_list_has_ap_one_at_every_rank_if_divided_by_what_can_be_found(world, cutoff):
    values = parse(f"AP(denominator='min')@{cutoff}")(world.hits().ideal())
    np.testing.assert_allclose(values[~np.isnan(values)], 1, rtol=1e-12)


@given(
    st.lists(st.sampled_from(JUDGED), min_size=2, max_size=10), st.lists(st.sampled_from(JUDGED), max_size=4), st.data()
)
def test_exchanging_neighbours_in_favour_of_the_better_one_never_lowers_ndcg(found, missed, data):
    place = data.draw(st.integers(0, len(found) - 2))
    assume(found[place] < found[place + 1])
    better = [*found[:place], found[place + 1], found[place], *found[place + 2 :]]
    for form in ("log2", "exp-log2", "jk"):
        assert value(f"nDCG(dcg='{form}')", better, missed) >= value(f"nDCG(dcg='{form}')", found, missed) - 1e-12


@given(worlds())
def test_the_precision_at_r_has_three_names(world):
    hits = world.hits()
    for number in range(len(hits)):
        alone, relevant = world.only(number).hits(), hits.judged_at_least()[number]
        if relevant:
            expected = parse("Rprec")(alone)[0]
            assert parse(f"P@{relevant}")(alone)[0] == expected
            assert parse(f"R@{relevant}")(alone)[0] == expected


def test_bpref_is_not_strict():
    assert value("Bpref", [0, 0, 1], [0]) == value("Bpref", [0, 1, 0], [0]) == 0


def test_bpref_10_is_not_strict_with_few_nonrelevant_documents_of_many():
    ranking = [0] * 12 + [1]
    better = [0] * 11 + [1, 0]
    assert value("Bpref10", ranking, []) == value("Bpref10", better, []) == 0


def test_ndcg_of_jarvelin_and_kekalainen_does_not_tell_ranks_one_and_two_apart():
    assert value("nDCG(dcg='jk')", [0, 1]) == value("nDCG(dcg='jk')", [1, 0]) == 1


def test_bpref_10_and_rank_effectiveness_need_not_order_two_lists_alike():
    late = [1] + [0] * 12 + [1] + [0] * 16
    last = [1] + [0] * 28 + [1]
    assert value("Bpref10", late) == value("Bpref10", last) == 0.5
    assert value("BprefN", late) > value("BprefN", last)


def test_inferred_average_precision_can_fall_when_a_relevant_document_moves_up_past_sampled_ones():
    above = [None] * 10 + [1, 0] + [POOLED] * 20 + [1]
    exchanged = [None] * 10 + [1, 1] + [POOLED] * 20 + [0]
    assert value("infAP", exchanged) < value("infAP", above)


def test_bpref_relative_gives_nothing_for_a_relevant_document_on_top():
    assert value("BprefRelative", [1, 0]) == 0
