"""Colours of charts on a dark ground: light and dark are exchanged, the hue stays.

Charts are drawn in light colours. On a page, each colour of a chart becomes a variable of the style sheet, which has
two values. Those of the palette have both; any other colour is turned in OKLab, where equal steps look equal (Björn
Ottosson, 2020): what was pale becomes deep, and what was deep becomes pale.
"""

import re

import numpy as np

from cranfield.arrays import Floats
from cranfield.reporting.style import PALETTE

KNOWN = dict(PALETTE.values())  # colours of charts -> their own on a dark ground
NAMES = {"white": "#ffffff", "black": "#000000"}
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})")
_RGB = re.compile(r"rgb\((\d+), ?(\d+), ?(\d+)\)")
_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_SUM = 1.19  # of the lightness of a colour and of its counterpart: white becomes the dark ground
_LIGHTEST = 0.93


def six_digits(colour: str) -> str | None:
    """A colour as `#rrggbb`; None if the text is none.

    >>> six_digits("#FFF"), six_digits("rgb(0, 114, 178)"), six_digits("black"), six_digits("none")
    ('#ffffff', '#0072b2', '#000000', None)
    """
    text = colour.strip().lower()
    if text in NAMES:
        return NAMES[text]
    if match := _HEX.fullmatch(text):
        digits = match[1]
        return f"#{digits if len(digits) == 6 else ''.join(digit * 2 for digit in digits)}"
    if match := _RGB.fullmatch(text):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in match.groups())
    return None


def on_dark(colour: str) -> str:
    """The counterpart of a colour `#rrggbb` on a dark ground.

    >>> on_dark("#1d1f21"), on_dark("#c6dcec")  # a pale blue becomes a deep one
    ('#e8e6e1', '#20323e')
    """
    if colour in KNOWN:
        return KNOWN[colour]
    lab = _oklab(colour)
    lab[0] = min(_SUM - lab[0], _LIGHTEST)
    return _hex(lab)


def _oklab(colour: str) -> Floats:
    share = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    lab: Floats = _LAB @ np.cbrt(_LMS @ linear)
    return lab


def _hex(lab: Floats) -> str:
    linear = np.clip(np.linalg.solve(_LMS, np.linalg.solve(_LAB, lab) ** 3), 0, 1)
    share = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(part) * 255):02x}" for part in share)
