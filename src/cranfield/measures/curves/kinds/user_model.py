"""C, W and L of user models, rank by rank: going on, attention, stopping."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.grammar import Measure
from cranfield.measures.users.dense import share
from cranfield.tables.curves.kind import VectorColumns, curve_kind


@curve_kind(
    "cwl", "a user model: going on, attention, last rank", measure="RBP", last=20, y=("C", "W", "L"), models=True
)
def user_functions(hits: Hits, measure: Measure, ranks: Floats) -> VectorColumns:
    """C, W and L of the user model behind a measure, by rank; a user who has stopped goes on with probability 0."""
    from cranfield.measures.users.cwl import UserModel

    model, depth = UserModel.of(measure), len(ranks)
    gain = share(hits, **{name: measure.arguments.get(name) for name in ("rel", "max_rel", "gains")})
    columns = {letter: np.zeros((len(hits), depth)) for letter in "CWL"}
    start = np.searchsorted(hits.ranking, np.arange(len(hits) + 1))
    for number, retrieved in enumerate(hits.retrieved):
        own = slice(start[number], start[number + 1])
        gains = np.zeros(max(int(retrieved), depth))
        gains[hits.rank[own] - 1] = gain[own]
        functions = model.functions(gains)
        if retrieved < depth:  # the end of the list is the end of the walk, or it is not
            ended = model.functions(gains[:retrieved])
            functions = ended if abs(ended.W[0] - functions.W[0]) > 1e-9 else functions
        for letter, values in zip("CWL", functions, strict=True):
            columns[letter][number, : len(values)] = values[:depth]
    return columns
