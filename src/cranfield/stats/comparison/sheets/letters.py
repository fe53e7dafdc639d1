"""Letters for runs: a to z, then aa, ab and so on, and short lists of them."""

from collections.abc import Sequence


def letter(number: int) -> str:
    """The label of the run at a place, from 0.

    >>> [letter(n) for n in (0, 25, 26, 27, 51, 52, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'az', 'ba', 'zz', 'aaa']
    """
    head, last = divmod(number, 26)
    return (letter(head - 1) if head else "") + chr(ord("a") + last)


def listed(places: Sequence[int], runs: int, dash: str = "–") -> str:
    """The labels at ascending places: one after the other, or of many runs in stretches.

    >>> listed([1, 2, 3], runs=4), listed([0, 2, 3, 4, 5, 27], runs=30)
    ('bcd', 'a,c–f,ab')
    """
    if runs <= 26:
        return "".join(map(letter, places))
    stretches: list[list[int]] = []
    for place in places:
        if stretches and stretches[-1][-1] == place - 1:
            stretches[-1].append(place)
        else:
            stretches.append([place])
    return ",".join(_stretch(stretch, dash) for stretch in stretches)


def _stretch(places: Sequence[int], dash: str) -> str:
    if len(places) < 3:
        return ",".join(map(letter, places))
    return f"{letter(places[0])}{dash}{letter(places[-1])}"
