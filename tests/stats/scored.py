"""Scores made from plain numbers, for tests that need no runs."""

import numpy as np

from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores


def scored(
    values, runs=None, topics=None, measures=("AP",), averages=None, judged=None, looks_at=(), **audit
) -> Scores:
    """Scores of `values[run, topic]` or `values[run, topic, measure]`; NaN is not scored.

    `judged` is the share judged of each run, `looks_at` what each measure looks at.
    """
    table = np.asarray(values, dtype=np.float64)
    table = table[:, :, None] if table.ndim == 2 else table
    count, n, columns = table.shape
    return Scores(
        runs=tuple(runs or (f"run{at}" for at in range(count))),
        topics=tuple(topics or (f"q{at:03d}" for at in range(n))),
        measures=tuple(measures),
        averages=tuple(averages or ["mean"] * columns),
        values=table.copy(),
        scored=np.asarray(~np.isnan(table).all(axis=2)),
        judged=np.ones(table.shape) if judged is None else np.ones(table.shape) * np.reshape(judged, (-1, 1, 1)),
        retrieved=np.full((count, n), 10),
        relevant=np.ones((n, columns), dtype=np.int64),
        audit=Audit(topics_in_mean=n, **audit),
        looks_at=tuple(looks_at),
    )


def draw(seed: int, runs: int = 4, topics: int = 25, measures: int = 1) -> np.ndarray:
    """Random scores in which runs differ a little."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.1, 0.7, size=(1, topics, measures)) + 0.05 * np.arange(runs)[:, None, None]
    return np.clip(base + rng.normal(0, 0.12, size=(runs, topics, measures)), 0, 1)
