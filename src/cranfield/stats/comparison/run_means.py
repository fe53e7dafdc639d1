"""What is known of each run of a comparison by itself: declared once, for JSON, its schema and CSV."""

from dataclasses import dataclass, field
from typing import Any

from cranfield.arrays import Floats
from cranfield.stats.comparison.declared import declare, declared
from cranfield.tables.scores import Scores, number


@dataclass(frozen=True, eq=False)
class RunMeans:
    """`[run]` of one measure: what its topics come to, and how much of that was judged.

    >>> from cranfield import evaluate
    >>> scores = evaluate({"q1": {"a": 1}}, {"q1": ["x", "a"]}, "RR")
    >>> RunMeans.of(scores, 0).as_dicts()
    [{'run': 'run', 'measure': 'RR', 'mean': 0.5, 'judged': 0.5}]
    """

    run: tuple[str, ...] = field(metadata=declare("name", "the run"))
    measure: tuple[str, ...] = field(metadata=declare("name", "the measure"))
    mean: Floats = field(metadata=declare("number", "its mean over the topics, or as the measure is averaged"))
    judged: Floats = field(metadata=declare("share", "the share judged of what the measure looks at"))

    @classmethod
    def of(cls, scores: Scores, column: int) -> "RunMeans":
        """All runs on one measure."""
        return cls(
            run=scores.runs,
            measure=(scores.measures[column],) * len(scores.runs),
            mean=scores.means[:, column],
            judged=scores.judged_shares[:, column],
        )

    @classmethod
    def numbers(cls) -> list[str]:
        """The fields that are no labels."""
        return [name for name, about in declared(cls).items() if about.kind != "name"]

    def as_dicts(self) -> list[dict[str, Any]]:
        """Plain data: a record for each run; undefined is None."""
        columns = {name: getattr(self, name) for name in declared(type(self))}
        plain = [values if isinstance(values, tuple) else map(number, values.tolist()) for values in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]
