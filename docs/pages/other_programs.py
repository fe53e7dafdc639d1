"""The names of measures in other programs: what is read as what, with the same value, and what is refused."""

import json
import math
import warnings

import cranfield as cf
from cranfield.measures.grammar import parse
from docs.markup import code, table, written
from tests.golden.peers import DIFFERENT, FORMATS, NAMES, QRELS, RECORD, RUN, SUBTOPICS, needs_subtopics, tolerance


def page() -> str:
    """The names of measures in other programs."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    parts = [
        "# Names of other programs",
        "What becomes of every name of a measure that these programs print or take, and of the forms in which they "
        "keep judgments and runs. The programs were run by `scripts/peers` on the same small collection of three "
        "topics, measures of diversity on judgments of its subtopics; a number is *equal* if it agrees with ours to "
        "the ninth digit (BEIR and gdeval round to the fifth). Where one name has two meanings, it is refused, and "
        "the hint says what to write.",
    ]
    for program, names in NAMES.items():
        values = record[program]["values"]
        rows = [(code(name), *_fate(program, name, values.get(name))) for name in names]
        parts += [f"## {program} {record[program]['version']}", table(("there", "here", "value"), rows)]
    rows = [(program, form, here) for program, form, here in FORMATS]
    parts += [
        "## MTEB, RecBole and others",
        "`NAME_at_10` is read as `NAME@10`: `ndcg_at_10`, `map_at_10`, `recall_at_10`, `precision_at_10`, "
        "`mrr_at_10`, `hit_rate_at_10`. `HR@10`, `Hit@10` and `accuracy@10` are `Success@10`. RecBole divides `MAP@10` "
        "by the smaller of 10 and the number of relevant documents: `AP(denominator='min')@10`; `MAP@10` is read as "
        "trec_eval, ranx and BEIR mean it. These programs were not run.",
        "## Forms of judgments and runs",
        table(("program", "form", "here"), rows),
    ]
    return written(parts)


_RBP = "`RBP` needs `rel` there, and takes no cut-off"
NOT_COMPUTED = dict.fromkeys(("RBP", "RBP@3", "RBP(rel=2, p=0.95)@3"), _RBP)  # why there is no number


def _fate(program: str, name: str, theirs: float | None) -> tuple[str, str]:
    try:
        here = str(parse(name))
    except cf.MeasureError as error:
        return "refused", f"hint: {error.hint.partition('; cranfield.describe')[0]}"
    if name in DIFFERENT:
        why, instead = DIFFERENT[name]
        return code(here), f"differs: {why}; {code(instead)} is equal"
    if theirs is None:
        return code(here), f"not computed there: {NOT_COMPUTED[name]}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)  # little was judged
        topic, part, document, grade = zip(*SUBTOPICS, strict=True)
        diverse = cf.Qrels.of(topic, document, list(grade), part)
        ours = float(cf.evaluate(diverse if needs_subtopics(name) else QRELS, RUN, name).means[0, 0])
    if not math.isclose(ours, theirs, abs_tol=tolerance(program, name)):
        raise ValueError(f"{program} gives {theirs} for {name}, and we give {ours}")
    return code(here), f"equal ({theirs:.4f})"
