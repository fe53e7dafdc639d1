"""Measure names of other programs that mean something else here, or nothing, and what to write instead."""

import math
import re
from collections.abc import Mapping

from cranfield.errors import MeasureError
from cranfield.measures.definition import MEASURES, MeasureDefinition, Value

NEEDS_NUMBER = ("map_cut", "ndcg_cut", "rprec_mult")  # names of trec_eval that stand for several cut-offs
_LEVEL = r"(?P<name>[^@()]+?)(?P<before>@\d+)?-[lL](?P<level>\d+)(?P<after>@\d+)?"
_POINTED = r"(?P<name>\w+)\.(?P<digits>\d+)(?P<at>@\d+)?"
_RANX_RBP = r"rbp@(?P<digits>\d+)"  # in small letters only
_ANSWERS = {
    "hits": "NumRelRet is the number of relevant documents retrieved, P@10 their share of the first 10",
    "hole": "Unj@10 is the share of the first 10 that is not judged for the topic",
    "accuracy": "Success@10 says whether a relevant document is among the first 10",
    "top_k_accuracy": "Success@10 says whether a relevant document is among the first 10",
    "recall_cap": "RelativeP@10 is the share of what the first 10 have room for",
}
_BURGES = {"ndcg_burges": "nDCG", "dcg_burges": "DCG"}  # gains of 2^grade - 1


def refusal(text: str) -> str | None:
    """What to write instead of a ranx name that means something else here, or nothing.

    >>> refusal("rbp.95")
    'write RBP(p=0.95), or RBP@95 for the first 95 documents'
    >>> refusal("precision@10-l2"), refusal("ndcg@10-l3"), refusal("P.5")
    ('write P(rel=2)@10', 'write nDCG(gains={1: 0, 2: 0})@10', None)
    """
    if not any(sign in text for sign in ("-l", "-L", ".", "rbp@")):  # no pattern is compiled for the usual names
        return None
    if level := re.fullmatch(_LEVEL, text):
        name = level["name"].lower()
        definition, form = MEASURES.find(_BURGES.get(name, name)), "dcg='exp-log2', " if name in _BURGES else ""
        return definition and _at_level(definition, int(level["level"]), level["before"] or level["after"] or "", form)
    if (persistence := re.fullmatch(_POINTED, text) or re.fullmatch(_RANX_RBP, text)) is None:
        return None
    parts = persistence.groupdict()
    definition = MEASURES.find(parts.get("name") or "rbp")
    if definition is None or "p" not in definition.parameters or definition.at not in definition.parameters:
        return None
    name, digits, at = definition.name, parts["digits"], parts.get("at") or ""
    return f"write {name}(p=0.{digits}){at}, or {name}@{digits} for the first {digits} documents"


def _at_level(definition: MeasureDefinition, level: int, at: str, form: str) -> str | None:
    """How a measure is written in which only documents of that grade and above count."""
    cut = definition.parameters.get(definition.at or "")
    at = "" if cut is None else at or ("@10" if cut.required else "")
    if "rel" in definition.parameters:
        return f"write {definition.name}(rel={level}){at}"
    if "gains" in definition.parameters and 1 < level < 10:
        gains = ", ".join(f"{grade}: 0" for grade in range(1, level))
        return f"write {definition.name}({form}gains={{{gains}}}){at}"
    return None


def answer(name: str, at: str) -> str | None:
    """What to write for a measure of another program that is not here, or has another name.

    >>> answer("ndcg_burges", "@10"), answer("AP", "")
    ("write nDCG(dcg='exp-log2')@10", None)
    """
    plain = re.sub(r"-l\d+$", "", name.lower())
    return f"write {_BURGES[plain]}(dcg='exp-log2'){at}" if plain in _BURGES else _ANSWERS.get(plain)


def with_beta(definition: MeasureDefinition, values: Mapping[str, Value]) -> dict[str, Value]:
    """The parameters of an F measure, with beta in place of alpha, the weight of precision.

    >>> with_beta(MEASURES["F"], {"alpha": 0.2, "rel": 1})
    {'rel': 1, 'beta': 2.0}
    """
    if "alpha" not in values or "alpha" in definition.parameters or "beta" not in definition.parameters:
        return dict(values)
    alpha = values["alpha"]
    shown = f"{definition.name}(alpha={alpha!r})"
    if "beta" in values:
        raise MeasureError(
            "E204", f"{shown}: beta is given, too", hint="beta^2 is (1 - alpha) / alpha; write one of them"
        )
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
        hint = "alpha is the weight of precision: 0.5 weighs both alike, 0.2 is beta=2"
        raise MeasureError("E203", f"{shown}: alpha must be between 0 and 1", hint=hint)
    return {name: value for name, value in values.items() if name != "alpha"} | {"beta": math.sqrt((1 - alpha) / alpha)}
