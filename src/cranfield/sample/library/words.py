"""How the demo's rankers cut a text into terms."""

import re
from collections.abc import Iterator

_WORD = re.compile(r"[A-Za-z0-9_]*[A-Za-z0-9][A-Za-z0-9_]*")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PLURAL = re.compile(r"(?<=[^siu])s$")
_LETTERS = re.compile(r"[a-z0-9]+")
_COMMON = """
    a an and are as at be by can do for from has have how if in into is it its may not of on or so such that the their
    then there these this to was what when which while will with you your
"""
COMMON = frozenset(_COMMON.split())  # words that say nothing about what a text is about
LENGTH = 4  # letters in a row


def words(text: str) -> Iterator[str]:
    """Words in small letters without common ones; an identifier is one word.

    >>> list(words("Use os.makedirs or the TemporaryDirectory(ignore_errors)"))
    ['use', 'os', 'makedirs', 'temporarydirectory', 'ignore_errors']
    """
    found = (match[0].lower() for match in _WORD.finditer(text))
    return (word for word in found if word not in COMMON)


def names(text: str) -> Iterator[str]:
    """Words in the singular, and the parts of identifiers beside them.

    >>> list(names("the TemporaryDirectory(ignore_errors)"))
    ['temporarydirectory', 'temporary', 'directory', 'ignore_error', 'ignore', 'error']
    """
    for match in _WORD.finditer(text):
        parts = _PARTS.findall(match[0])
        for word in (match[0], *(parts if len(parts) > 1 else ())):
            if word.lower() not in COMMON:
                yield _PLURAL.sub("", word.lower())


def letters(text: str) -> Iterator[str]:
    """Every four letters in a row inside a word, with a mark at its beginning and end.

    >>> list(letters("a big queue"))
    ['_big', 'big_', '_que', 'queu', 'ueue', 'eue_']
    """
    for match in _LETTERS.finditer(text.lower()):
        if match[0] not in COMMON:
            word = f"_{match[0]}_"
            yield from (word[i : i + LENGTH] for i in range(max(1, len(word) - LENGTH + 1)))
