"""Numbers as people read them: the minus as wide as the plus, a blank before the sign for per cent.

All forms for people format numbers here; data forms (CSV, JSON, Parquet) hold plain numbers.
"""


def in_print(value: float, style: str) -> str:
    """A formatted number with typographic signs.

    >>> in_print(-0.0631, ".3f"), in_print(0.46, ".1%"), in_print(-0.125, "+.1%"), in_print(1e-7, ".0e")
    ('−0.063', '46.0 %', '−12.5 %', '1e-07')
    """
    shown = format(value, style)
    shown = f"{shown[:-1]} %" if shown.endswith("%") else shown
    return f"−{shown[1:]}" if shown.startswith("-") else shown


def percent(share: float, digits: int = 1) -> str:
    """A share of the whole.

    >>> percent(0.46), percent(2 / 3, 0)
    ('46.0 %', '67 %')
    """
    return in_print(share, f".{digits}%")


def minus(text: str) -> str:
    """The text with a minus sign in place of its hyphen.

    >>> minus("-0.55")
    '−0.55'
    """
    return text.replace("-", "−")
