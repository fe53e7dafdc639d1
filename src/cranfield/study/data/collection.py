"""Collection: runs × topics × judgments, joined once; a mask over the judgments gives a collection with fewer."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.index import index_of
from cranfield.align.policy import Policy
from cranfield.align.side_by_side import side_by_side
from cranfield.arrays import Bools, Floats
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure
from cranfield.measures.scoring import EvaluationPlan
from cranfield.read.groups import as_groups, match_groups
from cranfield.read.objects import as_qrels, as_sources
from cranfield.study.data.joining import PlacedJudgments, joined_runs, refuse_lists, wanted_measures
from cranfield.study.data.removal import base_without, of_runs, without
from cranfield.study.data.selection import Choice
from cranfield.tables.audit import Audit
from cranfield.tables.source import Grades, Source
from cranfield.tables.summary import summary
from cranfield.tables.text import Text
from cranfield.tables.words import counted
from cranfield.versions import versions

TOGETHER = 200_000  # hits that are looked at at once: several small worlds, or a few runs of a large one


@dataclass(frozen=True, eq=False)
class Collection:
    """Judgments and runs that a study works on.

    Attributes:
        runs: the names of the runs, those that were dropped left out.
        topics: the judged topics.
        measures: what is computed.
        policy: the choices that shape a score.
        hits: the rankings of all runs: run after run, topic after topic.
        judgments: the judgments, by place.
        answered: `[run, topic]`, whether the run has a list.
        groups: the group of each run; without groups each run is its own.
        audit: inputs, policies, versions.
        chosen: the rules by which runs were kept, as plain data.
        notes: the runs that these rules dropped.
        judged_ids: the ids of the judged documents, in the process that read them; workers have None.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> tiny = Collection.of(qrels, {"x": {"q1": ["a", "b", "c"]}, "y": {"q1": ["b", "a"]}}, ["P@1", "R@2"])
    >>> tiny.full[:, 0]  # P@1 and R@2 of x and y
    array([[1. , 0.5],
           [0. , 0.5]])
    >>> tiny.scores(tiny.judgments.grade[None] > 0)[0, 1, 0]  # b is unjudged now
    array([0. , 0.5])
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    policy: Policy
    hits: Hits
    judgments: PlacedJudgments
    answered: Bools
    groups: tuple[str, ...]
    audit: Audit
    chosen: Mapping[str, Any]  # plain data
    notes: tuple[str, ...] = ()
    judged_ids: Text | None = None

    @classmethod
    def of(
        cls,
        qrels: Any,  # anything `as_qrels` takes
        runs: Any,  # anything `as_sources` takes
        measures: object,
        *,
        policy: Policy | None = None,
        keep: str | Sequence[str] = (),
        sample: int | None = None,
        groups: Any = None,  # anything `as_groups` takes
        seed: int = 0,
        jobs: int | None = None,
        progress: Callable[[str, int, int], None] | None = None,
        grades: Grades = "int",
        **policies: Any,  # the fields of Policy, one by one
    ) -> "Collection":
        """Read judgments and runs, join them once, keep the runs that the rules allow."""
        chosen = (policy or Policy()).with_(**policies)
        chosen.require_one_order("a study")
        chosen.require_single_values("a study")
        if chosen.topic_set == "union":
            raise PolicyError(
                "E243", f"{setting('topic_set', 'union')} has no meaning for a study", hint="one of qrels, intersection"
            )
        rules = (keep,) if isinstance(keep, str) else tuple(keep)
        named = None if groups is None else as_groups(groups)
        choice = Choice(rules, sample, named, chosen.rel, seed)
        wanted = wanted_measures(measures, chosen)
        judged = as_qrels(qrels, grades)
        plan = EvaluationPlan(index_of(judged, chosen.negative, plain=wanted[0]), wanted, chosen)
        joined = joined_runs(plan, as_sources(runs), jobs, progress)
        if named is not None:
            match_groups(named, [run.facts.name for run in joined], groups)
        kept, notes = choice.of(joined)
        if not kept:
            raise InputError("E233", "no run is left", hint="; ".join(notes) or "name some runs")
        topics = plan.judgments.topics
        names = tuple(run.facts.name for run in kept)
        missing = {run.facts.name: [topic for topic in topics if topic not in set(run.facts.topics)] for run in kept}
        missing = {run: lacking for run, lacking in missing.items() if lacking}
        if missing:
            fate = "left out" if chosen.topic_set == "intersection" else "scored 0"
            notes.append(f"topics missing in {counted(len(missing), 'run')}, {fate}")
        shared = {run.facts.name: run.facts.source.shared_name for run in kept if run.facts.source.shared_name}
        inputs = [{"role": "qrels", "name": judged.source.name or "qrels", **_input(len(judged), judged.source)}]
        inputs += [
            {"role": "run", "name": facts.place, "run": facts.name, **_input(facts.rows, facts.source)}
            for facts in (run.facts for run in joined)
        ]
        found = cls(
            runs=names,
            topics=topics,
            measures=wanted,
            policy=chosen,
            hits=side_by_side([run.hits for run in kept]),
            judgments=PlacedJudgments.of(plan.judgments),
            answered=np.array([[topic not in missing.get(name, ()) for topic in topics] for name in names]),
            groups=tuple(choice.group(name) for name in names),
            audit=Audit(
                topics_in_mean=len(topics),
                topics_missing=missing,
                negative_grades=plan.judgments.negative,
                repeated_judgments=plan.judgments.repeated,
                policies=chosen.as_dict(),
                inputs=inputs,
                shared_names=shared,
                folded={run.facts.name: run.facts.left_out.folded for run in kept if run.facts.left_out.folded},
                self_matches={
                    run.facts.name: run.facts.left_out.self_matches for run in kept if run.facts.left_out.self_matches
                },
                versions=versions("scipy"),
                seed=seed,
            ),
            chosen={
                "keep": list(rules),
                "sample": sample,
                "groups": str(groups) if isinstance(groups, str | os.PathLike) else named,
            },
            notes=(*notes, *Audit(shared_names=shared).name_notes()),
            judged_ids=judged.document,
        )
        found.full  # noqa: B018  # a measure that cannot be computed is refused before anything begins
        return found

    @property
    def judged_documents(self) -> list[str]:
        """The judged documents by name, each once."""
        return [] if self.judged_ids is None else self.judged_ids.codes()[0]

    def settings(self) -> dict[str, Any]:
        """Measures, policies, and the rules by which runs were kept."""
        return {
            "measures": [str(measure) for measure in self.measures],
            "policies": self.policy.as_dict(),
            **self.chosen,
        }

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all data of a study: names, ranks, grades, judgments."""
        state = hashlib.sha256(repr((self.runs, self.topics, self.groups, self.hits.top_grade)).encode())
        columns = ("rank", "grade", "ranking", "document", "retrieved", "base_topic", "base_grade")
        arrays = [getattr(self.hits, name) for name in (*columns, "pooled_rank", "pooled_ranking")]
        for array in (*arrays, self.judgments.order, self.judgments.base_place, self.answered):
            state.update(f"{array.dtype.str}{array.shape}".encode())
            state.update(np.ascontiguousarray(array).data)
        return state.hexdigest()

    @cached_property
    def full(self) -> Floats:
        """`[run, topic, measure]`: the scores with all judgments."""
        values = np.concatenate([self._computed(hits, 1)[0] for _, hits in self._blocks])
        return np.where(self.answered[..., None], values, np.nan) if self._answered_only else values

    @cached_property
    def full_means(self) -> Floats:
        """`[run, measure]`: the means with all judgments."""
        return self.means(self.full)

    def scores(self, judged: Bools) -> Floats:
        """`[world, run, topic, measure]`: the scores in worlds where only some judgments exist.

        `judged[world, place]` says which; the other documents are unjudged, not nonrelevant.
        """
        values = np.empty((len(judged), len(self.runs), len(self.topics), len(self.measures)))
        share = judged.sum(axis=1) / max(judged.shape[1], 1)
        largest = max(len(hits.rank) + len(hits) for _, hits in self._blocks)
        for worlds in _together(share * largest):
            base = base_without(self.hits, self.judgments.base_place, judged[worlds])
            for runs, hits in self._blocks:
                some = without(hits, judged[worlds], base)
                values[worlds, runs] = self._computed(some, worlds.stop - worlds.start)
        if self._answered_only:
            values[:, ~self.answered] = np.nan
        return values

    def require_judgments(self, what: str) -> None:
        """Refuse what needs judgments, where only scores are known; here there are some."""

    @property
    def _answered_only(self) -> bool:
        return self.policy.topic_set == "intersection"

    def means(self, scores: Floats) -> Floats:
        """`[…, run, measure]` of `[…, run, topic, measure]`: exactly what `evaluate` gives for each run."""
        *lead, topics, measures = scores.shape
        rows = np.moveaxis(scores, -1, -2).reshape(-1, topics)
        kinds = [measure.definition.average for measure in self.measures]
        found = [summary(row, kinds[number % measures]) for number, row in enumerate(rows)]
        return np.array(found, dtype=np.float64).reshape(*lead, measures)

    @cached_property
    def _blocks(self) -> list[tuple[slice, Hits]]:
        """Blocks of runs that are processed together: few enough that their hits fit into the processor's cache."""
        topics = len(self.topics)
        ends = np.searchsorted(self.hits.ranking, np.arange(1, len(self.runs) + 1) * topics)
        parts = _together(np.diff(ends, prepend=0).astype(np.float64))
        return [(part, of_runs(self.hits, part.start * topics, part.stop * topics)) for part in parts]

    def __getstate__(self) -> dict[str, Any]:
        """Pickle only what another process cannot compute itself, without ids."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"judged_ids": None}

    def _computed(self, hits: Hits, worlds: int) -> Floats:
        """Every measure on the rankings of some worlds; undefined values follow the policy."""
        shape = (worlds, len(hits) // (worlds * len(self.topics)), len(self.topics))
        values = np.empty((*shape, len(self.measures)))
        for column, measure in enumerate(self.measures):
            refuse_lists(measure)
            found = measure(hits)
            if measure.definition.uses_grades:
                found = self.policy.counted(found, hits.judged_at_least(measure.rel) == 0)
            values[..., column] = found.reshape(shape)
        return values


def _input(rows: int, source: Source) -> dict[str, Any]:  # plain data
    """Rows and fingerprint of an input."""
    return {"rows": rows, "sha256": source.sha256}


def _together(sizes: Floats) -> Iterator[slice]:
    """Blocks of neighbours: as many as stay within the size limit, at least one."""
    begin, load = 0, 0.0
    for place, size in enumerate(sizes.tolist()):
        if load and load + size > TOGETHER:
            yield slice(begin, place)
            begin, load = place, 0.0
        load += size
    if begin < len(sizes):
        yield slice(begin, len(sizes))
