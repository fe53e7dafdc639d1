"""Counts with their nouns for tables and messages."""


def counted(number: int, noun: str) -> str:
    """`1 topic`, `2,500 topics`.

    >>> counted(2500, "topic")
    '2,500 topics'
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
