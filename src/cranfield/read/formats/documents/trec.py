"""Documents as TREC distributes them: `<DOC>` elements with a `<DOCNO>`, one after the other, without a root."""

import html
import re
from collections.abc import Iterator

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats.documents.lines import IndexedRecords, indexed
from cranfield.read.options import ReadOptions
from cranfield.read.sources import on_disk
from cranfield.read.sources.content import MAX_LINE, Content, decoded, line_number
from cranfield.read.sources.lines import PlacedLine
from cranfield.tables.side.documents import Document, Documents

_DOC, _END = b"<doc>", b"</doc>"
_NUMBER, _NUMBER_END = b"<docno>", b"</docno>"
_ELEMENT = re.compile(r"<([A-Za-z][\w.-]*)[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TITLES = ("title", "headline", "head", "hl", "ttl")


def of_element(inside: str) -> Document:
    """A document from the text between `<DOC>` and `</DOC>`, its number included.

    >>> of_element("<DOCNO> FT911-3 </DOCNO><TEXT>Oslo</TEXT>").id
    'FT911-3'
    """
    return document(_number(inside.encode()).decode(), inside)


@reads(
    "documents-trec",
    "documents",
    "<DOC><DOCNO> FT911-3 </DOCNO><TEXT> … </TEXT></DOC>",
    usual_endings=(".xml", ".sgml", ".trec"),
    record=of_element,
)
def read_trec(content: Content, options: ReadOptions) -> Documents:
    """Documents in TREC's SGML: DOC, DOCNO, TITLE, TEXT; other elements are kept as fields."""
    ids: list[str] = []
    records = IndexedRecords(content)
    for start, raw in _insides(content):
        number = _number(raw)
        if not number:
            line = line_number(content, start)
            raise InputError("E119", "a document has no <DOCNO>", path=content.name, line=line)
        decoded(content, start, raw)
        ids.append(number.decode())
        records.add(start, raw)

    def get(place: int) -> Document:
        return of_element(records[place])

    return indexed(content, ids, get, records, "documents-trec", "<DOC> element")


def _insides(content: Content) -> Iterator[PlacedLine]:
    """The text between `<DOC>` and `</DOC>`, with its position; one piece of the file is in memory at a time."""
    begin, held = 0, b""
    while (end := begin + len(held)) < content.size:
        held += content.buffer[end : min(end + max(on_disk.WINDOW, len(held)), content.size)]
        lower, at = held.lower(), 0
        while (opened := lower.find(_DOC, at)) >= 0 and (closed := lower.find(_END, opened)) >= 0:
            inside = opened + len(_DOC)
            yield begin + inside, held[inside:closed]
            at = closed + len(_END)
        kept = opened if opened >= 0 else max(at, len(held) - len(_DOC) + 1)  # a tag may be cut in two
        begin, held = begin + kept, held[kept:]
        if opened >= 0 and len(held) > MAX_LINE:
            line = line_number(content, begin)
            raise InputError("E305", "a document is longer than 64 MiB", path=content.name, line=line)
    if held.lower().startswith(_DOC):
        line = line_number(content, begin)
        hint = "is the file complete?"
        raise InputError("E119", "a document has no </DOC>", path=content.name, line=line, hint=hint)


def _number(inside: bytes) -> bytes:
    """The number of a document; empty if it has none.

    >>> _number(b"<DocNo> FT911-3 </DocNo><TEXT>"), _number(b"<DOCNO>1")
    (b'FT911-3', b'')
    """
    lower = inside.lower()
    begin = lower.find(_NUMBER)
    end = lower.find(_NUMBER_END, begin)
    return inside[begin + len(_NUMBER) : end].strip() if 0 <= begin < end else b""


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


_NUMBER_TEXT = re.compile(r"<docno>.*?</docno>", re.IGNORECASE | re.DOTALL)


def plain(text: str) -> str:
    """The text without tags, its entities resolved; line ends stay.

    >>> plain(" AT&amp;T <B>won</B> ")
    'AT&T won'
    """
    return html.unescape(_TAG.sub("", text)).strip()
