"""Figures on a page: a still picture that needs no script, and the specification from which scripts draw it again."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from cranfield.reporting.figure import Figure
from cranfield.reporting.page.colours import KNOWN, on_dark, six_digits

_PAINT = re.compile(r' (fill|stroke)="([^"]*)"')
_NOISE = re.compile(r' (?:class|role|aria-[a-z]+|pointer-events|xmlns:xlink|version|opacity|stroke-miterlimit)="[^"]*"')
_FULL = re.compile(r' opacity="1"')
_LONG = re.compile(r"(\d\.\d\d)\d+")
_EMPTY = re.compile(r'<path(?: aria-hidden="true")? d="(?:M0,0h0v0h0Z)?"(?: display="none")?/>')
_GROUND = re.compile(r'<rect width="[^"]*" height="[^"]*" fill="[^"]*"/>')
_FONT = re.compile(r' font-family="[^"]*"')
_ROOT = re.compile(
    r'<svg ([^>]*?) ?width="[^"]*" height="[^"]*"([^>]*)>(<title>.*?</title><desc>.*?</desc>)?', re.DOTALL
)
_MARK = re.compile(r'<path transform="translate\(([^,)]*),([^,)]*)\)" (d="[^"]*"[^>]*)/>')
_MANY = 20  # marks of one shape and paint, from which on the shape is written once
_ESCAPES = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


@dataclass
class Pictures:
    """The figures of one page and the colours that they share.

    A colour of a chart is a variable of the style sheet: `--c0`, `--c1` … in the order in which they are first used.
    """

    figures: list[Figure] = field(default_factory=list)
    forms: dict[str, Figure] = field(default_factory=dict)  # chart-1-1 -> another form of the first figure
    colours: dict[str, str] = field(default_factory=dict)  # #rrggbb -> variable

    def add(self, figure: Figure) -> tuple[int, str]:
        """The number of a figure, and its picture in SVG with the title and description for screen readers."""
        self.figures.append(figure)
        number = len(self.figures)
        return number, self._still(figure, number)

    def add_form(self, number: int, figure: Figure) -> str:
        """The name of the specification of another form of a figure."""
        name = f"chart-{number}-{len(self.forms) + 1}"
        self.forms[name] = figure
        return name

    def _still(self, figure: Figure, number: int) -> str:
        drawn = _GROUND.sub("", _FONT.sub("", figure.to_svg()), count=1)
        head, _, body = drawn.partition("</desc>")
        root = _ROOT.match(f"{head}</desc>")
        assert root is not None  # what `to_svg` writes
        body = _EMPTY.sub("", _NOISE.sub(_kept, body))
        body = body.replace('id="', f'id="f{number}-').replace("url(#", f"url(#f{number}-")
        body = _shapes_once(_LONG.sub(r"\1", _PAINT.sub(self._painted, body)), number)
        title = (
            (root[3] or "").replace("<title>", f'<title id="t{number}">').replace("<desc>", f'<desc id="d{number}">')
        )
        box = re.search(r'viewBox="[^"]*"', root[0])
        sized = _LONG.sub(r"\1", box[0]) if box else ""
        return f'<svg {sized} role="img" aria-labelledby="t{number} d{number}">{title}{body}'

    def _painted(self, paint: re.Match[str]) -> str:
        colour = six_digits(paint[2])
        return paint[0] if colour is None else f' {paint[1]}="var({self._variable(colour)})"'

    def _variable(self, colour: str) -> str:
        return self.colours.setdefault(colour, f"--c{len(self.colours)}")

    def style(self) -> str:
        """The values of all colours on a light ground, and on a dark screen."""
        light = "".join(f"{name}:{colour};" for colour, name in self.colours.items())
        dark = "".join(f"{name}:{on_dark(colour)};" for colour, name in self.colours.items())
        return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"

    def data(self) -> str:
        """Blocks of JSON: the specification of every figure, and what its colours are on a dark ground."""
        every = {f"chart-{number}": figure for number, figure in enumerate(self.figures, 1)} | self.forms
        known = {colour for figure in every.values() for colour in _colours_of(figure.spec)} | {*KNOWN}
        dark = {colour: on_dark(found) for colour in sorted(known) if (found := six_digits(colour)) is not None}
        blocks = [data_block("colours", dark)]
        blocks += [data_block(name, _transparent(figure.spec)) for name, figure in every.items()]
        return "\n".join(blocks)


def _shapes_once(body: str, number: int) -> str:
    """The picture with shapes that many marks have written once, and used at each place.

    >>> point = '<path transform="translate(1,2)" d="M0,0H1" fill="red"/>'
    >>> _shapes_once(point * 20, 7)[:93]
    '<defs><path id="f7-mark1" d="M0,0H1" fill="red"/></defs><use href="#f7-mark1" x="1" y="2"/><u'
    """
    counts = Counter(mark[3] for mark in _MARK.finditer(body))
    many = [shape for shape, count in counts.items() if count >= _MANY]
    if not many:
        return body
    names = {shape: f"f{number}-mark{at}" for at, shape in enumerate(many, 1)}
    shapes = "".join(f'<path id="{name}" {shape}/>' for shape, name in names.items())

    def used(mark: re.Match[str]) -> str:
        name = names.get(mark[3])
        return mark[0] if name is None else f'<use href="#{name}" x="{mark[1]}" y="{mark[2]}"/>'

    return f"<defs>{shapes}</defs>{_MARK.sub(used, body)}"


def _kept(noise: re.Match[str]) -> str:
    """Of the attributes that say nothing here, an opacity below 1 is kept."""
    return noise[0] if noise[0].startswith(" opacity") and not _FULL.fullmatch(noise[0]) else ""


def data_block(name: str, value: object) -> str:
    r"""Data for a script, as JSON in which nothing can end the block (EXP-4).

    >>> data_block("x", "</script>")
    '<script type="application/json" id="x">"\\u003c/script\\u003e"</script>'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)
    return f'<script type="application/json" id="{name}">{text}</script>'


def _transparent(spec: dict[str, Any]) -> dict[str, Any]:
    """The specification on the ground of the page; the description stands beside it."""
    config = {**spec.get("config", {}), "background": None}
    return {name: value for name, value in spec.items() if name not in ("$schema", "description")} | {"config": config}


def _colours_of(part: object) -> set[str]:
    """The texts in a specification that are colours."""
    if isinstance(part, dict):
        return {colour for name, value in part.items() if name != "values" for colour in _colours_of(value)}
    if isinstance(part, list):
        return {colour for value in part for colour in _colours_of(value)}
    return {part} if isinstance(part, str) and six_digits(part) is not None else set()
