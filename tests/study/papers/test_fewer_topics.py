"""A collection on some of its topics."""

import numpy as np
import pytest

from cranfield.study.data.collection import Collection
from cranfield.study.data.strata import Rules, TopicStrata
from cranfield.study.papers.ferrante2014.fewer_topics import on_topics
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
MEASURES = ["AP", "nDCG@10", "Q'", "BprefN", "Judged@5"]


@pytest.mark.parametrize("kept", [("q1", "q3", "q4"), ("q2",), ("q0", "q5"), tuple(f"q{n}" for n in range(6))])
def test_it_is_the_collection_of_the_judgments_of_those_topics(kept):
    qrels, runs = small()
    qrels["q1"]["d5"] = -1  # pooled, but nobody judged it
    whole = Collection.of(qrels, runs, MEASURES)
    mask = np.array([topic in kept for topic in whole.topics])
    fewer, anew = on_topics(whole, mask), Collection.of({topic: qrels[topic] for topic in kept}, runs, MEASURES)
    assert (fewer.topics, fewer.runs) == (anew.topics, anew.runs)
    assert np.array_equal(fewer.full, anew.full, equal_nan=True)
    assert np.array_equal(fewer.full, whole.full[:, mask], equal_nan=True)
    assert np.array_equal(fewer.answered, anew.answered)
    rules = Rules((60, 20), "grade")
    worlds = [each.scores(TopicStrata.of(each, rules).judged(1, 5)) for each in (fewer, anew)]
    assert np.array_equal(*worlds, equal_nan=True)  # type: ignore[arg-type, misc]  # the stubs know less
