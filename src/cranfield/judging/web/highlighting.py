"""Words of the need and passages of an assessor shown as marks in a document; case and accents do not count (DOC-3)."""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

_TOKEN = re.compile(r'(<(?:[^<>"]|"[^"]*")*>)')
_WORD = re.compile(r"[^\W_]+")
_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+")  # scripts written without spaces
_LITTLE_WORDS = """
a about an and any are as at be been but by can could did do does for from had has have how i if in into is it its may
might more most must not of on or our shall should so some such than that the their them then there these they this
those to was we were what when where which who whom whose why will with would you your
"""
_STOP = frozenset(_LITTLE_WORDS.split())

Span = tuple[int, int, str]


def text_of(source: str) -> str:
    """The text of safe HTML, tags left out.

    >>> text_of("<p>a &lt; <b>b</b></p>")
    'a < b'
    """
    return html.unescape(_TOKEN.sub("", source))


def folded(text: str) -> tuple[str, Sequence[int]]:
    """Text without case and accents, and for each of its characters the place it came from.

    >>> folded("Éa")
    ('ea', [0, 1])
    """
    if text.isascii():
        return text.lower(), range(len(text))
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        plain = letter.lower() if letter.isascii() else unicodedata.normalize("NFKD", letter).casefold()
        for part in plain:
            if not unicodedata.combining(part):
                letters.append(part)
                places.append(place)
    return "".join(letters), places


def terms(need: str) -> frozenset[str]:
    """The words of a need that are worth a highlight, folded.

    >>> sorted(terms("What are the Crème brûlées?"))
    ['brulees', 'creme']
    """
    text, _ = folded(need)
    found = {word for word in _WORD.findall(text) if len(word) > 1 and word not in _STOP and not _RUN.search(word)}
    for run in _RUN.findall(text):
        found |= {run} if len(run) < 3 else {run[at : at + 2] for at in range(len(run) - 1)}
    return frozenset(found)


def term_spans(text: str, wanted: frozenset[str]) -> list[Span]:
    """The places of the words of a need in a text, also in the plural.

    >>> term_spans("Sörted files", terms("sorted file"))
    [(0, 6, 'term'), (7, 12, 'term')]
    """
    if not wanted:
        return []
    plain, places = folded(text)
    spans = [
        (places[match.start()], places[match.end() - 1] + 1, "term")
        for match in _WORD.finditer(plain)
        if _roots(match[0]) & wanted
    ]
    for run in (term for term in wanted if _RUN.search(term)):
        spans += [(places[found.start()], places[found.end() - 1] + 1, "term") for found in re.finditer(run, plain)]
    merged: list[Span] = []
    for begin, end, kind in sorted(spans):  # pairs of characters overlap
        if merged and begin < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), kind)
        else:
            merged.append((begin, end, kind))
    return merged


def _roots(word: str) -> set[str]:
    """What a word may be the singular or plural of, itself included."""
    return {word, word + "s", word + "es", word.removesuffix("s"), word.removesuffix("es")}


def marked(source: str, spans: Iterable[Span]) -> str:
    """Safe HTML with `<mark>` around spans of its text; spans may overlap and cross elements.

    >>> marked("<p>one <b>two</b></p>", [(2, 6, "term")])
    '<p>on<mark class="term">e </mark><b><mark class="term">tw</mark>o</b></p>'
    """
    left = sorted(span for span in spans if span[0] < span[1])
    if not left:
        return source
    made: list[str] = []
    at, first = 0, 0
    for token in _TOKEN.split(source):
        if not token or token.startswith("<"):
            made.append(token)
            continue
        text = html.unescape(token)
        end = at + len(text)
        while first < len(left) and left[first][1] <= at:
            first += 1
        here = []
        for number in range(first, len(left)):
            span = left[number]
            if span[0] >= end:
                break
            here.append((max(0, span[0] - at), min(len(text), span[1] - at), span[2]))
        made.append(_with_marks(text, [span for span in here if span[1] > 0]) if here and text.strip() else token)
        at = end
    return "".join(made)


def _with_marks(text: str, spans: Sequence[Span]) -> str:
    begins = Counter((begin, kind) for begin, _, kind in spans)
    begins.subtract((end, kind) for _, end, kind in spans)
    changes: dict[int, list[tuple[str, int]]] = {0: [], len(text): []}
    for (place, kind), change in begins.items():
        changes.setdefault(place, []).append((kind, change))
    made: list[str] = []
    covering: Counter[str] = Counter()  # how many spans of each kind cover the place
    for begin, end in pairwise(sorted(changes)):
        for kind, change in changes[begin]:
            covering[kind] += change
        kinds = sorted(+covering)
        piece = html.escape(text[begin:end], quote=False)
        made.append(f'<mark class="{" ".join(kinds)}">{piece}</mark>' if kinds else piece)
    return "".join(made)
