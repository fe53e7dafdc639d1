"""Formulas of the documentation: LaTeX in a page is MathML on the site, whichever program builds it."""

import doctest

import pytest

markdown = pytest.importorskip("markdown", reason="comes with the extra `docs`")
mathml = pytest.importorskip("docs.mathml", reason="comes with the extra `docs`")


def page(text):
    return markdown.markdown(text, extensions=["docs.mathml", "pymdownx.superfences"])


def test_the_example_of_the_extension_is_true():
    failed, tried = doctest.testmod(mathml, optionflags=doctest.ELLIPSIS)
    assert (failed, tried) == (0, 1)


def test_a_formula_of_its_own_is_displayed_and_one_in_a_sentence_is_not():
    built = page("Let $x$ be:\n\n$$\\frac{a}{b}$$\n")
    assert built.count("<math") == 2
    assert '<p>Let <math xmlns="http://www.w3.org/1998/Math/MathML" display="inline">' in built
    assert 'display="block"><mrow><mfrac>' in built
    assert "arithmatex" not in built


def test_code_is_left_alone():
    assert "<math" not in page("`$x$`\n\n```text\n$$x$$\n```\n")


@pytest.mark.parametrize("formula", [r"\left( a", r"\nosuchword{a}"])
def test_a_bad_formula_stops_the_build(formula):
    with pytest.raises(ValueError, match="formula"):
        page(f"${formula}$")
