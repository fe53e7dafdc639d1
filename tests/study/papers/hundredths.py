"""A collection whose scores are chosen: P@100 of a run is as many hundredths as its list has relevant documents."""

from collections.abc import Sequence

X = (  # SPEC 15: topics × systems A to D
    (0.30, 0.35, 0.32, 0.40),
    (0.20, 0.22, 0.25, 0.28),
    (0.55, 0.50, 0.58, 0.60),
    (0.10, 0.18, 0.12, 0.20),
    (0.42, 0.40, 0.45, 0.47),
    (0.33, 0.39, 0.36, 0.35),
)


def collection(values: Sequence[Sequence[float]] = X) -> tuple[dict, dict]:
    """Judgments and runs a, b, c … with `P@100` of the table topics × runs."""
    good, bad = [f"g{n}" for n in range(100)], [f"b{n}" for n in range(100)]
    qrels = {f"t{at}": {**dict.fromkeys(good, 1), **dict.fromkeys(bad, 0)} for at in range(len(values))}
    runs = {
        "abcdefgh"[column]: {
            f"t{at}": good[: round(100 * row[column])] + bad[round(100 * row[column]) :]
            for at, row in enumerate(values)
        }
        for column in range(len(values[0]))
    }
    return qrels, runs
