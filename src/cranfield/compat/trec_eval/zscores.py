"""`-Z`: each value of a topic as its distance from the mean of other runs, in their standard deviations."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from cranfield.arrays import Floats
from cranfield.compat.trec_eval.columns import PrintedColumn, logarithms
from cranfield.compat.trec_eval.defects import NO_ZSCORE
from cranfield.compat.trec_eval.numerals import real
from cranfield.compat.trec_eval.reader import TrecFormat, columns_of

Scale: TypeAlias = Mapping[tuple[str, str], tuple[float, float]]  # topic, measure -> mean, standard deviation

ZSCORES = TrecFormat("get_zscores", "zscores", columns=4, longer=False, blank=False)
_ABSENT = (-np.inf, 0.0)  # of a measure that the file does not have: no value equals this mean


def read_zscores(path: str, version: int) -> Scale:
    """A file of `topic measure mean standard-deviation`."""
    topic, measure, mean, deviation = columns_of(path, ZSCORES, version)
    numbers = zip(map(real, mean.raws()), map(real, deviation.raws()), strict=True)
    return dict(zip(zip(topic, measure, strict=True), numbers, strict=True))


def standardised(column: PrintedColumn, topics: Sequence[str], scale: Scale) -> PrintedColumn:
    """The column with `(value - mean) / deviation` for each topic; texts and names of runs stay as they are.

    >>> column = PrintedColumn("map", np.array([0.5, 0.5]))
    >>> standardised(column, ["1", "2"], {("1", "map"): (0.3, 0.1), ("2", "map"): (0.5, 0.0)}).values.round(4)
    array([2., 0.])
    """
    if column.texts is not None or column.summary in ("run", "topics"):
        return column._replace(standardised=column.summary == "topics")
    values = logarithms(column.values) if column.summary == "geometric" else column.values
    places = [scale.get((topic, column.name), _ABSENT) for topic in topics]
    mean, deviation = np.array(places, dtype=np.float64).reshape(-1, 2).T
    return column._replace(values=_distance(values, mean, deviation), total=None, standardised=True)


def _distance(values: Floats, mean: Floats, deviation: Floats) -> Floats:
    """The z-scores; if the deviation is 0, the mean has z-score 0 and any other value a fixed large number."""
    spread = np.where(deviation == 0, 1.0, deviation)
    return np.where((deviation == 0) & (values != mean), NO_ZSCORE, (values - mean) / spread)
