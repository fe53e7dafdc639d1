"""Measures of diversity on lists small enough to be done by hand, and what they have in common with other measures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align.hits import Hits
from cranfield.measures.families.diversity.facets import Facets
from cranfield.measures.families.diversity.greedy import greedy_ideal
from cranfield.measures.grammar import parse
from tests.laws.covering import Covering, facets_of
from tests.laws.worlds import BUILT_IN, World, world_of, worlds
from tests.measures.worked import SIX

# d1 … d5 are retrieved, d6 and d7 are not; the subtopics each covers
RUN = [(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)]
MISSED = [(0, 1, 0), (0, 1, 1)]
COVERED = Hits.covering(RUN, MISSED)
# grades by intent, with probabilities
GRADED_RUN = [(3, 0, 0), (1, 2, 0), (0, 0, 0), (0, 0, 3), (1, 0, 0)]
GRADED_MISSED = [(0, 3, 0), (0, 1, 2)]
GRADED = Hits.covering(GRADED_RUN, GRADED_MISSED, probabilities=(0.5, 0.3, 0.2))

WORKED = {
    "alpha_DCG": (1.946395, 2.473784),
    "alpha_DCG(normalisation='ideal_ideal')": (0.450409, 0.54304),
    "alpha_nDCG": (0.608934, 0.705094),
    "ERR_IA(form='binary')": (0.583333, 0.683333),
    "ERR_IA": (0.4375, 0.496218),
    "ERR_IA(form='web')": (0.4375, 0.496218),
    "nERR_IA": (0.6, 0.663073),
    "P_IA": (0.333333, 0.333333),
    "StRecall": (0.666667, 1),
}


def value(name: str, hits: Hits = COVERED) -> float:
    return float(parse(name)(hits)[0])


@pytest.mark.parametrize("name", WORKED)
@pytest.mark.parametrize(("place", "k"), [(0, 3), (1, 5)])
def test_the_worked_table(name, place, k):
    assert value(f"{name}@{k}") == pytest.approx(WORKED[name][place], abs=SIX)


def test_measures_without_a_cutoff():
    assert value("NRBP") == pytest.approx(0.472656, abs=SIX)
    assert value("nNRBP") == pytest.approx(0.638522, abs=SIX)
    assert value("AP_IA") == pytest.approx(0.386111, abs=SIX)


def test_parameters_that_are_not_one_half():
    gains = [1, 0.8 + 1, 0, 1, 0.8**2]  # each of these documents satisfies a fifth of the interest
    expected = (1 - 0.8 * 0.9) / 3 * sum(0.9**j * gain for j, gain in enumerate(gains))
    assert value("NRBP(alpha=0.2, beta=0.9)") == pytest.approx(expected, rel=1e-12)
    assert value("DSharp(gamma=0.25)@3", GRADED) == pytest.approx(0.25 * 0.666667 + 0.75 * 0.829805, abs=2 * SIX)
    assert value("StRecall(rel=0)@1", Hits.covering([(0, 0), (1, 1)])) == 1


def test_average_precision_of_each_subtopic():
    facets = Facets.of(COVERED, 1)
    np.testing.assert_allclose(parse("AP")(facets.hits), [0.866667, 0.166667, 0.125], atol=SIX)


def test_the_greedy_ideal_takes_the_most_novel_document_and_of_equal_ones_the_highest_id():
    ideal = greedy_ideal(COVERED)
    assert [f"d{number + 1}" for number in ideal.document] == ["d7", "d2", "d5", "d4", "d6", "d1"]
    gains = [2, 1.5, 0.5, 0.5, 0.25, 0.25]
    assert value("alpha_DCG", ideal) == pytest.approx(sum(g / math.log2(j + 2) for j, g in enumerate(gains)))
    for k, gain in enumerate(gains, start=1):
        before = value(f"ERR_IA(form='binary')@{k - 1}", ideal) if k > 1 else 0
        assert (value(f"ERR_IA(form='binary')@{k}", ideal) - before) * 3 * k == pytest.approx(gain)


@pytest.mark.parametrize(("name", "at_three", "at_five"), [
    ("DnDCG", 0.829805, 0.832656),
    ("Irec", 0.666667, 1),
    ("DSharp", 0.748236, 0.916328),
])  # fmt: skip
def test_measures_of_global_gain(name, at_three, at_five):
    assert value(f"{name}@3", GRADED) == pytest.approx(at_three, abs=SIX)
    assert value(f"{name}@5", GRADED) == pytest.approx(at_five, abs=SIX)


def test_graded_reciprocal_rank_by_intent():
    each = parse("ERR@5")(Facets.of(GRADED).hits)
    np.testing.assert_allclose(each, [0.885547, 0.187500, 0.218750], atol=SIX)
    assert value("ERR_IA(form='graded')@5", GRADED) == pytest.approx(0.542773, abs=SIX)
    assert value("ERR_IA(form='graded', max_rel=3)@5", GRADED) == pytest.approx(0.542773, abs=SIX)


def test_the_first_rank_is_normalised_like_all_others():
    """A widely used program leaves alpha-DCG@1 and ERR-IA@1 undivided: 1 instead of 1/3."""
    for name in ("alpha_DCG(normalisation='ideal_ideal')@1", "ERR_IA@1"):
        assert value(name) == pytest.approx(1 / 3)


def test_instance_recall_of_a_selected_set_is_subtopic_recall():
    selected = Hits.covering([RUN[1], RUN[3]], [RUN[0], RUN[4], *MISSED])
    assert value("StRecall@2", selected) == 1


@pytest.mark.parametrize("spelling", ["D♯@5", "D#@5", "D#-nDCG@5", "D♯-nDCG@5", "d#-ndcg@5", "DSharp@5"])
def test_d_sharp_has_several_spellings(spelling):
    assert str(parse(spelling)) == "DSharp@5"


def test_gains_replace_grades_in_measures_of_global_gain():
    gains = {1: 1, 2: 10, 3: 100}
    run = [tuple(gains.get(g, 0) for g in row) for row in GRADED_RUN]
    missed = [(0, 100, 0), (0, 1, 10)]
    same = Hits.covering(run, missed, probabilities=(0.5, 0.3, 0.2))
    assert value(f"DnDCG(gains={gains})@3", GRADED) == pytest.approx(value("DnDCG@3", same), abs=1e-12)


# --- intent probabilities ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, d in BUILT_IN.items() if d.needs_subtopics])
def test_equal_probabilities_are_the_same_as_none(name):
    measure = name if "cutoff" not in BUILT_IN[name].parameters else f"{name}@4"
    equal = Hits.covering(RUN, MISSED, probabilities=(1 / 3, 1 / 3, 1 / 3))
    assert value(measure, equal) == pytest.approx(value(measure), rel=1e-12)


@pytest.mark.parametrize("name", ["AP_IA", "P_IA@4", "ERR_IA(form='graded')@4", "DnDCG@4", "alpha_nDCG@4", "NRBP"])
def test_probabilities_are_divided_by_their_sum_over_the_subtopics_that_have_relevant_documents(name):
    chances = (0.3, 0.3, 0.4)
    run = [(1, 0, 0), (0, 1, 0), (1, 1, 0)]
    left_out = Hits.covering(run, probabilities=chances)
    two = Hits.covering([row[:2] for row in run], probabilities=(0.5, 0.5))
    assert value(name, left_out) == pytest.approx(value(name, two), rel=1e-12)


def test_a_likely_intent_weighs_more():
    first = Hits.covering([(1, 0), (0, 0)], [(0, 1)], probabilities=(0.9, 0.1))
    second = Hits.covering([(0, 1), (0, 0)], [(1, 0)], probabilities=(0.9, 0.1))
    means = ("AP_IA", "P_IA@2", "ERR_IA@2", "ERR_IA(form='graded')@2", "DnDCG@2")
    for name in (*means, "alpha_nDCG@2", "nERR_IA@2", "NRBP"):
        assert value(name, first) > value(name, second), name
    assert value("StRecall@2", first) == value("StRecall@2", second) == 0.5


# --- edges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, d in BUILT_IN.items() if d.needs_subtopics])
def test_a_topic_without_relevant_documents_is_undefined(name):
    measure = name if "cutoff" not in BUILT_IN[name].parameters else f"{name}@4"
    assert math.isnan(value(measure, Hits.covering([(0, 0), (0, -1)])))


@pytest.mark.parametrize("name", [name for name, d in BUILT_IN.items() if d.needs_subtopics])
def test_a_subtopic_without_relevant_documents_is_left_out(name):
    measure = name if "cutoff" not in BUILT_IN[name].parameters else f"{name}@4"
    wider = Hits.covering([(*row, 0) for row in RUN], [(*row, -1) for row in MISSED])
    assert value(measure, wider) == pytest.approx(value(measure), rel=1e-12)


def test_an_unjudged_document_covers_nothing_and_is_left_out_of_a_condensed_list():
    holes = Hits.covering([None, RUN[0], None, *RUN[1:]], MISSED)
    assert value("alpha_nDCG'@5", holes) == value("alpha_nDCG@5")
    assert value("alpha_nDCG@5", holes) < value("alpha_nDCG@5")
    assert value("StRecall@1", holes) == 0


def test_a_ranking_that_beats_the_greedy_ideal_is_above_one_and_a_warning_says_so():
    rows = {"a": "123", "b": "456", "c": "2345"}  # greedy takes c and gains one more with b; a and b cover all six
    qrels = cf.Qrels.of(
        ["1"] * 10,
        [d for d, subtopics in rows.items() for _ in subtopics],
        [1] * 10,
        [s for subtopics in rows.values() for s in subtopics],
    )
    with pytest.warns(cf.DataWarning) as caught:
        scores = cf.evaluate(qrels, {"1": ["a", "b", "c"]}, ["alpha_nDCG(alpha=1)@2", "StRecall@2", "alpha_DCG@2"])
    assert [str(w.message) for w in caught] == [
        "W111: alpha_nDCG(alpha=1.0)@2 is above 1 for 1 ranking: better than the greedy ideal list"
    ]
    assert scores.values[0, 0, 0] == pytest.approx((3 + 3 / math.log2(3)) / (4 + 1 / math.log2(3)))


# --- laws of the family ------------------------------------------------------------------------------------------


@given(worlds(), st.integers(1, 12), st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), st.integers(1, 2))
def test_the_greedy_ideal_has_the_value_one_at_every_rank(world, k, alpha, rel):
    ideal = greedy_ideal(world.hits(), alpha, rel)
    for name in (f"alpha_nDCG(alpha={alpha}, rel={rel})@{k}", f"nERR_IA(alpha={alpha}, rel={rel})@{k}"):
        values = parse(name)(ideal)
        np.testing.assert_allclose(values[~np.isnan(values)], 1, rtol=1e-12)


@given(worlds(), st.integers(1, 12))
def test_without_a_penalty_alpha_ndcg_is_ndcg_of_the_number_of_subtopics(world, k):
    plain = without_chances(world)
    counts = World(
        tuple(tuple(d if d is None or d < 0 else covered(d) for d in topic) for topic in plain.topics), plain.rankings
    )
    np.testing.assert_allclose(
        parse(f"alpha_nDCG(alpha=0)@{k}")(plain.hits()), parse(f"nDCG@{k}")(counts.hits()), rtol=1e-12
    )


def without_chances(world: World) -> World:
    def plain(d):
        return Covering(d.facets, d.place) if isinstance(d, Covering) else d

    return World(tuple(tuple(map(plain, topic)) for topic in world.topics), world.rankings)


def covered(document: int) -> int:
    return sum(grade >= 1 for grade in facets_of(document))


@given(st.lists(st.sampled_from([0, 0, 1, 2, None]), max_size=8), st.lists(st.sampled_from([0, 1, 2]), max_size=4))
def test_with_one_subtopic_the_intent_aware_measures_are_the_plain_ones(found, missed):
    hits = world_of((found, missed)).hits()
    pairs = {"P_IA@4": "P@4", "AP_IA": "AP", "StRecall@4": "Success@4", "ERR_IA(form='graded')@4": "ERR@4"}
    pairs |= {"DnDCG@4": "nDCG@4", "AP_IA(rel=2)": "AP(rel=2)"}
    for ours, plain in pairs.items():
        if not math.isnan(value(ours, hits)):
            assert value(ours, hits) == pytest.approx(value(plain, hits), rel=1e-12), ours


@given(worlds(), st.integers(1, 12), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_d_sharp_lies_between_its_parts(world, k, gamma):
    hits = world.hits()
    both, first, second = (parse(name)(hits) for name in (f"DSharp(gamma={gamma})@{k}", f"Irec@{k}", f"DnDCG@{k}"))
    defined = ~np.isnan(both)
    assert (both[defined] >= np.minimum(first, second)[defined] - 1e-12).all()
    assert (both[defined] <= np.maximum(first, second)[defined] + 1e-12).all()


@given(worlds(), st.integers(1, 12))
def test_values_of_the_web_form_and_of_the_graded_form_are_at_most_one(world, k):
    for form in ("web", "graded"):
        values = parse(f"ERR_IA(form='{form}')@{k}")(world.hits())
        assert (values[~np.isnan(values)] <= 1 + 1e-12).all()


@given(worlds((0, 1, 1, None)), st.integers(1, 12))
def test_the_graded_form_is_half_of_the_binary_one_if_no_grade_exceeds_one(world, k):
    binary, graded = parse(f"ERR_IA(form='binary')@{k}"), parse(f"ERR_IA(form='graded', max_rel=1)@{k}")
    np.testing.assert_allclose(graded(world.hits()), binary(world.hits()) / 2, rtol=1e-12)


def test_means_of_any_measure_over_the_facets_are_its_intent_aware_form():
    facets = Facets.of(GRADED)
    mean = facets.mean(parse("nDCG@5")(facets.hits))
    columns = [([row[i : i + 1] for row in GRADED_RUN], [row[i : i + 1] for row in GRADED_MISSED]) for i in range(3)]
    single = [
        value("nDCG@5", world_of(([g for (g,) in run], [g for (g,) in missed])).hits()) for run, missed in columns
    ]
    assert mean[0] == pytest.approx(sum(p * v for p, v in zip((0.5, 0.3, 0.2), single, strict=True)))
