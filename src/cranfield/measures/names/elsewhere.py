"""Measure names of other programs that mean something else here, or nothing, and what to write instead."""

import math
import re
from collections.abc import Mapping

from cranfield.errors import MeasureError
from cranfield.errors.wording import setting
from cranfield.measures.definition import MEASURES, MeasureDefinition, Value
from cranfield.measures.names import listed

NEEDS_NUMBER = ("map_cut", "ndcg_cut", "rprec_mult")  # names of trec_eval that stand for several cut-offs
_LEVEL = r"(?P<name>[^@()]+?)(?P<before>@\d+)?-[lL](?P<level>\d+)(?P<after>@\d+)?"
_NUMBERED = r"(?P<name>[^\W\d]+?)(?P<sign>[._]?)(?P<digits>\d*\.?\d+)(?P<at>@\d+)?"  # rbp.95, rbp_95, rbp95, F2@5
_RANX_RBP = r"(?P<name>rbp)(?P<sign>@)(?P<digits>\d+)"  # in small letters only
_AFTER_CUTOFF = r"(?P<name>[^@()\s]+)@(?P<at>[\d.]+)(?P<inside>\(.*\))"
_PARAMETERS = {"p": "RBP RBPResidual iRBU Compat NERR10", "T": "INST INSQ", "beta": "F"}  # what a number in the name is
WHOLE_LIST = {"precision": "SetP", "recall": "SetR", "f1": "SetF"}  # what ranx means without a cut-off
_PRESETS = {"ndcg_burges": "nDCG(dcg='exp-log2')", "dcg_burges": "DCG(dcg='exp-log2')"}  # gains of 2^grade - 1
_SMALL_LETTERS = dict.fromkeys(  # with a capital letter, ir_measures means something else
    ("accuracy", "acc", "top_k_accuracy", "top_k_acc"), "Success"
)
_ACCURACY = "write Success@10, which says whether a relevant document is among the first 10 (Accuracy of BEIR); the"
_PAIRS = "BprefN is the share of the judged pairs of a topic in right order"
_ANSWERS = {
    "hole": "Unj@10 is the share of the first 10 that is not judged for the topic; Hole counts documents that are "
    "judged for no topic",
    "ndcg_score": "write nDCG@10; scikit-learn takes the mean over all orders of equal scores, as {ties} does",
    "dcg_score": "write DCG@10; scikit-learn takes the mean over all orders of equal scores, as {ties} does",
    "label_ranking_average_precision_score": "write AP; scikit-learn counts a topic without relevant documents as 1, "
    "as {one} does, and a relevant document below all that have its score",
    "label_ranking_loss": "BprefN is 1 minus this, if all documents are judged and no scores are equal",
    "coverage_error": "the rank of the last relevant document is not here; ASL is the mean of their ranks",
    "average_precision_score": "write AP; scikit-learn treats documents with equal scores as one rank",
    "top_k_accuracy_score": "write Success@10; scikit-learn's measure is one of classification",
    "roc_auc_score": _PAIRS,
    "auc": _PAIRS,
    "gauc": _PAIRS,
    "precision_score": "write SetP, or P@10 for the first 10 documents",
    "recall_score": "write SetR, or R@10 for the first 10 documents",
    "f1_score": "write SetF, or F@10 for the first 10 documents",
    "mrr_cut": "write RR@10",
    "accuracy": f"{_ACCURACY} Accuracy of ir_measures, a share of pairs in right order, is not here",
}
_LONG = 8  # digits: a longer number was computed from another


def refusal(text: str) -> str | None:
    """What to write instead of a name that means something else here, or nothing: names of ranx, lists with commas.

    >>> refusal("rbp.95")
    'write RBP(p=0.95), or RBP@95 for the first 95 documents'
    >>> refusal("precision@10-l2"), refusal("ndcg@10-l3"), refusal("P.5")
    ('write P(rel=2)@10', 'write nDCG(gains={1: 0, 2: 0})@10', None)
    >>> refusal("AP,nDCG@10"), refusal("P@10(rel=2)"), refusal("F2@5")
    ('one measure is asked for, and these are several: AP nDCG@10', 'write P(rel=2)@10', 'write F(beta=2)@5')
    """
    if "," in text and (several := listed(text)) != [text]:
        return f"one measure is asked for, and these are several: {' '.join(several)}"
    if 0 < text.find("@") < text.find("("):
        late = re.fullmatch(_AFTER_CUTOFF, text, re.DOTALL)
        return f"write {late['name']}{late['inside']}@{late['at']}" if late and MEASURES.find(late["name"]) else None
    if ("-l" in text or "-L" in text) and (level := re.fullmatch(_LEVEL, text)):
        name = level["name"].lower()
        preset = _PRESETS.get(name, name).partition("(")[0]
        definition, form = MEASURES.find(preset), "dcg='exp-log2', " if name in _PRESETS else ""
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


def answer(name: str) -> str | None:
    """What to write for a measure of another program that is not here, or has another name.

    >>> answer("AUC"), answer("AP")
    ('BprefN is the share of the judged pairs of a topic in right order', None)
    """
    found = _ANSWERS.get(re.sub(r"-l\d+$", "", name.lower()))
    return found and found.format(ties=setting("ties", "expected"), one=setting("no_relevant", "one"))


def respelled(text: str) -> str:
    """A measure as it is written here, where another program spells it in a way that no alias covers.

    >>> respelled("ndcg_at_10"), respelled("ndcg_burges@5"), respelled("accuracy@5"), respelled("Accuracy@5")
    ('ndcg@10', "nDCG(dcg='exp-log2')@5", 'Success@5', 'Accuracy@5')
    """
    name, at, cutoff = text.partition("@")
    if not at and "_at_" in name and (parts := name.rpartition("_at_"))[2] in ("k", "K", _digits(parts[2])):
        name, at, cutoff = parts[0], "@", parts[2]
    return _PRESETS.get(name.lower(), _SMALL_LETTERS.get(name, name)) + at + cutoff


def _digits(text: str) -> str | None:
    return text if text.isdigit() else None


def with_cutoff(text: str) -> str | None:
    """A name with a number at its end, written with a cut-off.

    >>> with_cutoff("ndcg10"), with_cutoff("P100"), with_cutoff("zzz9")
    ('nDCG@10', 'P@100', None)
    """
    shape = re.fullmatch(r"(?P<name>[^\W\d_]+)(?P<cutoff>\d+)", text)
    definition = shape and MEASURES.find(shape["name"])
    return f"{definition.name}@{shape['cutoff']}" if shape and definition and definition.at == "cutoff" else None


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
