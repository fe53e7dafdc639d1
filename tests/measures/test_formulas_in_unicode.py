"""Formulas on a terminal: every formula of the registry is readable without LaTeX."""

import pytest

from cranfield.measures.pages.describe import describe
from cranfield.measures.pages.formulas import in_unicode

FORMULAS = [formula for page in describe().values() for formula in page.formulas]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_formula_keeps_a_command_or_a_brace_of_latex(formula):
    shown = in_unicode(formula)
    assert "\\" not in shown
    assert "^{" not in shown
    assert "_{" not in shown
    assert shown.count("(") == shown.count(")")


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (r"\mathrm{nDCG} = \frac{\mathrm{DCG}}{\mathrm{DCG}_{ideal}}", "nDCG = DCG/DCG_ideal"),
        (r"\mathrm{DCG} = \sum_i \frac{g_i}{\log_2(i + 1)}", "DCG = Σᵢ gᵢ/log₂(i + 1)"),
        (r"\frac{a^2}{nR}", "a²/(nR)"),
        (r"\sqrt{\sum_i s_i^2}", "√(Σᵢ sᵢ²)"),
        (r"\ln \binom{N}{R}", "ln C(N, R)"),
        (r"x = 1, \qquad y = 2", "x = 1,   y = 2"),
        (r"d_i \text{ judged}", "dᵢ judged"),
    ],
)
def test_a_formula_is_read_as_it_is_meant(formula, shown):
    assert in_unicode(formula) == shown


def test_the_page_of_a_measure_shows_its_formula():
    page = describe("AP")
    assert "    AP = 1/R Σᵢ₌₁ⁿ i/rᵢ" in repr(page)
    assert "min(k, R)" in repr(page)
    assert page.to_latex() == r"\mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \frac{i}{r_i}"
