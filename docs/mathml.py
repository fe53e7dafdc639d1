"""Formulas: a Python-Markdown extension that turns LaTeX into MathML, so that readers need no JavaScript.

`pymdownx.arithmatex` finds the formulas (and leaves code alone); this extension converts what it has marked. It uses
Python-Markdown alone, so that any program that builds pages with Python-Markdown builds the same ones.

>>> print(Markdown(extensions=[Formulas()]).convert("*p* is $p$, and `$p$` is code."))
<p><em>p</em> is <math ...><mrow><mi>p</mi></mrow></math>, and <code>$p$</code> is code.</p>
"""

import html
import re

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from pymdownx.arithmatex import ArithmatexExtension

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
UNCONVERTED = re.compile(r"\\[A-Za-z]+")
LAST = -10  # after the postprocessors of Python-Markdown, which put back the HTML that was set aside


class Formulas(Extension):  # type: ignore[misc]  # Python-Markdown ships no types
    """Formulas between `$` or `$$` as MathML."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Called by Python-Markdown."""
        md.registerExtensions([ArithmatexExtension(generic=True)], {})
        md.postprocessors.register(_AsMathML(md), "mathml", LAST)


class _AsMathML(Postprocessor):  # type: ignore[misc]  # Python-Markdown ships no types
    def run(self, text: str) -> str:
        return FORMULA.sub(mathml, text)


def mathml(found: re.Match[str]) -> str:
    """The MathML of one marked formula: a `div` holds a displayed one, a `span` one inside a sentence.

    A formula that cannot be converted stops the build.
    """
    latex = html.unescape(found[2]).strip()
    try:
        result: str = convert(latex, display="block" if found[1] == "div" else "inline")
    except Exception as error:  # the converter raises many kinds, all meaning a bad formula
        raise ValueError(f"formula {latex!r} cannot be converted: {error!r}") from error
    if unknown := UNCONVERTED.search(result):
        raise ValueError(f"formula {latex!r}: no conversion of {unknown[0]}")
    return result


def makeExtension(**settings: object) -> Formulas:
    """Called by Python-Markdown, which finds the extension by the name of this module."""
    return Formulas(**settings)
