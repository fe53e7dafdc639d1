"""Figure: a chart with its alt text and the numbers behind it, written to a file without any network."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import PolicyError, printable
from cranfield.errors.arguments import checked_methods
from cranfield.errors.extras import need
from cranfield.errors.ranges import check_least
from cranfield.errors.wording import setting
from cranfield.reporting.style import CENTIMETRE, centimetres, config
from cranfield.tables.charts import Width
from cranfield.tables.sheets.page import STYLE, document
from cranfield.tables.sheets.sheet import Sheet
from cranfield.whole_files import write_whole

if TYPE_CHECKING:
    import altair

MOST_PPI = 2400  # pixels per inch: a page of more does not fit into memory
ENDINGS = (".png", ".svg", ".pdf", ".html", ".json")
_ID, _REFERENCE = re.compile(r' id="([^"]*)"'), re.compile(r"url\(#([^)]*)\)")
_ROOT = re.compile(r'<svg ([^>]*?)width="([\d.]+)" height="([\d.]+)"([^>]*)>')
_STYLE = f"{STYLE}figure {{ margin: 0 0 2rem; }} svg {{ max-width: 100%; height: auto; background: #fff; }}"


@checked_methods
@dataclass(frozen=True, eq=False)
class Figure:
    """A chart.

    Attributes:
        chart: the Altair chart, to be changed or combined with others.
        title: what it shows, in a few words.
        description: the chart described in a sentence or two, for readers who cannot see it.
        table: the numbers behind it.
        width: in centimetres.

    >>> import cranfield as cf
    >>> figure = cf.curve({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]}, "ndcg@2").plot(width=12)
    >>> figure.description  # 1 / log2(3)
    'Normalised discounted cumulated gain, nDCG@2, over 1 topic, for 1 run. At rank 2: run 0.631.'
    >>> figure.rendered(".png")[1:4]
    b'PNG'
    """

    chart: "altair.TopLevelMixin"
    title: str
    description: str
    table: Sheet
    width: float

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The chart as plain data: a Vega-Lite specification with all its values inside."""
        found: dict[str, Any] = json.loads(self._specification)
        return found

    def save(self, path: str | Path, ppi: float = 300) -> None:
        """Write the chart in the form of the file ending: .png, .svg, .pdf, .html or .json (Vega-Lite)."""
        write_whole(path, self.rendered(Path(path).suffix, ppi))

    def rendered(self, ending: str, ppi: float = 300) -> bytes:
        """The bytes of a file with that ending."""
        forms: dict[str, Callable[[], bytes]] = {
            ".png": lambda: self.to_png(ppi),
            ".svg": lambda: self.to_svg().encode(),
            ".pdf": self.to_pdf,
            ".html": lambda: self.to_html().encode(),
            ".json": lambda: self.to_json().encode() + b"\n",
        }
        if ending.lower() not in forms:
            raise PolicyError("E224", f"a chart cannot be written as {ending!r}", hint=f"one of {', '.join(ENDINGS)}")
        return forms[ending.lower()]()

    def to_svg(self) -> str:
        """The chart as SVG of its printed size, with title and description for screen readers."""
        head = f"<title>{_text(self.title)}</title><desc>{_text(self.description)}</desc>"
        return self._sized("cm", f' role="img" aria-label="{_text(f"{self.title}. {self.description}")}"', head)

    def to_png(self, ppi: float = 300) -> bytes:
        """The chart as PNG with the given number of pixels per inch."""
        check_least(1, ppi=ppi)
        if ppi > MOST_PPI:
            raise PolicyError("E240", f"{setting('ppi', ppi)} must be at most {MOST_PPI}")
        need("vl_convert", "a picture of a chart")
        from vl_convert import svg_to_png

        return svg_to_png(self._sized(), ppi=ppi)

    def to_pdf(self) -> bytes:
        """The chart as PDF."""
        need("vl_convert", "a picture of a chart")
        from vl_convert import svg_to_pdf

        return svg_to_pdf(self._sized())

    def to_html(self) -> str:
        """An HTML page with the chart and its numbers; it loads no other file and runs no script."""
        parts = [
            f"<h1>{_text(self.title)}</h1>",
            f"<figure>{self.to_svg()}<figcaption>{_text(self.description)}</figcaption></figure>",
            f'<div class="scroll" tabindex="0" role="region" aria-label="Numbers">{self.table.html()}</div>',
        ]
        return document(self.title, "\n".join(["<main>", *parts, "</main>"]), _STYLE)

    def to_json(self) -> str:
        """The Vega-Lite specification."""
        return self._specification

    @cached_property
    def _specification(self) -> str:
        """The specification as text, which is made and checked once."""
        return json.dumps(self.chart.to_dict(), ensure_ascii=False, allow_nan=False)

    def _sized(self, unit: str = "", attributes: str = "", head: str = "") -> str:
        """The chart as it is drawn, in its size; without a unit a length is in points."""
        need("vl_convert", "a picture of a chart")
        from vl_convert import vegalite_to_svg

        wide = self.width * (1 if unit else CENTIMETRE)

        def opened(root: re.Match[str]) -> str:
            tall = wide * float(root[3]) / float(root[2])
            return f'<svg {root[1]}width="{wide:.6g}{unit}" height="{tall:.6g}{unit}"{root[4]}{attributes}>{head}'

        return _ROOT.sub(opened, _renumbered(vegalite_to_svg(self._specification)), count=1)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """For a notebook: the interactive chart where it can be drawn, the picture elsewhere."""
        return {"application/vnd.vegalite.v6+json": self.spec, "image/svg+xml": self.to_svg(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Figure: {self.title}. {self.description}>"


def _renumbered(svg: str) -> str:
    """The picture with names of its own parts that do not depend on what was drawn before it.

    >>> _renumbered('<linearGradient id="gradient_7"/><rect fill="url(#gradient_7)"/>')
    '<linearGradient id="part0"/><rect fill="url(#part0)"/>'
    """
    names = {name: f"part{at}" for at, name in enumerate(dict.fromkeys(_ID.findall(svg)))}
    svg = _ID.sub(lambda found: f' id="{names[found[1]]}"', svg)
    return _REFERENCE.sub(lambda found: f"url(#{names.get(found[1], found[1])})", svg)


def framed(drawn: Any, table: Sheet, *, said: str, described: str, width: Width, title: str = "") -> Figure:
    """A drawn Altair chart in the frame that all charts have: fonts and colours, description, and a title if any.

    `said` is what the figure is called where it has no title of its own; an absent title takes no room.
    """
    shown: dict[str, Any] = {"title": title} if title else {}
    chart = drawn.properties(description=printable(described), **shown).configure(**config())
    return Figure(chart, title or printable(said), printable(described), table, centimetres(width))


def _text(text: str) -> str:
    return escape(printable(text))
