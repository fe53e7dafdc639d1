"""Runs and judgments -> data frames of polars and pandas."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cranfield.errors.extras import need

if TYPE_CHECKING:
    import pandas
    import polars

    from cranfield.tables.qrels import Qrels
    from cranfield.tables.run import Run


def run_columns(runs: "Sequence[Run]") -> dict[str, Any]:
    """The columns topic, doc, score, rank (if every run has one) and run."""
    ranks = [run.ranks() for run in runs]
    ranked = {"rank": [rank for column in ranks if column is not None for rank in column.tolist()]}
    return {
        "topic": [run.topics[number] for run in runs for number in run.topic.tolist()],
        "doc": [document for run in runs for document in run.document],
        "score": [score for run in runs for score in run.score.tolist()],
        **(ranked if all(column is not None for column in ranks) else {}),
        "run": [run.name for run in runs for _ in range(len(run))],
    }


def qrels_columns(qrels: "Qrels") -> dict[str, Any]:
    """The columns topic, doc, grade, and those of iteration, stratum and probability that there are."""
    texts = {"iteration": qrels.iteration, "stratum": qrels.stratum}
    return {
        "topic": [qrels.topics[number] for number in qrels.topic.tolist()],
        "doc": list(qrels.document),
        "grade": qrels.grade.tolist(),
        **{name: list(column) for name, column in texts.items() if column is not None},
        **({} if qrels.probability is None else {"probability": qrels.probability.tolist()}),
    }


def polars_frame(columns: Mapping[str, Any]) -> "polars.DataFrame":
    """The columns as a polars frame."""
    need("polars", "a polars frame")
    import polars

    kinds = {"topic": polars.String, "doc": polars.String, "score": polars.Float64, "run": polars.String}
    return polars.DataFrame(
        dict(columns), schema_overrides={name: kind for name, kind in kinds.items() if name in columns}
    )


def pandas_frame(columns: Mapping[str, Any]) -> "pandas.DataFrame":
    """The columns as a pandas frame."""
    need("pandas", "a pandas frame")
    import pandas

    return pandas.DataFrame(dict(columns))
