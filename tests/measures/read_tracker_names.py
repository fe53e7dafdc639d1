"""The way back from `cranfield.tables.sheets.tracker_names`: proof that no two measures are logged under one name."""

import ast
import re

from cranfield.errors import MeasureError
from cranfield.measures.definition import MEASURES, MeasureDefinition, Value
from cranfield.measures.grammar import Measure, build
from cranfield.measures.names.elsewhere import with_beta
from cranfield.tables.sheets.tracker_names import CONDENSED, plain, tracker_name

_NUMBER = re.compile(r"\d[\d.]*(?:e-?\d+)?")


def from_tracker(name: str) -> Measure:
    """The measure that was logged under a name.

    >>> from_tracker("ndcg_10"), from_tracker("rbp_p0.8"), from_tracker("ap_condensed_rel2_5")
    (nDCG@10, RBP(p=0.8), AP'(rel=2)@5)
    """
    definition, rest = _definition(name)
    if name.endswith("_"):
        raise _unknown(name)
    values: dict[str, Value] = {}
    condensed = rest == CONDENSED or rest.startswith(CONDENSED + "_")
    rest = rest.removeprefix(CONDENSED).removeprefix("_") if condensed else rest
    keys = sorted({*definition.parameters, "alpha"}, key=len, reverse=True)
    while rest:
        key = next((key for key in keys if rest.startswith(key) and rest[len(key) :][:1] in tuple("0123456789.-")), "")
        written, _, rest = rest[len(key) :].partition("_")
        if not key and (definition.at is None or rest or not _NUMBER.fullmatch(written)):
            raise _unknown(name)
        values[key or str(definition.at)] = _read(written)
    return build(definition, with_beta(definition, values), condensed)


def _definition(name: str) -> tuple[MeasureDefinition, str]:
    """The measure with the longest name that begins so, and what follows."""
    known = {tracker_name(each): each for each in MEASURES}
    parts = name.split("_")
    for end in range(len(parts), 0, -1):
        if (found := known.get("_".join(parts[:end]))) is not None:
            return MEASURES[found], "_".join(parts[end:])
    raise _unknown(name)


def _read(written: str) -> Value:
    if written.startswith("."):
        return plain(written[1:])
    return ast.literal_eval(plain(written[1:]) if written.startswith("-") else written)


def _unknown(name: str) -> MeasureError:
    return MeasureError("E201", f"{name!r} is no name of a measure in a tracker", hint="such as ndcg_10 or rbp_p0.8")
