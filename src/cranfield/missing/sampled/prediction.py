"""Scores from a few labels of people and many of a model: `prediction_powered`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Unpack

import numpy as np

from cranfield.align.policy import Policy, PolicyChoices
from cranfield.arrays import Floats
from cranfield.errors.arguments import checked_methods
from cranfield.errors.ranges import check_confidence
from cranfield.measures.grammar import parse_many
from cranfield.missing.sampled.by_documents import by_documents
from cranfield.missing.sampled.by_topics import by_topics
from cranfield.read.objects import as_qrels, as_runs
from cranfield.registry import one_of
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.source import Input
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike

LabelledBy = Literal["topics", "documents"]


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class PredictionPowered(Result):
    """Mean scores from a few labels of people and many of a model, with intervals.

    Attributes:
        runs: their names.
        measures: their names.
        by: what people judged a sample of: `topics` or `documents`.
        values: `[run, measure]`: the estimates.
        errors: `[run, measure]`: their standard errors.
        intervals: `[run, measure, 2]`.
        people: `[run, measure]`: the estimates from people's labels alone.
        people_errors: `[run, measure]`: the standard errors of these.
        model: `[run, measure]`: the scores under the model's labels alone.
        weights: `[run, measure]`: how much the model's labels weigh (lambda).
        labelled: how many topics, or documents, people judged.
        others: how many the model labelled alone.
        level: of the intervals.
        audit: what shaped the numbers.
    """

    command: ClassVar[str] = "evaluate"

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    by: LabelledBy
    values: Floats
    errors: Floats
    intervals: Floats
    people: Floats
    people_errors: Floats
    model: Floats
    weights: Floats
    labelled: int
    others: int
    level: float
    audit: Audit

    def sheet(self) -> Sheet:
        """The printed table: one row per run and measure."""
        from cranfield.missing.sampled.sheet import prediction_sheet

        return prediction_sheet(self)

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        rows = [dict(record) for record in self.sheet().records()]
        return {"by": self.by, "labelled": self.labelled, "others": self.others, "level": self.level, "scores": rows}


def prediction_powered(
    people: "QrelsLike",
    model: "QrelsLike",
    runs: "RunsLike",
    measures: "MeasuresLike" = ("nDCG@10",),
    *,
    by: LabelledBy = "topics",
    tuned: bool = True,
    level: float = 0.95,
    policy: Policy | None = None,
    **policies: Unpack[PolicyChoices],
) -> PredictionPowered:
    """Mean scores from a few labels of people that correct many labels of a model.

    By `topics`, people judged a random sample of the topics and the model all of them: the mean score under the model's
    labels is corrected by the mean difference on the topics that both judged (prediction-powered inference). The
    interval is for a mean over topics like these. By `documents`, people judged a random sample of the documents of
    every topic, with strata or inclusion probabilities: each sampled document corrects what the model says of documents
    like it (a difference estimator), for P, CG, DCG, RBP, nCG, nDCG and AP. The interval is for the value that judging
    every document would give on these topics.

    Args:
        people: labels of people, for some topics or for sampled documents.
        model: labels of a model.
        runs: one run or several.
        measures: names such as `"nDCG@10"`.
        by: what people judged a sample of.
        tuned: by topics, whether the model's labels weigh as much as they are worth (PPI++), or fully.
        level: of the intervals.
        policy: the choices that shape the numbers; single ones can be given by name.

    >>> import cranfield as cf
    >>> model = {f"q{n}": {"a": 1, "b": n % 2} for n in range(12)}
    >>> people = {f"q{n}": {"a": int(n != 4), "b": n % 2} for n in range(6)}
    >>> found = cf.prediction_powered(people, model, {topic: ["a", "b"] for topic in model}, "P@2")
    >>> found.model.round(4), found.people.round(4), found.values.round(4)
    (array([[0.75]]), array([[0.6667]]), array([[0.6667]]))
    """
    one_of("by", by, ("topics", "documents"))
    check_confidence(level=level)
    chosen = (policy or Policy()).with_(**policies)
    chosen.require_one_order("prediction-powered inference")
    chosen.require_single_values("prediction-powered inference")
    chosen.require_no_ones("prediction-powered inference")
    wanted = parse_many(measures)
    human, machine, tables = as_qrels(people), as_qrels(model), as_runs(runs)
    if by == "topics":
        labelled, others, found = by_topics(human, machine, tables, wanted, chosen, tuned, level)
    else:
        labelled, others, found = by_documents(human, machine, tables, wanted, chosen, level)
    shape = (len(tables.members), len(wanted))
    columns = {
        name: np.array([getattr(each, name) for each in found], dtype=np.float64)
        for name in ("value", "error", "interval", "people", "people_error", "model", "weight")
    }
    return PredictionPowered(
        runs=tuple(run.name for run in tables.members),
        measures=tuple(map(str, wanted)),
        by=by,
        values=columns["value"].reshape(shape),
        errors=columns["error"].reshape(shape),
        intervals=columns["interval"].reshape(*shape, 2),
        people=columns["people"].reshape(shape),
        people_errors=columns["people_error"].reshape(shape),
        model=columns["model"].reshape(shape),
        weights=columns["weight"].reshape(shape),
        labelled=labelled,
        others=others,
        level=level,
        audit=Audit(
            policies=chosen.as_dict(),
            inputs=[Input.of("qrels", human), Input.of("qrels", machine)],
            versions=versions("scipy") if by == "topics" else versions(),
        ),
    )
