"""Names of measures for trackers of experiments, which take letters, digits, `_`, `-` and `.` only.

    nDCG@10                    ndcg_10
    RBP(p=0.8)                 rbp_p0.8
    nDCG'(dcg='exp-log2')@10   ndcg_condensed_dcg.exp-log2_10

The parts are joined by `_`: the name in small letters, `condensed` for a prime, each parameter, the cut-off. A number
follows the name of its parameter at once, a text after a dot, anything else after a hyphen. In texts any character but
letters, digits and hyphens is written as its number in base 16 between two dots. So every name can be read back.
"""

import ast
import re
from collections.abc import Sequence

from cranfield.registry import one_of

_SHAPE = re.compile(r"(?P<name>[^'()@\s]+)(?P<prime>')?(?:\((?P<inside>.*)\))?(?:@(?P<at>\S+))?", re.DOTALL)
CONDENSED = "condensed"


def names_of(measures: Sequence[str], names: str) -> list[str]:
    """The measures by their names, or by those for trackers.

    >>> names_of(["nDCG@10"], "measure"), names_of(["nDCG@10"], "tracker")
    (['nDCG@10'], ['ndcg_10'])
    """
    one_of("names", names, ("measure", "tracker"))
    return [tracker_name(measure) for measure in measures] if names == "tracker" else list(measures)


def tracker_name(measure: str) -> str:
    """The name of a measure that MLflow and others take, from its canonical name.

    >>> tracker_name("nDCG@10"), tracker_name("RBP(p=0.8)"), tracker_name("AP'(rel=2)@5"), tracker_name("SetP")
    ('ndcg_10', 'rbp_p0.8', 'ap_condensed_rel2_5', 'setp')
    >>> tracker_name("nDCG(dcg='exp-log2', gains={1: 0.5})")
    'ndcg_dcg.exp-log2_gains-.7b.1.3a..20.0.2e.5.7d.'
    """
    shape = _SHAPE.fullmatch(measure)
    if shape is None:  # not the name of a measure: a label that a caller gave to scores
        return escaped(measure.lower(), keep="_")
    parts = [escaped(shape["name"].lower(), keep="_"), *([CONDENSED] if shape["prime"] else [])]
    parts += [key + _value(value) for key, value in _parameters(shape["inside"] or "")]
    return "_".join([*parts, *([shape["at"]] if shape["at"] else [])])


def _parameters(inside: str) -> list[tuple[str, object]]:
    call = ast.parse(f"f({inside}\n)", mode="eval").body
    keywords = call.keywords if isinstance(call, ast.Call) else []
    return [(str(keyword.arg), ast.literal_eval(keyword.value)) for keyword in keywords]


def _value(value: object) -> str:
    if isinstance(value, str):
        return "." + escaped(value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    text = repr(value).replace("e+", "e") if number else repr(value)
    return text if text[0].isdigit() else "-" + escaped(text)


def escaped(text: str, keep: str = "") -> str:
    """The text with everything but letters, digits, hyphens and `keep` written as numbers between dots.

    >>> escaped("exp-log2"), escaped("RBP(p=0.5)")
    ('exp-log2', 'RBP.28.p.3d.0.2e.5.29.')
    """
    return "".join(c if (c.isascii() and c.isalnum()) or c in "-" + keep else f".{ord(c):x}." for c in text)


def plain(text: str) -> str:
    """What was escaped.

    >>> plain("RBP.28.p.3d.0.2e.5.29.")
    'RBP(p=0.5)'
    """
    return re.sub(r"\.([0-9a-f]+)\.", lambda code: chr(int(code[1], 16)), text)
