"""Measure names of other programs that mean something else here, or nothing, and what to write instead."""

import math
import re
from collections.abc import Mapping

from cranfield.errors import MeasureError
from cranfield.measures.definition import MEASURES, MeasureDefinition, Value

NEEDS_NUMBER = ("map_cut", "ndcg_cut", "rprec_mult")  # names of trec_eval that stand for several cut-offs
_LEVEL = r"(?P<name>[^@()]+?)(?P<before>@\d+)?-[lL](?P<level>\d+)(?P<after>@\d+)?"
_NUMBERED = r"(?P<name>[^\W\d]+?)(?P<sign>[._]?)(?P<digits>\d*\.?\d+)(?P<at>@\d+)?"  # rbp.95, rbp_95, rbp95, F2@5
_RANX_RBP = r"(?P<name>rbp)(?P<sign>@)(?P<digits>\d+)"  # in small letters only
_AFTER_CUTOFF = r"(?P<name>[^@()\s]+)@(?P<at>[\d.]+)(?P<inside>\(.*\))"
_PARAMETERS = {"p": "RBP RBPResidual iRBU Compat NERR10", "T": "INST INSQ", "beta": "F"}  # what a number in the name is
_ANSWERS = {
    "hits": "NumRelRet is the number of relevant documents retrieved, P@10 their share of the first 10",
    "hole": "Unj@10 is the share of the first 10 that is not judged for the topic",
    "accuracy": "Success@10 says whether a relevant document is among the first 10",
    "acc": "Success@10 says whether a relevant document is among the first 10",
    "top_k_accuracy": "Success@10 says whether a relevant document is among the first 10",
    "recall_cap": "RelativeP@10 is the share of what the first 10 have room for",
}
_LONG = 8  # digits: a longer number was computed from another
_BURGES = {"ndcg_burges": "nDCG", "dcg_burges": "DCG"}  # gains of 2^grade - 1


def refusal(text: str) -> str | None:
    """What to write instead of a name that means something else here, or nothing: names of ranx, lists with commas.

    >>> refusal("rbp.95")
    'write RBP(p=0.95), or RBP@95 for the first 95 documents'
    >>> refusal("precision@10-l2"), refusal("ndcg@10-l3"), refusal("P.5")
    ('write P(rel=2)@10', 'write nDCG(gains={1: 0, 2: 0})@10', None)
    >>> refusal("AP,nDCG@10"), refusal("P@10(rel=2)"), refusal("F2@5")
    ('separate measures by blanks: AP nDCG@10', 'write P(rel=2)@10', 'write F(beta=2)@5')
    """
    if "," in text and (several := _listed(text)):
        return f"separate measures by blanks: {several}"
    if 0 < text.find("@") < text.find("("):
        late = re.fullmatch(_AFTER_CUTOFF, text, re.DOTALL)
        return f"write {late['name']}{late['inside']}@{late['at']}" if late and MEASURES.find(late["name"]) else None
    if ("-l" in text or "-L" in text) and (level := re.fullmatch(_LEVEL, text)):
        name = level["name"].lower()
        definition, form = MEASURES.find(_BURGES.get(name, name)), "dcg='exp-log2', " if name in _BURGES else ""
        return definition and _at_level(definition, int(level["level"]), level["before"] or level["after"] or "", form)
    if MEASURES.find(text.partition("@")[0]) and "rbp@" not in text:  # no pattern is compiled for the usual names
        return None
    found = re.fullmatch(_NUMBERED, text) or re.fullmatch(_RANX_RBP, text)
    return found and _with_parameter(**found.groupdict(default=""))


def _with_parameter(name: str, sign: str, digits: str, at: str = "") -> str | None:
    """How a measure is written whose name was given with the value of its parameter: `rbp.95`, `F2`, `INST.3`."""
    definition = MEASURES.find(name)
    parameters = (key for key, names in _PARAMETERS.items() if definition and definition.name in names.split())
    parameter = next(parameters, None)
    if definition is None or parameter is None:
        return None
    if sign and "." in digits and definition.name == "RBP":  # rbp_0.8 and rbp.0.8 are read
        return None
    decimals = "." not in digits and (parameter == "p" or (parameter == "beta" and sign == "."))
    value = f"0.{digits}" if decimals else f"0{digits}" if digits.startswith(".") else digits
    cutoff = definition.parameters.get("cutoff")
    at = at or ("@10" if cutoff and cutoff.required else "")
    other = f", or {definition.name}@{digits} for the first {digits} documents"
    return f"write {definition.name}({parameter}={value}){at}{other if sign and cutoff and digits.isdigit() else ''}"


def _listed(text: str) -> str | None:
    """Measures with blanks between them, if the text holds several with commas; `utility.1,-1,0,0` is one."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    named = [part for part in parts if part]
    return " ".join(named) if len(parts) > 1 and named and all(part[0].isalpha() for part in named) else None


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


def spelled(definition: MeasureDefinition, values: Mapping[str, Value]) -> Mapping[str, Value]:
    """The parameters as they are printed: a long beta that comes from a short alpha is that alpha.

    >>> f = MEASURES["F"]
    >>> spelled(f, {"beta": math.sqrt(0.7 / 0.3)}), spelled(f, {"beta": 2.0, "rel": 2})
    ({'alpha': 0.3}, {'beta': 2.0, 'rel': 2})
    """
    beta = values.get("beta")
    if not isinstance(beta, float) or len(repr(beta)) <= _LONG or "alpha" in definition.parameters:
        return values
    alpha = round(1 / (1 + beta * beta), 6)
    if not 0 < alpha < 1 or math.sqrt((1 - alpha) / alpha) != beta:
        return values
    return {"alpha" if name == "beta" else name: alpha if name == "beta" else value for name, value in values.items()}
