"""The weight of precision in F, and the discount by rank of Järvelin and Kekäläinen."""

import pytest

import cranfield as cf
from cranfield.errors import MeasureError

QRELS = {"q": {"a": 3, "b": 2, "c": 3, "d": 0, "x": 0}}
RUN = {"q": ["a", "b", "x", "c"]}


@pytest.mark.parametrize(
    ("written", "canonical"), [("F(alpha=0.2)@4", "F(beta=2.0)@4"), ("SetF(alpha=0.5)", "SetF(beta=1)")]
)
def test_alpha_is_the_weight_of_precision(written, canonical):
    assert str(cf.parse(written)) == str(cf.parse(canonical))


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.9])
def test_f_of_alpha_is_the_weighted_harmonic_mean(alpha):
    value = cf.evaluate(QRELS, RUN, f"F(alpha={alpha})@4").means[0, 0]
    precision, recall = 3 / 4, 3 / 3
    assert value == pytest.approx(1 / (alpha / precision + (1 - alpha) / recall))


@pytest.mark.parametrize("name", ["F(alpha=0.3)@5", "SetF(alpha=0.7)", "F(alpha=0.15, rel=2)@5", "F(beta=0.7071)@5"])
def test_an_alpha_is_printed_as_it_was_written(name):
    written = str(cf.parse(name))
    assert len(written) <= len("F(alpha=0.15, rel=2)@5")
    assert ("alpha" in written) == ("alpha" in name)
    assert cf.parse(written) == cf.parse(name)
    assert cf.parse(written).values == cf.parse(name).values


@pytest.mark.parametrize("inside", ["alpha=0", "alpha=1", "alpha=True", "alpha='x'", "alpha=0.5, beta=1"])
def test_an_alpha_that_says_nothing_is_refused(inside):
    with pytest.raises(MeasureError, match=r"F\(alpha="):
        cf.parse(f"F({inside})@5")


def test_the_alpha_of_novelty_stays_its_own():
    assert str(cf.parse("NRBP(alpha=0.2)")) == "NRBP(alpha=0.2)"


def test_the_discount_may_be_the_rank_itself():
    scores = cf.evaluate(QRELS, RUN, ["DCG(dcg='rank')", "nDCG(dcg='rank')@4"])
    assert scores.means[0] == pytest.approx([3 + 2 / 2 + 3 / 4, (3 + 2 / 2 + 3 / 4) / (3 + 3 / 2 + 2 / 3)])
