"""Documents made safe to show: text, Markdown, HTML and fields become HTML without script, style, form or remote image.

The text of what is shown, tags left out, is the measure for passages: an assessor's mark is a pair of character
offsets into it. For plain text it is the document itself, character by character.
"""

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt

from cranfield.judging.web.highlighting import text_of
from cranfield.judging.web.paging import html_pages, text_pages

_TAGS = """
a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt
em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp section
small span strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr
"""
TAGS = frozenset(_TAGS.split())
ATTRIBUTES = {
    "*": {"dir", "lang", "title"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start", "reversed", "type"},
    "time": {"datetime"},
}
WITHOUT_CONTENT = frozenset({"script", "style", "title", "template", "noscript", "iframe", "object", "svg", "math"})
SCHEMES = {"http", "https", "mailto", "data"}
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)
_WITHOUT_SOURCE = re.compile(r'<img(?![^>]*\ssrc=)(?:[^>"]|"[^"]*")*>')
_WORDS_OF_PICTURE = re.compile(r'\salt="([^"]*)"')
_BLOCKS = re.compile(r"(\n[ \t]*(?:\n[ \t]*)*\n)")
_KEPT = re.compile(r"[ \t]|>>> |[-*•|+] |.*\S {3,}\S|.*\t")
LONGEST_MARKDOWN = 200_000  # characters; beyond, its source is shown as text


@dataclass(frozen=True)
class ShownPage:
    """One page of a document: safe HTML, which page of how many, and where its text begins in the whole."""

    body: str
    page: int
    pages: int
    start: int


def shown(body: str, kind: str, page: int = 1) -> ShownPage:
    """One page of a document of some format: text, markdown, or html.

    >>> shown("a < b", "text")
    ShownPage(body='<p dir="auto">a &lt; b</p>', page=1, pages=1, start=0)
    """
    as_text = kind != "html" and not (kind == "markdown" and len(body) <= LONGEST_MARKDOWN)
    pages = _pages(body, "text" if as_text else kind)
    page = min(max(1, page), len(pages))
    start, piece = pages[page - 1]
    return ShownPage(body=paragraphs(piece) if as_text else piece, page=page, pages=len(pages), start=start)


@lru_cache(maxsize=16)  # an assessor turns pages; cleaning 10 MB takes a moment
def _pages(body: str, kind: str) -> tuple[tuple[int, str], ...]:
    """Each page with the place where its text begins; pages of text are not HTML yet."""
    made: list[tuple[int, str]] = []
    begin = 0
    if kind == "html":
        for piece in html_pages(clean(body)):
            made.append((begin, piece))
            begin += len(text_of(piece))
    elif kind == "markdown":
        made.append((0, markdown(body)))
    else:
        for piece in text_pages(plain(body)):
            made.append((begin, piece))
            begin += len(piece)
    return tuple(made)


def plain(text: str) -> str:
    """Text as a browser counts it: one character for each end of line, none that HTML cannot hold.

    >>> plain("a\\r\\nb\\x00")
    'a\\nb�'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def paragraphs(text: str) -> str:
    """Text as paragraphs. Lines flow, unless half of them are indented, aligned or listed; nothing is lost.

    >>> paragraphs("One\\nline.\\n\\n  code()")
    '<p dir="auto">One\\nline.</p>\\n\\n<p dir="auto" class="kept">  code()</p>'
    """
    made = []
    for number, piece in enumerate(_BLOCKS.split(text)):
        if number % 2 or not piece.strip():
            made.append(piece)
            continue
        lines = piece.strip("\n").split("\n")
        kept = ' class="kept"' if 2 * sum(map(bool, map(_KEPT.match, lines))) >= len(lines) else ""
        made.append(f'<p dir="auto"{kept}>{html.escape(piece, quote=False)}</p>')
    return "".join(made)


def markdown(text: str) -> str:
    """Markdown, with tables, as safe HTML."""
    return clean(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(plain(text)))


def fields(values: Mapping[str, object]) -> str:
    """The values of a record as a list of names and values; empty ones are left out.

    >>> fields({"title": "A", "price": 3, "url": ""})
    '<dl><dt>title</dt><dd><p dir="auto">A</p></dd><dt>price</dt><dd><p dir="auto">3</p></dd></dl>'
    """
    rows = [
        f"<dt>{html.escape(name, quote=False)}</dt><dd>{paragraphs(plain(value_text(value)))}</dd>"
        for name, value in values.items()
        if value not in (None, "", [], {})
    ]
    return f"<dl>{''.join(rows)}</dl>" if rows else ""


def value_text(value: object) -> str:
    """A value of a field in words: lists separated by commas, anything nested as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return ", ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False)


def clean(source: str) -> str:
    """HTML without anything that runs, styles, submits, frames or loads from elsewhere (SEC-5).

    >>> clean('<p onclick="x()">a<script>b</script><img src="http://x.org/i.png" alt="c"></p>')
    '<p>a<span>[picture: c]</span></p>'
    >>> clean('<a href="javascript:x()">a</a>')
    '<a target="_blank" rel="noopener noreferrer">a</a>'
    """
    safe = nh3.clean(
        plain(source),
        tags=set(TAGS),
        clean_content_tags=set(WITHOUT_CONTENT),
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=_kept_attribute,
        url_schemes=set(SCHEMES),
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        strip_comments=True,
    )
    return _WITHOUT_SOURCE.sub(_instead_of_picture, safe)


def _instead_of_picture(found: re.Match[str]) -> str:
    """Words in place of a picture that is not shown: its own, if it has some.

    In an attribute `<` may stand as it is, and some versions of nh3 leave it so; in a text it would begin a tag.
    """
    own = _WORDS_OF_PICTURE.search(found[0])
    words = html.escape(html.unescape(own[1]), quote=False) if own else ""
    return f"<span>[picture{': ' + words if words else ''}]</span>"


def _kept_attribute(tag: str, name: str, value: str) -> str | None:
    """What stays of an attribute: pictures only inside the document, links only to the web or to an address."""
    if (tag, name) == ("img", "src"):
        return value if _PICTURE.fullmatch(value) else None
    if (tag, name) == ("a", "href"):
        return value if value.lower().lstrip().startswith(("http://", "https://", "mailto:")) else None
    return value
