"""Labels: which assessor gave which grade to which pair, as codes sorted by pair."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import one_of
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import Text

NegativeLabels: TypeAlias = Literal["unjudged", "nonrelevant", "category", "error"]
Repeats: TypeAlias = Literal["last", "first", "all"]
MOST_GRADES = 200
PEOPLE = "people"  # their name where they stand together beside a model


@dataclass(frozen=True, eq=False)
class Labels:
    """One row per label, sorted by pair and inside a pair in the order of judging.

    `topic` and `document` are per pair; `grade` is a place in the scale `grades`, ascending. Assessors are numbered in
    the order in which they appear, people before models.

    >>> judged = Judgments.of(["1", "1"], ["d", "d"], ["ann", "bob"], [2, 0])
    >>> labels = Labels.of(judged)
    >>> labels.grades, labels.grade, labels.counts
    (array([0., 2.]), array([1, 0]), array([[1, 1]]))
    """

    topics: tuple[str, ...]
    assessors: tuple[str, ...]
    kinds: tuple[str, ...]  # of each assessor: human or model
    grades: Floats
    topic: Ints
    document: Text
    pair: Ints
    assessor: Ints
    grade: Ints

    @classmethod
    def of(
        cls,
        judgments: Judgments,
        negative: str = "unjudged",
        missing: Sequence[float] = (),
        binary: float | None = None,
    ) -> "Labels":
        """The labels in a table of judgments, without grades in `missing`; grades from `binary` on become 1."""
        kept, grade = _graded(judgments, negative, missing)
        topics, topic = judgments.topic.take(kept).codes()
        documents = judgments.document.take(kept)
        _, document = documents.codes()
        names, assessor = judgments.assessor.take(kept).codes()
        kinds = _kinds(judgments.kind.take(kept), assessor, len(names))
        people_first = sorted(range(len(names)), key=lambda number: kinds[number] == "model")
        assessor = np.argsort(people_first)[assessor] if names else assessor
        _, first, pair = np.unique(
            topic * (int(document.max(initial=0)) + 1) + document, return_index=True, return_inverse=True
        )
        scale, code = np.unique(grade if binary is None else (grade >= binary) * 1.0, return_inverse=True)
        if len(scale) > MOST_GRADES:
            hint = f"{setting('binary')} makes two of them: below a grade, and from it on"
            raise PolicyError("E246", f"{len(scale):,} different grades are no scale of agreement", hint=hint)
        if binary is not None:
            scale, code = np.array([0.0, 1.0]), (grade >= binary).astype(np.int64)
        order = np.argsort(pair, kind="stable")
        return cls(
            topics=tuple(topics),
            assessors=tuple(names[number] for number in people_first),
            kinds=tuple(kinds[number] for number in people_first),
            grades=scale,
            topic=topic[first],
            document=documents.take(first),
            pair=pair[order],
            assessor=assessor[order],
            grade=code[order],
        )

    @cached_property
    def counts(self) -> Ints:
        """`[pair, grade]`: how many labels of that grade a pair got."""
        pairs, grades = len(self.topic), len(self.grades)
        return np.bincount(self.pair * grades + self.grade, minlength=pairs * grades).reshape(pairs, grades)

    @property
    def beside_model(self) -> bool:
        """Whether there are two assessors: a person, or people taken together, and a model."""
        return len(self.kinds) == 2 and self.kinds[0] != "model" and self.kinds[1] == "model"

    def where(self, rows: Bools | Ints) -> "Labels":
        """Some of the labels; pairs, assessors and scale keep their numbers."""
        return replace(self, pair=self.pair[rows], assessor=self.assessor[rows], grade=self.grade[rows])

    def once(self, repeats: str) -> "Labels":
        """Of several labels that one assessor gave to one pair the `last`, the `first`, or `all` of them."""
        one_of("repeats", repeats, get_args(Repeats))
        if repeats == "all":
            return self
        key = self.pair * max(len(self.assessors), 1) + self.assessor
        if repeats == "last":
            key = key[::-1]
        _, first = np.unique(key, return_index=True)
        return self.where(np.sort(first if repeats == "first" else len(key) - 1 - first))

    def repeated(self) -> "Labels":
        """The labels of assessors who judged a pair again; each assessor's labels of a pair count as one pair."""
        key = self.pair * max(len(self.assessors), 1) + self.assessor
        _, own, size = np.unique(key, return_inverse=True, return_counts=True)
        rows = np.flatnonzero(size[own] > 1)
        _, first, unit = np.unique(key[rows], return_index=True, return_inverse=True)
        order = np.argsort(unit, kind="stable")
        of = self.pair[rows[first]]
        chosen = rows[order]
        return replace(
            self,
            topic=self.topic[of],
            document=self.document.take(of),
            pair=unit[order],
            assessor=self.assessor[chosen],
            grade=self.grade[chosen],
        )

    def by(self, assessor: int, pairs: Ints) -> Qrels:
        """The labels of one assessor for some pairs, as qrels; of several labels the last."""
        place = np.full(len(self.topic), -1)
        mine = self.assessor == assessor
        place[self.pair[mine]] = self.grade[mine]
        used, topic = np.unique(self.topic[pairs], return_inverse=True)
        names = tuple(self.topics[number] for number in used.tolist())
        grade = self.grades[place[pairs]]
        whole = grade.astype(np.int64) if (grade == np.rint(grade)).all() else grade
        return Qrels(names, topic, self.document.take(pairs), whole)

    def judged_by(self, *assessors: int) -> Ints:
        """The pairs that all of these assessors judged."""
        found = np.ones(len(self.topic), dtype=bool)
        for assessor in assessors:
            found &= np.bincount(self.pair[self.assessor == assessor], minlength=len(self.topic)) > 0
        return np.flatnonzero(found)


def people_and_model(labels: Labels) -> Labels:
    """Labels of two assessors, on the pairs that both judged: the lower median of the people, and the model.

    >>> judged = Judgments.of(["1"] * 4, ["d"] * 4, list("abcm"), [0, 2, 1, 0], kind=["human"] * 3 + ["model"])
    >>> labels = people_and_model(Labels.of(judged))
    >>> labels.assessors, labels.grades[labels.grade]
    (('people', 'm'), array([1., 0.]))
    """
    model = labels.kinds.index("model")
    machine = labels.assessor == model
    person = np.array([kind != "model" for kind in labels.kinds])[labels.assessor]
    order = np.lexsort((labels.grade[person], labels.pair[person]))
    pair, grade = labels.pair[person][order], labels.grade[person][order]
    judged, begin, size = np.unique(pair, return_index=True, return_counts=True)
    median = np.full(len(labels.topic), -1)
    median[judged] = grade[begin + (size - 1) // 2]
    said = np.full(len(labels.topic), -1)
    said[labels.pair[machine]] = labels.grade[machine]
    both = np.flatnonzero((median >= 0) & (said >= 0))
    return replace(
        labels,
        assessors=(PEOPLE, labels.assessors[model]),
        kinds=("human", "model"),
        pair=np.repeat(both, 2),
        assessor=np.tile([0, 1], len(both)),
        grade=np.stack([median[both], said[both]], axis=1).ravel(),
    )


def _graded(judgments: Judgments, negative: str, missing: Sequence[float]) -> tuple[Ints, Floats]:
    """The rows with a grade, and the grades, under the policy for negative ones."""
    one_of("negative", negative, get_args(NegativeLabels))
    grade = judgments.grade.astype(np.float64)
    kept = judgments.judged & ~np.isin(grade, np.asarray(missing, dtype=np.float64))
    if negative == "error" and len(below := np.flatnonzero(kept & (grade < 0))):
        row = int(below[0])
        raise InputError(
            "E116",
            f"grade {judgments.grade[row]} of topic {judgments.topic[row]!r}, document {judgments.document[row]!r} "
            "is negative",
            path=judgments.source.name or None,
            hint=f"{setting('negative', 'unjudged', 'nonrelevant', 'category')}: no label, 0, or a further label",
        )
    if negative == "unjudged":
        kept &= grade >= 0
    if negative == "nonrelevant":
        grade = np.maximum(grade, 0)
    rows = np.flatnonzero(kept)
    return rows, grade[rows]


def _kinds(kind: Text, assessor: Ints, assessors: int) -> tuple[str, ...]:
    """The kind of each assessor, from their first label."""
    names, code = kind.codes()
    _, first = np.unique(assessor, return_index=True)
    return tuple(names[code[row]] for row in first.tolist()) if assessors else ()
