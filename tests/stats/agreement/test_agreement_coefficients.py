"""Coefficients of agreement: the printed figures, other programs, and laws (SPEC 17, axiom 19)."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cranfield.errors import PolicyError
from cranfield.stats.agreement.alpha import LEVELS, alpha, coincidences, fleiss, fleiss_parts, known_level
from cranfield.stats.agreement.coefficients import PAIRWISE, cohen_errors
from cranfield.stats.agreement.result import word
from cranfield.stats.agreement.tables import Tables
from tests.stats.agreement.agreement_twins import alpha as plain_alpha
from tests.stats.agreement.agreement_twins import fleiss as plain_fleiss
from tests.stats.agreement.agreement_twins import kappa as plain_kappa

LECTURE = np.array([[300, 20], [10, 70]])
THREE = np.array([[20, 5, 1], [4, 15, 6], [1, 3, 25]])
FLEISS = """0 0 0 0 14; 0 2 6 4 2; 0 0 3 5 6; 0 3 9 2 0; 2 2 8 1 1; 7 7 0 0 0; 3 2 6 3 0; 2 5 3 2 2; 6 5 2 1 0;
0 2 2 3 7"""
UNITS = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]
MOCK = np.array([[61, 7, 1], [6, 18, 4], [0, 5, 18]])

tables = st.integers(2, 5).flatmap(lambda q: arrays(np.int64, (q, q), elements=st.integers(0, 9)))


def one(id, table, **scale):
    return float(PAIRWISE[id](Tables.of(table, **scale)))


def of_units(units, level, grades=None):
    values = sorted({v for unit in units for v in unit}) if grades is None else grades
    counts = np.array([[unit.count(v) for v in values] for unit in units])
    table = coincidences(counts, np.zeros(len(units), dtype=int), 1)
    return float(alpha(table, np.array(values, dtype=float), level)[0])


def labels_of(table):
    return [(i, j) for (i, j), n in np.ndenumerate(table) for _ in range(n)]


@pytest.mark.parametrize(
    ("id", "expected"),
    [("raw", 0.925), ("scott", 0.775910), ("cohen", 0.776119), ("ac1", 0.887271), ("s", 0.85)],
)
def test_the_lecture_table_has_its_printed_coefficients(id, expected):
    assert one(id, LECTURE) == pytest.approx(expected, abs=5e-7)


def test_scott_and_cohen_of_the_lecture_differ_in_the_fourth_decimal():
    assert f"{one('scott', LECTURE):.4f}" == "0.7759"
    assert f"{one('cohen', LECTURE):.4f}" == "0.7761"


def test_the_lecture_table_has_its_overlap_and_its_specific_agreements():
    assert one("overlap", LECTURE, grades=[1, 0]) == pytest.approx(300 / 330)
    assert one("positive", LECTURE, grades=[1, 0]) == pytest.approx(600 / 630)
    assert one("negative", LECTURE, grades=[1, 0]) == pytest.approx(140 / 170)


def test_the_lecture_table_has_its_standard_errors():
    assert cohen_errors(LECTURE) == pytest.approx((0.049861, 0.038888), abs=5e-7)


def test_standard_errors_are_those_of_statsmodels():
    from statsmodels.stats import inter_rater

    found = inter_rater.cohens_kappa(THREE)
    assert cohen_errors(THREE) == pytest.approx((found.std_kappa0, found.std_kappa))
    assert one("cohen", THREE) == pytest.approx(found.kappa)


def test_standard_errors_of_nothing_are_undefined():
    assert np.isnan(cohen_errors(np.zeros((2, 2)))).all()
    assert np.isnan(cohen_errors(np.array([[5, 0], [0, 0]]))).all()


@pytest.mark.parametrize(
    ("id", "expected"),
    [("cohen", 0.623263), ("linear", 0.696761), ("quadratic", 0.766764), ("ac1", 0.626015), ("scott", 0.622953)],
)
def test_the_table_of_three_grades_has_its_printed_coefficients(id, expected):
    assert one(id, THREE) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(("id", "wt"), [("linear", "linear"), ("quadratic", "quadratic")])
def test_weighted_kappa_is_that_of_statsmodels(id, wt):
    from statsmodels.stats import inter_rater

    assert one(id, MOCK) == pytest.approx(inter_rater.cohens_kappa(MOCK, wt=wt).kappa)


def test_weights_go_by_the_grades_and_not_by_their_places():
    full = np.zeros((4, 4), dtype=int)
    full[np.ix_([0, 1, 3], [0, 1, 3])] = THREE
    for id in ("linear", "quadratic"):
        assert one(id, THREE, grades=[0, 1, 3]) == pytest.approx(one(id, full))


def test_fleiss_has_its_printed_figures():
    counts = np.array([row.split() for row in FLEISS.split(";")], dtype=int)
    parts = fleiss_parts(counts, np.zeros(10, dtype=int), 1)
    shares = parts[0, 2:] / parts[0, 2:].sum()
    assert parts[0, 1] / parts[0, 0] == pytest.approx(0.378022, abs=5e-7)
    assert (shares**2).sum() == pytest.approx(0.212755, abs=5e-7)
    assert fleiss(parts)[0] == pytest.approx(0.209931, abs=5e-7)


def test_fleiss_is_that_of_statsmodels():
    from statsmodels.stats import inter_rater

    counts = np.array([row.split() for row in FLEISS.split(";")], dtype=int)
    assert fleiss(fleiss_parts(counts, np.zeros(10, dtype=int), 1))[0] == pytest.approx(
        inter_rater.fleiss_kappa(counts)
    )


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)]
)
def test_alpha_has_its_printed_figures_with_missing_labels(level, expected):
    raters = [line.split() for line in UNITS]
    units = [[int(v) for v in unit if v != "."] for unit in zip(*raters, strict=True)]
    assert of_units(units, level) == pytest.approx(expected, abs=5e-7)
    assert plain_alpha(units, level) == pytest.approx(expected, abs=5e-7)


def test_alpha_of_the_lecture_table_is_printed():
    assert of_units([list(pair) for pair in labels_of(LECTURE)], "nominal") == pytest.approx(0.77619, abs=5e-6)


@pytest.mark.parametrize(("id", "expected"), [("raw", 97 / 120), ("cohen", 0.672), ("quadratic", 0.825)])
def test_the_first_morning_has_its_printed_coefficients(id, expected):
    assert one(id, MOCK) == pytest.approx(expected, abs=5e-4)


def test_the_first_morning_has_its_printed_alpha():
    assert of_units([list(pair) for pair in labels_of(MOCK)], "ordinal") == pytest.approx(0.817, abs=5e-4)


@pytest.mark.parametrize("id", ["tau", "spearman", "pearson"])
def test_correlations_are_those_of_scipy(id):
    from scipy import stats

    function = {"tau": stats.kendalltau, "spearman": stats.spearmanr, "pearson": stats.pearsonr}[id]
    x, y = zip(*labels_of(MOCK), strict=True)
    assert one(id, MOCK) == pytest.approx(function(x, y).statistic)


@given(tables)
def test_many_tables_at_once_are_each_table_alone(table):
    stacked = Tables.of(np.stack([table, table.T, 2 * table]))
    for id, coefficient in PAIRWISE.items():
        alone = [one(id, t) for t in (table, table.T, 2 * table)]
        np.testing.assert_allclose(coefficient(stacked), alone, atol=1e-12)


@given(tables)
def test_kappas_are_those_of_a_plain_loop(table):
    assume(table.sum() > 0)
    width, pairs = len(table) - 1, labels_of(table)
    weights = {
        "cohen": lambda a, b: float(a == b),
        "linear": lambda a, b: 1 - abs(a - b) / width,
        "quadratic": lambda a, b: 1 - (a - b) ** 2 / width**2,
    }
    for id, weight in weights.items():
        assert one(id, table) == pytest.approx(plain_kappa(pairs, weight), nan_ok=True, abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 3), max_size=5), min_size=1, max_size=12), st.sampled_from(LEVELS))
def test_alpha_is_that_of_a_plain_loop(units, level):
    assume(sum(len(unit) > 1 for unit in units) > 0)
    assert of_units(units, level, [0, 1, 2, 3]) == pytest.approx(plain_alpha(units, level), nan_ok=True, abs=1e-9)


@given(st.integers(2, 6).flatmap(lambda m: st.lists(st.lists(st.integers(0, 3), min_size=m, max_size=m), min_size=1)))
def test_fleiss_is_that_of_a_plain_loop(units):
    assume(len({v for unit in units for v in unit}) > 1)
    counts = np.array([[unit.count(v) for v in range(4)] for unit in units])
    assert fleiss(fleiss_parts(counts, np.zeros(len(units), dtype=int), 1))[0] == pytest.approx(plain_fleiss(units))


# --- axiom 19 ------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 4), min_size=2, max_size=20))
def test_identical_labels_agree_perfectly(labels):
    assume(len(set(labels)) > 1)
    table = np.zeros((5, 5), dtype=int)
    np.add.at(table, (labels, labels), 1)
    for id in ("raw", "cohen", "linear", "quadratic", "scott", "ac1", "s"):
        assert one(id, table) == pytest.approx(1), id
    for level in LEVELS:
        assert of_units([[v, v] for v in labels], level) == pytest.approx(1)


@given(tables)
def test_coefficients_do_not_depend_on_who_comes_first(table):
    assume(table.sum() > 0)
    for id in PAIRWISE:
        assert one(id, table) == pytest.approx(one(id, table.T), nan_ok=True, abs=1e-12), id


@given(tables)
def test_two_raters_never_fall_below_minus_one(table):
    for id in ("cohen", "linear", "quadratic", "scott", "ac1", "s"):
        assert not one(id, table) < -1 - 1e-12, id
        assert not one(id, table) > 1 + 1e-12, id


@given(tables)
def test_scott_is_at_most_cohen(table):
    assert not one("scott", table) > one("cohen", table) + 1e-12


@given(tables)
def test_alpha_tends_to_scott_as_pairs_grow(table):
    assume(table.sum() > 0)
    scott = one("scott", table)
    assume(not np.isnan(scott))
    far, near = (abs(of_units([list(p) for p in labels_of(k * table)], "nominal") - scott) for k in (1, 20))
    assert near <= far / 15 + 1e-12


@given(tables, st.integers(2, 4))
def test_a_table_repeated_keeps_its_coefficients(table, times):
    for id in PAIRWISE:
        assert one(id, times * table) == pytest.approx(one(id, table), nan_ok=True, abs=1e-12), id


# --- edges ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["cohen", "linear", "quadratic", "scott", "tau", "spearman", "pearson"])
def test_one_grade_for_everything_leaves_agreement_beyond_chance_undefined(id):
    assert np.isnan(one(id, [[7, 0], [0, 0]]))


@pytest.mark.parametrize("id", list(PAIRWISE))
def test_an_empty_table_has_no_coefficient(id):
    assert np.isnan(one(id, np.zeros((2, 2))))


def test_a_scale_of_one_grade_has_no_kappa():
    for id in ("cohen", "quadratic", "ac1", "s"):
        assert np.isnan(one(id, [[4]], grades=[2])), id


def test_the_ratio_level_knows_no_negative_grades():
    assert np.isnan(of_units([[-2, 1], [1, 1]], "ratio"))


def test_an_unknown_level_is_refused():
    with pytest.raises(PolicyError) as caught:
        known_level("cardinal")
    assert caught.value.code == "E213"


def test_the_disputed_scale_has_its_words():
    kappas = (-0.01, 0, 0.2, 0.21, 0.41, 0.61, 0.8, 0.81, 1, np.nan)
    words = ["poor", "slight", "slight", "fair", "moderate", *["substantial"] * 2, *["almost perfect"] * 2, ""]
    assert [word(kappa) for kappa in kappas] == words
