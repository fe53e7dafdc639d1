"""What holds for the bounds of every measure, whatever its judgments are made of."""

import numpy as np
import pytest

from cranfield.missing.bounds.method import NO_RUN, method_of
from cranfield.missing.completions import values
from tests.missing.small_cases import ends_of

ROWS = ((0, NO_RUN), (1, NO_RUN), (0, 1))
A, B = (np.array(column) for column in zip(*ROWS, strict=True))


def values_of_rows(situation, topic, completions):
    """The values of both runs, and their difference, for each of the completions."""
    found = values(situation, topic, completions)
    return [found[:, a] - (0 if b == NO_RUN else found[:, b]) for a, b in ROWS]


def check_ends(situation, topic, completions):
    """The bounds contain the value of every completion, and exact ends are attained by their witness."""
    method = method_of(situation)
    found = method.ends(topic, A, B)
    for row, column in enumerate(values_of_rows(situation, topic, completions)):
        truth = ends_of(column)
        if truth is None:
            continue
        low, high = found.low[row], found.high[row]
        assert low <= truth[0] + 1e-9
        assert high >= truth[1] - 1e-9
        if not found.exact[row]:
            continue
        assert (low, high) == pytest.approx(truth, abs=1e-9)
        for end in (False, True):
            filled = method.witness(topic, *ROWS[row], high=end)
            filled = np.append(filled, np.zeros(topic.holes + topic.unseen - len(filled)))
            [reached] = values_of_rows(situation, topic, filled[None])[row]
            assert reached == pytest.approx(truth[end], abs=1e-9)
