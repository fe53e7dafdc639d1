"""An entry of the catalogue: how a measure is calculated, and what kind of judgments it looks at."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from cranfield.compat.trec_eval.columns import PrintedColumn
from cranfield.compat.trec_eval.evaluation import Evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure
from cranfield.compat.trec_eval.quit import Quit

Calculation: TypeAlias = Callable[[Evaluation, RequestedMeasure], list[PrintedColumn]]
JudgmentForm: TypeAlias = Literal["", "qrels", "qrels_jg", "prefs"]

_FORMATS: Mapping[JudgmentForm, tuple[str, ...]] = {
    "qrels": ("qrels",),
    "qrels_jg": ("qrels_jg",),
    "prefs": ("prefs", "qrels_prefs"),
}
_FORMED_BY = {"qrels": "form_res_qrels", "qrels_jg": "form_res_rels_jg", "prefs": "form_prefs_counts"}


class Entry(NamedTuple):
    """A measure: how it is calculated, since which version, from which judgments, whether it prints several values.

    `judged` is empty for a measure that reads no documents; `check` reads the parameters and stops the program if they
    are invalid.
    """

    calculate: Calculation
    since: int = 9
    judged: JudgmentForm = "qrels"
    series: bool = False
    check: Callable[[RequestedMeasure], object] = lambda request: None

    def columns(self, lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        """The columns of the measure; the program stops if the judgments are of another kind."""
        formats = _FORMATS.get(self.judged, (lists.options.judgment_format,))
        if lists.options.judgment_format not in formats:
            problem = f"trec_eval.{_FORMED_BY[self.judged]}: rel_info format not {' or '.join(formats)}\n"
            raise Quit(4, f"{problem}trec_eval: Can't calculate measure '{request.name}'\n")
        return self.calculate(lists, request)
