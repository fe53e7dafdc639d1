"""The studentised range: exact cases, SciPy, and the accuracy that is claimed."""

import numpy as np
import pytest
from scipy import stats

from cranfield.stats.several import studentized
from cranfield.stats.several.studentized import quantile, survival

POINTS = np.array([0.01, 0.5, 1, 2, 3, 4, 5, 7, 10, 15])


@pytest.mark.parametrize("df", [1, 2, 5, 30, 1000, np.inf])
def test_for_two_means_it_is_the_t_distribution(df):
    expected = 2 * stats.t.sf(POINTS / np.sqrt(2), df)
    assert survival(POINTS, 2, df) == pytest.approx(expected, rel=1e-10)
    integrated = studentized._integrated(POINTS, 2, df)  # the general way, which is not taken for two
    assert integrated == pytest.approx(expected, abs=1e-7 if df < 2 else 1e-10)


@pytest.mark.parametrize(("k", "df"), [(3, 2), (3, 20), (4, 15), (10, 90), (30, 29), (129, 6272), (5, np.inf)])
def test_scipy_finds_the_same(k, df):
    expected = stats.studentized_range.sf(POINTS[::3], k, df)
    assert survival(POINTS[::3], k, df) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("k", "df"), [(3, 2), (4, 15), (10, 9), (129, 6272), (1000, 999), (40, np.inf)])
def test_more_nodes_do_not_change_the_value(k, df, monkeypatch):
    usual = survival(POINTS, k, df)
    monkeypatch.setattr(studentized, "_NODES", 320)
    studentized._gauss.cache_clear()
    finer = survival(POINTS, k, df)
    studentized._gauss.cache_clear()
    assert usual == pytest.approx(finer, abs=1e-10)
    small = (finer > 1e-200) & (df > 9)
    assert usual[small] == pytest.approx(finer[small], rel=1e-9)


@pytest.mark.parametrize(
    ("k", "df", "end"), [(129, 6272, 30), (129, np.inf, 15), (4, 15, 1e4), (3, 2, 1e8), (300, 1495, 100)]
)
def test_what_is_interpolated_is_what_would_be_integrated(k, df, end):
    q = np.sort(np.concatenate((np.random.default_rng(0).random(3000) * end, np.linspace(0, min(end, 12), 500))))
    some = slice(None, None, 25)
    found = survival(q, k, df)
    assert found[some] == pytest.approx(studentized._integrated(q[some], k, df), abs=1e-10)
    assert (np.diff(found) <= 1e-10).all()


@pytest.mark.parametrize(("k", "df", "alpha"), [(2, 5, 0.05), (4, 15, 0.05), (4, np.inf, 0.01), (20, 100, 0.5)])
def test_the_quantile_turns_the_probability_round(k, df, alpha):
    point = quantile(alpha, k, df)
    assert survival([point], k, df)[0] == pytest.approx(alpha, rel=1e-9)
    assert point == pytest.approx(stats.studentized_range.isf(alpha, k, df), abs=1e-6)


def test_the_ends_are_1_and_0():
    found = survival([[0.0, -1.0], [1e200, np.inf]], 3, 50)
    assert found.tolist() == [[1, 1], [0, 0]]
