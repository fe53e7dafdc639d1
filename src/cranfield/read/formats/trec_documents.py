"""Documents as TREC distributes them: `<DOC>` elements with a `<DOCNO>`, one after the other, without a root."""

import html
import re

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, decoded
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.source import Source

_DOC = re.compile(rb"<doc>(.*?)</doc>", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(rb"<docno>\s*(.*?)\s*</docno>", re.IGNORECASE | re.DOTALL)
_ELEMENT = re.compile(r"<([A-Za-z][\w.-]*)[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TITLES = ("title", "headline", "head", "hl", "ttl")


@reads(
    "documents-trec",
    "documents",
    "<DOC><DOCNO> FT911-3 </DOCNO><TEXT> … </TEXT></DOC>",
    usual_endings=(".xml", ".sgml", ".trec"),
)
def read_trec(content: Content, options: ReadOptions) -> Documents:
    """Documents in TREC's SGML: DOC, DOCNO, TITLE, TEXT; other elements are kept as fields."""
    whole = content.buffer[: content.size]
    ids: list[str] = []
    places: list[tuple[int, int]] = []
    for found in _DOC.finditer(whole):
        number = _NUMBER.search(found[1])
        if number is None or not number[1]:
            line = whole.count(b"\n", 0, found.start()) + 1
            raise InputError("E119", "a document has no <DOCNO>", path=content.name, line=line)
        ids.append(decoded(content, found.start(1) + number.start(1), number[1]))
        places.append(found.span(1))
    if not ids:
        problem = "the file is empty" if content.size == 0 else "the file holds no <DOC> element"
        raise InputError("E104", problem, path=content.name)

    def get(place: int) -> Document:
        begin, end = places[place]
        return document(ids[place], decoded(content, begin, content.buffer[begin:end]))

    return Documents(tuple(ids), get, Source(content.name, "documents-trec", content.fingerprint))


def document(name: str, inside: str) -> Document:
    """A document from the text between `<DOC>` and `</DOC>`.

    >>> document(
    ...     "1", "<DOCNO>1</DOCNO><TITLE>Wings</TITLE><AUTHOR>B. &amp; C.</AUTHOR><TEXT>Lift <B>and</B> drag.</TEXT>"
    ... )
    Document(id='1', text='Lift and drag.', title='Wings', url='', kind='text', fields={'author': 'B. & C.'})
    """
    parts: dict[str, str] = {}
    for tag, text in _ELEMENT.findall(inside):
        key = tag.lower()
        parts[key] = f"{parts[key]}\n{plain(text)}" if key in parts else plain(text)
    parts.pop("docno", None)
    title = next((parts.pop(key) for key in _TITLES if parts.get(key)), "")
    text = parts.pop("text", None)
    if text is None:  # everything that stands there
        return Document(name, plain(_NUMBER_TEXT.sub(" ", inside)), title)
    return Document(name, text, title, fields=parts)


_NUMBER_TEXT = re.compile(_NUMBER.pattern.decode(), re.IGNORECASE | re.DOTALL)


def plain(text: str) -> str:
    """The text without tags, its entities resolved; line ends stay.

    >>> plain(" AT&amp;T <B>won</B> ")
    'AT&T won'
    """
    return html.unescape(_TAG.sub("", text)).strip()
