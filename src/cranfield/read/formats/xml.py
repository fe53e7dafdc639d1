"""Topics in XML, with expat: no entity is ever declared, expanded or fetched."""

import re
from collections.abc import Iterator
from xml.parsers import expat

from cranfield.errors import InputError
from cranfield.read.sources.content import Content
from cranfield.tables.side.topics import Subtopic, Topic

_TOPIC = ("topic", "top", "query-topic")
_FIELDS = {
    "query": "query",
    "title": "query",
    "description": "description",
    "desc": "description",
    "narrative": "narrative",
    "narr": "narrative",
}
_DEEPEST = 100
_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")


class Element:
    """One element while it is being read: name, attributes, text, children, line."""

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name = name
        self.attributes = attributes
        self.line = line
        self.words: list[str] = []
        self.children: list[Element] = []

    @property
    def text(self) -> str:
        """The text inside, children included, with single blanks."""
        return " ".join("".join(self.words).split())

    def walk(self) -> Iterator["Element"]:
        """This element and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(content: Content, rootless: bool = False) -> Element:
    """The parent of the root element; a DOCTYPE is refused, and so is a file that is not well-formed.

    Elements without a common root are read as if they had one.
    """
    root = Element("", {}, 1)
    open_ = [root]
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        problem, hint = "entity declarations are refused", "remove the DOCTYPE"
        raise InputError("E304", problem, path=content.name, line=parser.CurrentLineNumber, hint=hint)

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name.lower(), attributes, parser.CurrentLineNumber)
        if len(open_) > _DEEPEST:
            raise InputError("E307", "nested too deeply", path=content.name, line=element.line)
        open_[-1].children.append(element)
        open_.append(element)

    def end(_: str) -> None:
        closed = open_.pop()
        open_[-1].words.append(f" {closed.text} ")

    def characters(text: str) -> None:
        open_[-1].words.append(text)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        text = bytes(content.buffer[: content.size])
        declared = _DECLARATION.match(text) if rootless else None
        parser.Parse(b"<root>" * rootless, False)
        parser.Parse(b"\n" * declared[0].count(b"\n") + text[declared.end() :] if declared else text, False)
        parser.Parse(b"</root>" * rootless, True)
    except expat.ExpatError as reason:
        if reason.code == expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT] and not rootless:
            return parse(content, rootless=True)
        problem = f"not valid XML, {expat.errors.messages[reason.code]} at column {reason.offset + 1}"
        raise InputError("E307", problem, path=content.name, line=reason.lineno) from None
    return root


def topics(content: Content) -> list[Topic]:
    """Every topic element, wherever it stands."""
    if not content.buffer[: content.size].strip():
        raise InputError("E104", "the file is empty", path=content.name)
    found = [_topic(element, content) for element in parse(content).walk() if element.name in _TOPIC]
    if not found:
        raise InputError("E104", "the file holds no <topic> element", path=content.name)
    return found


def _topic(element: Element, content: Content) -> Topic:
    number = next((element.attributes[key] for key in ("number", "id", "num") if key in element.attributes), "")
    fields: dict[str, str] = {}
    other: dict[str, str] = {}
    subtopics: list[Subtopic] = []
    for child in element.children:
        if child.name in _FIELDS and _FIELDS[child.name] not in fields:
            fields[_FIELDS[child.name]] = child.text
        elif child.name == "subtopic":
            key = child.attributes.get("number", str(len(subtopics) + 1))
            subtopics.append(Subtopic(key, child.text, child.attributes.get("type", "")))
        elif child.name in ("num", "number", "id") and not number:
            number = child.text.removeprefix("Number:").strip()
        else:
            other[child.name] = f"{other[child.name]} {child.text}" if child.name in other else child.text
    other |= {k: v for k, v in element.attributes.items() if k not in ("number", "id", "num", "type")}
    if not number.strip():
        raise InputError("E119", "a topic has no number", path=content.name, line=element.line)
    if not fields.get("query"):
        raise InputError("E119", f"topic {number!r} has no query", path=content.name, line=element.line)
    kind = element.attributes.get("type", "")
    return Topic(number.strip(), **fields, type=kind, subtopics=tuple(subtopics), other=other)
