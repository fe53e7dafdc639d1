"""Sampled judgments: how probable it was that each document was judged, for measures that estimate from samples.

    per document   topic · grade · stratum · share · chance    documents are numbered as in the index
    per stratum    first · together                            strata are numbered from topic to topic

A document with a grade below 0 is in the pool and was not sampled. `share` is the number judged over the number of
documents of its stratum, *n* / *M*; `chance` the inclusion probability that the judgments state, or that share where
they state none. Judgments without strata have one stratum per topic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints, segment_size
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.read.sources.adaptive_mark import adaptive_mark
from cranfield.tables.qrels import Qrels

_CLOSE = 1e-9  # probabilities of one stratum that differ by less are equal


class SampleNeed(NamedTuple):
    """What a measure needs to know about a sample."""

    measure: object
    strata: bool  # the members of every stratum; otherwise the probability of each judged document
    forced: bool  # whether documents chosen by looking at judgments count as drawn at random


@dataclass(frozen=True, eq=False)
class SampledJudgments:
    """How the documents of the judgments were sampled.

    >>> qrels = Qrels.of(["1", "1", "1"], ["a", "b", "c"], [1, -1, 0])
    >>> table = SampledJudgments.of(qrels.topic, qrels.grade)
    >>> table.share.round(4), table.together  # two of three judged; a pair of them with probability 2/3 · 1/2
    (array([0.6667, 0.6667, 0.6667]), array([2.]))
    """

    topic: Ints
    grade: Ints | Floats
    stratum: Ints
    share: Floats
    chance: Floats  # NaN where it is not known
    first: Ints  # of each stratum, the number of the first stratum of its topic
    together: Floats  # P(d) / P(d, j) of two documents of the stratum; NaN: they were drawn independently

    @classmethod
    def of(
        cls,
        topic: Ints,
        grade: Ints | Floats,
        stratum: Ints | None = None,
        probability: Floats | None = None,
    ) -> "SampledJudgments":
        """The table of judgments; `stratum` numbers the names of strata, each topic has those that occur in it.

        A stratum in which the probability of every judged document is *n* / *M* was drawn without replacement; two of
        its documents are judged together with probability *n* (*n* − 1) / (*M* (*M* − 1)).
        """
        names = 1 if stratum is None else int(stratum.max(initial=0)) + 1
        cells, cell = np.unique(topic * names + (0 if stratum is None else stratum), return_inverse=True)
        judged = grade >= 0
        size, drawn = segment_size(cell, len(cells)), segment_size(cell[judged], len(cells))
        share = drawn[cell] / size[cell]
        chance = share if probability is None else np.where(np.isnan(probability), share, probability)
        other = segment_size(cell[judged & (np.abs(chance - share) > _CLOSE)], len(cells))
        several = np.maximum(drawn - 1, 1)
        return cls(
            topic=topic,
            grade=grade,
            stratum=cell,
            share=share,
            chance=chance,
            first=np.searchsorted(cells // names, cells // names),
            together=np.where(other > 0, np.nan, (size - 1) / several),
        )

    @property
    def judged(self) -> Bools:
        """Which documents were sampled and judged."""
        return self.grade >= 0

    @property
    def place_in_topic(self) -> Ints:
        """The number of each document's stratum among those of its topic."""
        return self.stratum - self.first[self.stratum]


def sampled_list(
    found: Sequence[float | None],
    missed: Sequence[float] = (),
    *,
    strata: Sequence[int] | None = None,
    probabilities: Sequence[float] | None = None,
) -> Hits:
    """Hits of one ranking written by hand, with how its documents were sampled.

    Args:
        found: the grades of the documents in the list; -1 is in the pool and not sampled, None not in the pool.
        missed: the grades of documents of the pool that are not in the list.
        strata: the stratum of each document of the pool, found or missed; one for all if there are none.
        probabilities: the inclusion probability of each of them; that of its stratum if there are none.

    >>> hits = sampled_list([1, None, -1, 0], strata=[0, 1, 1])
    >>> hits.rank, hits.pooled_rank, hits.sample.share[hits.document]
    (array([1, 4]), array([3]), array([1. , 0.5]))
    """
    pool = [(rank, grade) for rank, grade in enumerate(found, start=1) if grade is not None]
    rank = np.array([rank for rank, _ in pool], dtype=np.int64)
    grade = np.array([*(grade for _, grade in pool), *missed])
    known, place = grade[: len(pool)] >= 0, np.arange(len(pool))
    return Hits(
        rank=rank[known],
        grade=grade[: len(pool)][known],
        ranking=np.zeros(np.count_nonzero(known), dtype=np.int64),
        topic=np.zeros(1, dtype=np.int64),
        retrieved=np.array([len(found)]),
        base_topic=np.zeros(np.count_nonzero(grade >= 0), dtype=np.int64),
        base_grade=-np.sort(-grade[grade >= 0]),
        topics=1,
        top_grade=float(grade.max(initial=0)),
        pooled_rank=rank[~known],
        pooled_ranking=np.zeros(np.count_nonzero(~known), dtype=np.int64),
        document=place[known],
        pooled_document=place[~known],
        sample=SampledJudgments.of(
            np.zeros(len(grade), dtype=np.int64),
            grade,
            None if strata is None else np.array(strata, dtype=np.int64),
            None if probabilities is None else np.array(probabilities, dtype=np.float64),
        ),
    )


def sampled_of(
    qrels: Qrels, row: Ints, grade: Ints | Floats, needs: Sequence[SampleNeed], *, kept_negative: bool = True
) -> SampledJudgments:
    """The table of those rows of qrels that count; an error if a measure needs what they do not say.

    Args:
        qrels: judgments with strata, inclusion probabilities, or both.
        row: the rows that count.
        grade: their grades, after the policy for negative grades.
        needs: what each measure needs.
        kept_negative: whether a grade below 0 still means that a document was not sampled.
    """
    stratum = None if qrels.stratum is None else qrels.stratum.codes()[1][row]
    probability = None if qrels.probability is None else qrels.probability[row]
    table = SampledJudgments.of(qrels.topic[row], grade, stratum, probability)
    for need in needs:
        if not need.forced:
            refuse_marked(qrels, need.measure)
        _refuse_without_sample(qrels, need)
        if probability is not None:
            _refuse_unknown(qrels, row, probability, table, need)
        if not kept_negative and stratum is not None and (qrels.grade[row] < 0).any():
            problem = f"{need.measure} needs documents that were not sampled as such, and they count as judged here"
            raise PolicyError("E244", problem, hint=setting("negative", "unjudged"))
        if need.strata or probability is None:
            _refuse_empty_stratum(qrels, row, table, need)
        if need.strata and probability is not None:
            _refuse_unequal(qrels, row, table, need)
    return table


def refuse_marked(qrels: Qrels, measure: object) -> None:
    """Refuse qrels that an export marks as chosen by looking at earlier judgments."""
    if mark := adaptive_mark(qrels.source):
        raise adaptive_sample(measure, qrels.source.name or "the pool", mark)


def _refuse_without_sample(qrels: Qrels, need: SampleNeed) -> None:
    if qrels.stratum is not None or (qrels.probability is not None and not need.strata):
        return
    lack = "strata" if qrels.probability is not None else "strata or inclusion probabilities"
    wants = "strata" if need.strata else "one of them"
    hint = (
        "statAP and statNDCG need inclusion probabilities only"
        if qrels.probability is not None
        else f"{setting('format', 'qrels-stratum', 'qrels-prels')} reads sampled judgments; infAP needs neither"
    )
    problem = f"the judgments have no {lack}, {need.measure} needs {wants}"
    raise InputError("E127", problem, path=qrels.source.name or "qrels", hint=hint)


def _refuse_unknown(qrels: Qrels, row: Ints, chance: Floats, table: SampledJudgments, need: SampleNeed) -> None:
    """Refuse judged documents without a probability: chosen by looking at judgments, or by mistake."""
    unknown = np.flatnonzero(table.judged & np.isnan(chance))
    if len(unknown) and not need.forced:
        first = int(row[unknown[0]])
        if qrels.stratum is not None:
            raise adaptive_sample(need.measure, qrels.source.name or "the pool", qrels.stratum[first])
        raise _of_row(qrels, first, f"has no inclusion probability, {need.measure} needs that of every judged document")
    never = np.flatnonzero(table.judged & (chance <= 0))
    if len(never):
        problem = "was judged, although its inclusion probability is 0"
        raise _of_row(qrels, int(row[never[0]]), problem)


def adaptive_sample(
    measure: object, place: str, chosen_by: str, strategies: Sequence[str] = ("sample",)
) -> PolicyError:
    """The error for an estimator on documents that were chosen by looking at earlier judgments."""
    return PolicyError(
        "E210",
        f"{measure} needs a random sample, {place} was built by {chosen_by!r}",
        hint=f"use bounds, or pool with {setting('strategy', *strategies)}",
    )


def _refuse_empty_stratum(qrels: Qrels, row: Ints, table: SampledJudgments, need: SampleNeed) -> None:
    empty = np.flatnonzero(table.share == 0)
    if len(empty):
        first = int(row[empty[0]])
        name = "" if qrels.stratum is None else f"stratum {qrels.stratum[first]!r} of "
        raise InputError(
            "E127",
            f"{name}topic {qrels.topics[qrels.topic[first]]!r} has no judged document, {need.measure} needs one",
            path=qrels.source.name or "qrels",
            hint="judge a document of it, or give its documents to another stratum",
        )


def _refuse_unequal(qrels: Qrels, row: Ints, table: SampledJudgments, need: SampleNeed) -> None:
    """Refuse strata whose documents had unequal chances, or of which only the judged documents are listed."""
    judged = np.flatnonzero(table.judged)
    least, most = np.full((2, len(table.first)), np.nan)
    np.fmin.at(least, table.stratum[judged], table.chance[judged])
    np.fmax.at(most, table.stratum[judged], table.chance[judged])
    unequal = np.flatnonzero(most - least > _CLOSE)
    if len(unequal):
        first = int(row[judged[np.flatnonzero(table.stratum[judged] == unequal[0])[0]]])
        name = "" if qrels.stratum is None else repr(qrels.stratum[first])
        raise InputError(
            "E127",
            f"stratum {name} of topic {qrels.topics[qrels.topic[first]]!r} was drawn with probabilities from "
            f"{least[unequal[0]]:.4g} to {most[unequal[0]]:.4g}, {need.measure} needs one rate",
            path=qrels.source.name or "qrels",
            hint="statAP and statNDCG take unequal probabilities",
        )
    if table.judged.all() and (table.chance < 1 - _CLOSE).any():
        raise InputError(
            "E127",
            f"the documents that were not sampled are missing, {need.measure} needs every member of a stratum",
            path=qrels.source.name or "qrels",
            hint="list them with grade -1, as the frame of a sampled pool does, or use statAP and statNDCG",
        )


def _of_row(qrels: Qrels, row: int, problem: str) -> InputError:
    return InputError(
        "E127",
        f"topic {qrels.topics[qrels.topic[row]]!r}, document {qrels.document[row]!r} {problem}",
        path=qrels.source.name or "qrels",
        line=qrels.line_of(row),
        text=qrels.text_of(row),
        hint="give every judged document the probability with which it was drawn, above 0",
    )
