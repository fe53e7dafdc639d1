"""Read judgments and runs and join them once, for a collection."""

from contextlib import closing
from dataclasses import dataclass

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.joined_run import JoinedRun, with_names_of_their_own
from cranfield.align.policy import Policy
from cranfield.arrays import Floats, Ints
from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure, parse_many
from cranfield.measures.scoring import EvaluationPlan, no_common_topic
from cranfield.read.sources.runs import RunSource, Sources
from cranfield.workers import Progress, workers


@dataclass(frozen=True, eq=False)
class PlacedJudgments:
    """Every judgment by its place; `hits.document` is the place of each hit."""

    topic: Ints
    grade: Ints | Floats  # below 0: pooled, but not judged
    order: Ints  # the places by topic and document id: an order that no other topic, file or hash can change
    base_place: Ints  # the places of the recall base, as in `hits.base_grade`

    @classmethod
    def of(cls, index: JudgmentIndex) -> "PlacedJudgments":
        """The judgments of an index."""
        topic = index.qrels.topic[index.row]
        ids = index.qrels.document.take(index.row).raws()
        by_id = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)
        order = by_id[np.argsort(topic[by_id], kind="stable")]
        return cls(topic, index.grade, order, index.base_place)

    def __len__(self) -> int:
        return len(self.topic)


def wanted_measures(measures: object, policy: Policy) -> tuple[Measure, ...]:
    """The measures as the policy wants them; those that need judgments of subtopics are refused."""
    leveled = [m.at_level(policy.rel) if policy.rel != 1 else m for m in parse_many(measures)]
    wanted = tuple(dict.fromkeys(m.as_condensed() if policy.unjudged == "condensed" else m for m in leveled))
    if not wanted:
        raise PolicyError("E244", "no measure was given", hint=setting("measures", ["AP", "bpref", "RankEff"]))
    if diverse := next((measure for measure in wanted if measure.definition.needs_subtopics), None):
        raise MeasureError("E230", f"{diverse} cannot be studied", hint="studies need one judgment per document")
    if estimate := next((measure for measure in wanted if measure.definition.needs_sample), None):
        hint = "studies leave judgments out, and do not know how that changes a sample; take AP or nDCG"
        raise MeasureError("E230", f"{estimate} cannot be studied", hint=hint)
    for measure in wanted:
        refuse_lists(measure)
    return wanted


def refuse_lists(measure: Measure) -> None:
    """Refuse a measure that needs whole lists, because a study keeps only the judged documents of the runs."""
    if measure.definition.needs_lists:
        hint = "measures of judged documents can be studied; this one looks at unjudged ones too"
        raise MeasureError("E230", f"{measure} cannot be studied", hint=hint)


def joined_runs(plan: EvaluationPlan, sources: Sources, jobs: int | None, progress: Progress | None) -> list[JoinedRun]:
    """Join every run with the judgments; the lists are not kept."""
    found: dict[tuple[str, int], list[JoinedRun]] = {}  # by name, and by dataset or number
    members = sources.members
    sizes = [source.size for source in members]
    with closing(workers(jobs, None, sizes).map(_open, plan, members, sizes)) as results:
        for number, source in enumerate(members):
            if progress is not None:
                progress(source.label, number, len(members))
            for run in next(results):
                facts = run.facts
                sources.seen(source.label, facts.source.format, facts.rows)
                whole = number if source.dataset is None else ~id(source.dataset)
                found.setdefault((facts.name, whole), []).append(run)
    runs = [parts[0] if len(parts) == 1 else JoinedRun.together(parts) for parts in found.values()]
    for run, facts in zip(runs, with_names_of_their_own([run.facts for run in runs]), strict=True):
        run.facts = facts
    for run in runs:
        if not any(topic in plan.judgments.number for topic in run.facts.topics):
            raise no_common_topic(plan, run.facts.place, run.facts.topics)
    return runs


def _open(plan: EvaluationPlan, source: RunSource) -> tuple[JoinedRun, ...]:
    return tuple(plan.join(run) for run in source.open())
