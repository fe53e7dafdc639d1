"""Numbers as the C library reads them: the longest sensible beginning of a text, else 0."""

import re

_DECIMAL = rb"[ \t-\r]*([+-]?)(?:(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)"
_HEXADECIMAL = rb"[ \t-\r]*([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)"
_WORD = rb"(?i)[ \t-\r]*([+-]?)(inf(?:inity)?|nan)"
_WHOLE = rb"[ \t-\r]*([+-]?\d+)"
LARGEST = 2**63 - 1


def real(text: bytes) -> float:
    """The number a text begins with, as C's `atof` reads it; 0 if it begins with none.

    >>> [real(text) for text in (b"12abc", b"1_000", b"0x10", b"abc", b"-inf", b"1e", b".5.5")]
    [12.0, 1.0, 16.0, 0.0, -inf, 1.0, 0.5]
    """
    if found := re.match(_HEXADECIMAL, text):
        return float.fromhex(found[1].decode())
    if found := re.match(_DECIMAL, text):
        return float(found[0].strip())
    if found := re.match(_WORD, text):
        return float(found[0].strip())
    return 0.0


def whole(text: bytes) -> int:
    """The whole number a text begins with, as C's `atol` reads it; 0 if it begins with none.

    >>> [whole(text) for text in (b"2.9", b"+2", b"yes", b"0x10", b"-1", b"99999999999999999999")]
    [2, 2, 0, 0, -1, 9223372036854775807]
    """
    found = re.match(_WHOLE, text)
    if found is None:
        return 0
    digits = found[1].lstrip(b"+-0")[:20]  # more say no more: the number is as large as it gets
    number = int(digits or b"0")
    return max(-LARGEST - 1, -number) if found[1].startswith(b"-") else min(number, LARGEST)
