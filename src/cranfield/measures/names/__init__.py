"""Spellings of measures: several in one text, what other programs call them, what to write instead.

This module splits a text into names, which are separated by blanks or commas; one name may have several numbers.
`elsewhere` knows the names of other programs; read it first. The grammar itself is `cranfield.measures.grammar`.
"""

import re
from collections.abc import Callable

_NUMBERED = r"(?s)(?P<stem>.+?[._@])\d*\.?\d+"
_NUMBER = r"\d*\.?\d+"


def words(text: str) -> list[str]:
    """The names in a text; a number after a comma stands for the name before it with that number.

    >>> words("AP nDCG(dcg='jk', b=3)@10, P_5"), words("ndcg_cut.5,10 map")
    (['AP', "nDCG(dcg='jk', b=3)@10", 'P_5'], ['ndcg_cut.5', 'ndcg_cut.10', 'map'])
    """
    parts = _split(text, lambda character, before: character.isspace() and not before.endswith(","))
    return [name for part in parts for name in (listed(part) if "," in part else [part])]


def listed(word: str) -> list[str]:
    """The names in a word with commas between them; the word itself if they separate something else.

    >>> listed("NDCG@10,MAP"), listed("P@5,10"), listed("utility.1,-1,0,0")
    (['NDCG@10', 'MAP'], ['P@5', 'P@10'], ['utility.1,-1,0,0'])
    """
    names: list[str] = []
    for part in _split(word, lambda character, _: character == ","):
        named = part.strip()
        if re.fullmatch(_NUMBER, named) and names and (numbered := re.fullmatch(_NUMBERED, names[-1])):
            names.append(numbered["stem"] + named)
        elif named[0].isalnum() and not re.fullmatch(_NUMBER, named):
            names.append(named)
        else:
            return [word]
    return names


def _split(text: str, ends: Callable[[str, str], bool]) -> list[str]:
    """The parts of a text that are not blank; `ends` tells where one ends, which is never inside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth <= 0 and ends(character, parts[-1]):
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]
