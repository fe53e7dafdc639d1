"""The C/W/L framework: any one function gives the other two, many lists at once, and what may go wrong."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align.hits import Hits
from cranfield.measures.grammar import parse
from cranfield.measures.users.cwl import UserModel
from cranfield.measures.users.dense import CELLS, blocks, share
from cranfield.measures.users.models import with_model
from tests.laws.worlds import World, worlds
from tests.measures.worked import value

NAMED = [
    *("AP", "RR", "P@4", "RBP(p=0.7)", "SDCG@6", "INST(T=2, pad=30)", "INSQ(pad=30)", "BPM(T=1)@5"),
    *("BPM(T=1, hb=1, hc=1)@5", "NERR8@6", "NERR9@6", "NERR10(pad=40)", "NERR11(pad=40)"),
    *("IFTGoal(pad=15)", "IFTRate(pad=15)", "IFT(pad=15)"),
]
GAINS = st.lists(st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0]), max_size=12)


def test_every_measure_with_a_user_model_is_among_those_tested():
    assert {parse(name).definition.name for name in NAMED} == set(with_model())


@pytest.mark.parametrize("name", NAMED)
@given(gains=GAINS)
def test_attention_and_last_ranks_add_up_to_one_and_the_total_is_the_score_of_all_items(name, gains):
    model = UserModel.of(name)
    going_on, attention, last = model.functions(gains)
    expected = model.expect(gains)
    if model.tail is None:
        assert attention.sum() == pytest.approx(1)
        assert last.sum() == pytest.approx(1)
    assert attention[0] == pytest.approx(1 / expected.items[0])
    assert expected.total_utility == pytest.approx(expected.utility * expected.items)
    padded = np.zeros(len(last))
    padded[: len(gains)] = gains[: len(last)]
    if model.tail is None:
        assert expected.total_utility[0] == pytest.approx(last @ np.cumsum(padded))
    assert ((going_on >= 0) & (going_on <= 1)).all()


@pytest.mark.parametrize("name", NAMED)
@given(gains=GAINS)
def test_any_one_of_the_three_functions_gives_the_other_two(name, gains):
    model = UserModel.of(name)
    if model.tail is not None:
        model = UserModel(model.C, pad=20)
    C, W, L = model.functions(gains)
    for again in (
        UserModel(lambda: C, cutoff=len(C)),
        UserModel(W=lambda: W, cutoff=len(C)),
        UserModel(L=lambda: L, cutoff=len(C)),
    ):
        for ours, theirs in zip(again.functions(gains), (C, W, L), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-9)
        assert again.expect(gains).utility == pytest.approx(model.expect(gains).utility)


@given(worlds())
def test_the_models_give_precision_reciprocal_rank_and_rank_biased_precision(world):
    hits = world.hits()
    for name in ("P@5", "P(rel=2)@3", "RR", "RR@4", "RBP(p=0.5)", "RBP(p=0.8, rel=2)", "RBP(p=0.95, max_rel=3)"):
        np.testing.assert_allclose(parse(f'EU(model="{name}")')(hits), parse(name)(hits), atol=1e-12, err_msg=name)


@given(worlds())
def test_the_model_of_average_precision_gives_it_where_every_relevant_document_is_found(world):
    hits = world.hits()
    complete = hits.relevant().count == hits.judged_at_least()
    ours, measure = parse("EU(model='AP')")(hits), parse("AP")(hits)
    np.testing.assert_allclose(ours[complete], np.nan_to_num(measure)[complete], atol=1e-12)
    assert (ours >= np.nan_to_num(measure) - 1e-12).all()


@given(worlds(), st.integers(1, 10))
def test_scaled_gain_is_discounted_gain_over_its_largest_value(world, cutoff):
    hits = world.hits()
    largest = (hits.top_grade or 1) * (1 / np.log2(np.arange(2, cutoff + 2))).sum()
    np.testing.assert_allclose(parse(f"SDCG@{cutoff}")(hits), parse(f"DCG@{cutoff}")(hits) / largest, atol=1e-12)


@given(worlds(), st.sampled_from([0.3, 0.8, 0.95]))
def test_the_residual_of_the_framework_is_that_of_rank_biased_precision(world, p):
    hits = world.hits()
    np.testing.assert_allclose(
        parse(f'CWLResidual(model="RBP(p={p})")')(hits), parse(f"RBPResidual(p={p})")(hits), atol=1e-12
    )


@given(worlds(), st.sampled_from(["P@4", "RBP", "SDCG@6", "INSQ(pad=30)", "INSQ(pad='infinite')"]))
def test_residuals_bound_the_score_of_users_who_do_not_look_at_gains(world: World, name: str):
    hits = world.hits()
    low, residual = parse(f'EU(model="{name}")')(hits), parse(f'CWLResidual(model="{name}")')(hits)
    assert (residual >= -1e-12).all()
    assert (low + residual <= 1 + 1e-12).all()


def test_residuals_of_users_who_look_at_gains_can_be_negative():
    assert value("CWLResidual(model='INST', of='ED')", [1, None, None]) < 0
    assert value("CWLResidual(model='BPM(T=1)@9', of='ETU')", [None, None], [1]) == 1
    assert value("CWLResidual(model='RR')", [0, 0, 0], [1]) == 1 / 4  # the document after the end of the list


@pytest.mark.parametrize("name", ["INST(T={})", "INSQ(T={})", "NERR10(p=0.9)", "NERR11(T={})"])
@pytest.mark.parametrize("T", [0.5, 1, 3])
@given(gains=GAINS, after=st.sampled_from([0.0, 1.0]))
def test_an_infinite_tail_is_what_a_long_one_approaches(name, T, gains, after):
    name = name.format(T)
    infinite = UserModel.of(name[:-1] + ", pad='infinite')")
    finite = UserModel.of(name[:-1] + ", pad=50000)")
    pairs = [(infinite.expect(gains), finite.expect(gains))]
    if after:
        pairs.append((infinite.residual(gains), finite.residual(gains)))
    for exact, near in pairs:
        assert exact.items == pytest.approx(near.items, abs=2 * T**2 * 1e-3)
        assert exact.utility == pytest.approx(near.utility, abs=1e-3)


def test_an_infinite_tail_of_inverse_squares_is_exact():
    # 4 sum (i + 1)^-2 = 4 (pi^2 / 6 - 1)
    assert value("ED(model=\"INSQ(T=1, pad='infinite')\")", [0]) == pytest.approx(4 * (np.pi**2 / 6 - 1), rel=1e-13)


def test_costs_are_counted_with_attention():
    model = UserModel(lambda i: 0.5, pad=3)
    expected = model.expect([1, 0, 1], costs=[4, 2, 8])
    assert expected.total_cost[0] == 4 + 1 + 2
    assert expected.cost[0] == pytest.approx(7 / 1.75)
    assert UserModel.of("RBP(p=0.5)").expect([1, 0], costs=[3, 3]).total_cost[0] == 3 + 1.5 + 0.25 * 2  # 1 each after
    assert value("ETC(model='RBP(p=0.5)', item=4)", [1, 0]) == 8
    stingy = UserModel(lambda total_cost: total_cost < 6, pad=3)
    assert stingy.expect([1, 0, 1], costs=[4, 2, 8]).items[0] == 2


def test_the_cost_limit_of_bpm_is_reached_when_it_is_paid():
    assert UserModel.of("BPM(T=9)@4").expect([0] * 5, costs=[2, 2, 1, 1, 1]).items[0] == 2
    assert UserModel.of("BPM(T=9)@4").expect([0] * 9, costs=[0.5] * 9).items[0] == 8
    assert value("ED(model='BPM(T=9, hc=1)@4')", [0] * 9, [1]) == 3  # K is 4, 3.5, 3
    assert value("BPM(T=9, hc=1)@2", [1, 1, 1]) == 1  # K is 2, 2.5, 3: the third document is read
    assert value("ETC(model='BPM(T=9)@4', item=2)", [0] * 9, [1]) == 8  # reads four whatever they cost


def test_a_list_longer_than_its_padding_is_read_to_its_end():
    assert value("ED(model='IFTGoal(T=99, pad=3)')", [0] * 7) == pytest.approx(7)
    assert value("ED(model='SDCG@2')", [1] * 7) == value("ED(model='SDCG@2')", [1])


def test_an_empty_list_is_read_as_one_document_without_gain():
    for name in ("AP", "RR", "P@1"):
        assert (value(f"ED(model='{name}')", []), value(f"EU(model='{name}')", [])) == (1, 0)


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({}, "given by one of C, W and L"),
        ({"C": lambda: 1, "W": lambda i: 1 / i}, "given by one of C, W and L"),
        ({"W": lambda i: 1 / i, "tail": lambda: 1}, "tail of a user model continues C"),
        ({"C": lambda rank: 1}, "asks for 'rank'"),
    ],
)
def test_a_model_is_given_by_one_function_of_what_is_known(laws, message):
    with pytest.raises(cf.MeasureError, match=message):
        UserModel(laws.get("C"), W=laws.get("W"), tail=laws.get("tail"))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (UserModel(lambda i: 1.5), r"C\(1\) of a user model is 1.5; it must lie between 0 and 1"),
        (UserModel(lambda i: np.where(i == 3, np.nan, 0.5)), r"C\(3\) of a user model is nan"),
        (UserModel(L=lambda i: 1.0 - i), r"L\(2\) of a user model is -1; it must not be negative"),
        (UserModel(W=lambda i: i), "attention W must be above 0 at rank 1 and never grow"),
        (UserModel(W=lambda i: 0), "attention W must be above 0"),
        (UserModel(lambda gain: 1 if gain < 1 else 0), "truth value"),
    ],
)
def test_a_function_that_is_no_probability_is_an_error(model, message):
    with pytest.raises(cf.MeasureError, match=message):
        model.expect([1, 0, 1, 0])


def test_gains_and_costs_must_belong_together():
    with pytest.raises(cf.MeasureError, match="3 gains and 1 costs"):
        UserModel(lambda: 0.5).expect([1, 0, 1], costs=[1])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("EU(model='nDCG@10')", "nDCG is not the score of a user model"),
        ("EU(model='NoSuch')", "unknown measure 'NoSuch'"),
        ("EU(model=3)", "model must name a measure that is the score of a user model"),
        ('EU(model="INST\'")', "model must name a measure"),
        ("EU(model='RBP@10')", "leaves out gains"),
        ("INST(T=0.1)", "T must be a number from 0.5"),
        ("INSQ(pad=0)", "pad must be a rank from 1"),
        ("SDCG@99999999", "the cut-off must be a whole number from 1 to 1,000,000"),
        ("TBG(normalize=True)", "normalize has no effect without length"),
    ],
)
def test_what_cannot_be_a_model_says_so(name, message):
    with pytest.raises(cf.MeasureError, match=message):
        parse(name)


def test_a_model_of_ones_own_is_a_measure_like_any_other():
    @cf.user_model("Tired", params={"q": 0.5}, gives="W", cutoff=True)
    def tired(i, q):
        """Attention falls with a power of the rank."""
        return i**-q

    try:
        assert value("Tired(q=1)@2", [2, 1]) == pytest.approx((1 + 0.5 / 2) / 1.5)
        assert value("Tired(q=1, rel=1)@2", [2, 1]) == pytest.approx(1)
        assert value("ED(model='Tired(q=1)@2')", [2, 1]) == pytest.approx(1.5)
        assert str(parse("tired(q=0.25)@3")) == "Tired(q=0.25)@3"
        assert cf.describe("Tired").title == "Attention falls with a power of the rank."
        with pytest.raises(cf.MeasureError, match="needs a cut-off"):
            parse("Tired")
    finally:
        cf.forget("Tired")
    with pytest.raises(cf.MeasureError):
        parse("Tired@3")


def test_names_of_a_model_of_ones_own_must_be_free():
    with pytest.raises(cf.MeasureError, match="'RBP' is taken"):
        cf.user_model("RBP")(lambda i: 0.5)
    with pytest.raises(cf.MeasureError, match="'gain' has a meaning"):
        cf.user_model("Mine", params={"gain": 1})
    with pytest.raises(cf.MeasureError, match="asks for 'patience'"):
        cf.user_model("Mine")(lambda i, patience: 0.5)


def many(rankings: int, length: int) -> Hits:
    """Rankings of which only the first document was judged."""
    every = np.arange(rankings)
    ones = np.ones(rankings, dtype=np.int64)
    return Hits(ones, ones, every, every, ones * length, every, ones, rankings, 1.0)


def test_thousands_of_rankings_are_read_in_blocks_of_bounded_size():
    hits = many(3000, 1000)
    depth = np.full(3000, 2000)
    sizes = [(block.stop - block.start) * block.width for block in blocks(hits, depth)]
    assert max(sizes) <= CELLS
    assert sum(sizes) == 3000 * 2000
    tracemalloc.start()
    values = parse("INST")(hits)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_allclose(values, values[0])
    assert peak < 100e6  # one table of numbers alone would need 48 MB


def test_one_long_list_among_short_ones_is_a_block_of_its_own():
    depth = np.array([10, 10, CELLS, 10])
    assert [(b.start, b.stop, b.width) for b in blocks(many(4, 10), depth)] == [(0, 2, 10), (2, 3, CELLS), (3, 4, 10)]


def test_gains_are_shares_of_the_highest_gain_of_the_collection():
    hits = Hits.of([[(1, 3)], [(1, 1)]], levels=[[0, 0, 0, 1], [0, 1]], retrieved=[1, 1])
    assert share(hits).tolist() == [1, 1 / 3]
    assert share(hits, gains={1: 1, 3: 10}).tolist() == [1, 0.1]
    assert share(hits, gains={1: -5}).tolist() == [1, 0]
    assert value("RBP(p=0.5, gains={1: 1, 2: 10}, max_rel=20)", [2, 1]) == 0.5 * (0.5 + 0.5 * 0.05)
