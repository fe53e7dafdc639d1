"""Numbers as the C library reads them: the longest sensible beginning of a text, else 0."""

import re
from decimal import Decimal

_DECIMAL = re.compile(rb"[ \t-\r]*([+-]?)(?:(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)")
_HEXADECIMAL = re.compile(rb"[ \t-\r]*([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)")
_WORD = re.compile(rb"[ \t-\r]*([+-]?)(inf(?:inity)?|nan)", re.IGNORECASE)
_WHOLE = re.compile(rb"[ \t-\r]*([+-]?\d+)")
LARGEST = 2**63 - 1


def real(text: bytes) -> float:
    """The number a text begins with, as C's `atof` reads it; 0 if it begins with none.

    >>> [real(text) for text in (b"12abc", b"1_000", b"0x10", b"abc", b"-inf", b"1e", b".5.5")]
    [12.0, 1.0, 16.0, 0.0, -inf, 1.0, 0.5]
    """
    if found := _HEXADECIMAL.match(text):
        return float.fromhex(found[1].decode())
    if found := _DECIMAL.match(text):
        return float(found[0].strip())
    if found := _WORD.match(text):
        return float(found[0].strip())
    return 0.0


def whole(text: bytes) -> int:
    """The whole number a text begins with, as C's `atol` reads it; 0 if it begins with none.

    >>> [whole(text) for text in (b"2.9", b"+2", b"yes", b"0x10", b"-1", b"99999999999999999999")]
    [2, 2, 0, 0, -1, 9223372036854775807]
    """
    found = _WHOLE.match(text)
    if found is None:
        return 0
    number = int(Decimal(found[1].decode()))  # int() refuses texts of more than 4300 digits
    return max(-LARGEST - 1, min(number, LARGEST))
