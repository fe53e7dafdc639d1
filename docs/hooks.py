"""Formulas: LaTeX in the pages becomes MathML while the site is built, so that readers need no JavaScript.

`pymdownx.arithmatex` finds the formulas (and leaves code alone); this hook converts what it has marked.
"""

import html
import logging
import re

from latex2mathml.converter import convert

log = logging.getLogger("mkdocs.hooks.formulas")

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
UNCONVERTED = re.compile(r"\\[A-Za-z]+")


def on_page_content(content: str, **_: object) -> str:
    """Called by MkDocs with the HTML of each page."""
    return FORMULA.sub(mathml, content)


def mathml(found: re.Match[str]) -> str:
    """The MathML of one marked formula: a `div` holds a displayed one, a `span` one inside a sentence.

    What cannot be converted is a warning, which stops a strict build.
    """
    latex = html.unescape(found[2]).strip()
    try:
        result: str = convert(latex, display="block" if found[1] == "div" else "inline")
    except Exception as error:  # the converter raises many kinds, all meaning a bad formula
        log.warning("formula %r cannot be converted: %r", latex, error)
        return found[0]
    if unknown := UNCONVERTED.search(result):
        log.warning("formula %r: no conversion of %s", latex, unknown[0])
    return result
