"""Long documents in pages: text is cut between paragraphs, HTML between elements; open tags go on."""

import re

PAGE = 200_000  # characters
_TOKEN = re.compile(r'(<(?:[^<>"]|"[^"]*")*>)')
_TAG = re.compile(r"</?([a-zA-Z0-9]+)")
_EMPTY = frozenset({"br", "hr", "img", "wbr", "col"})


def text_pages(text: str, size: int = PAGE) -> list[str]:
    """Text cut after a paragraph, a line or a word, whichever comes last before the page is full.

    >>> text_pages("one two\\n\\nthree four", size=12)
    ['one two\\n\\n', 'three four']
    """
    pages, begin = [], 0
    while len(text) - begin > size:
        cut = begin + size
        for mark in ("\n\n", "\n", " "):
            at = text.rfind(mark, begin + size // 2, cut)
            if at >= 0:
                cut = at + len(mark)
                break
        pages.append(text[begin:cut])
        begin = cut
    return [*pages, text[begin:]]


def html_pages(text: str, size: int = PAGE) -> list[str]:
    """Well-formed HTML cut into pages; elements that are open at a cut go on in the next page.

    >>> html_pages("<div><p>one</p><p>two</p></div>", size=12)
    ['<div><p>one</p></div>', '<div><p>two</p></div>']
    """
    if len(text) <= size:
        return [text]
    pages: list[str] = []
    opened: list[str] = []  # tags as written, outermost first
    here: list[str] = []
    length, texts = 0, 0
    for token in _TOKEN.split(text):
        if not token:
            continue
        closing = token.startswith("</")
        if length >= size and texts and not closing:
            pages.append("".join([*here, *_closing(opened)]))
            here, length, texts = list(opened), 0, 0
        if token.startswith("<"):
            name = _name(token)
            if closing and opened:
                opened.pop()
            elif name not in _EMPTY:
                opened.append(token)
            here.append(token)
            length += len(token)
            continue
        *full, rest = text_pages(token, size)
        for piece in full:  # one text longer than a page
            pages.append("".join([*here, piece, *_closing(opened)]))
            here, length = list(opened), 0
        here.append(rest)
        length += len(rest)
        texts += 1
    return [*pages, "".join(here)]


def _name(tag: str) -> str:
    found = _TAG.match(tag)
    return found[1].lower() if found else ""


def _closing(opened: list[str]) -> list[str]:
    return [f"</{_name(tag)}>" for tag in reversed(opened)]
