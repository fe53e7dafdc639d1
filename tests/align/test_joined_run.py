"""A run joined with judgments, in one piece or in several: the same hits, the same facts."""

import numpy as np
import pytest

from cranfield.align.join import JudgmentIndex
from cranfield.align.joined_run import JoinedRun, RunFacts
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.tie_groups import TieCounts, count_ties
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.source import Source
from tests.kernel.paths import needs_compiled

QRELS = Qrels.of(["1", "1", "2", "3"], ["a", "b", "a", "c"], [1, 0, 2, 1])
ROWS = [
    ("3", "c", np.inf),
    ("3", "x", 1.0),
    ("1", "x", 2.0),
    ("1", "b", 2.0),
    ("1", "b", 1.0),  # listed twice
    ("9", "a", 1.0),  # nobody judged this topic
]


def joined(rows, *, keep_lists=False):
    topics, documents, scores = zip(*rows, strict=True)
    lists = Rankings.of(Run.of("r", topics, documents, scores), Policy(duplicates="first"))
    return JoinedRun.of_lists(lists, JudgmentIndex.of(QRELS), count_ties(lists, 1), keep_lists=keep_lists)


@pytest.mark.parametrize("cut", [2, 5])
def test_parts_of_a_run_together_are_the_run(cut):
    whole, parts = joined(ROWS), JoinedRun.together([joined(ROWS[:cut]), joined(ROWS[cut:])])
    assert parts.facts == whole.facts
    for column in ("rank", "grade", "ranking", "topic", "retrieved", "document", "base_grade"):
        assert getattr(parts.hits, column).tolist() == getattr(whole.hits, column).tolist(), column


def test_every_count_of_the_parts_is_added():
    facts = joined(ROWS).facts
    both = RunFacts.together([facts, facts], Source("both"))
    assert facts == RunFacts(
        name="r",
        source=facts.source,
        topics=("3", "1", "9"),
        rows=6,
        ties=TieCounts(groups=1, across=1, single=0),
        duplicates=1,
        infinite=1,
    )
    assert (both.rows, both.duplicates, both.infinite, both.ties) == (12, 2, 2, TieCounts(2, 2, 0))
    assert (both.name, both.place, both.topics) == ("r", "both", facts.topics * 2)


def test_a_run_keeps_its_lists_only_where_they_are_needed():
    gone, kept = joined(ROWS).hits, joined(ROWS, keep_lists=True).hits
    assert gone.lists is None
    assert len(gone.begin) == len(gone.place) == 0
    assert kept.lists is not None
    documents = kept.lists.run.document.take(kept.lists.row[kept.place])
    assert list(documents) == ["b", "c"]


@needs_compiled
def test_a_dictionary_is_joined_like_its_table():
    by_topic: dict[str, dict[str, float]] = {"5": {}}
    for topic, document, score in ROWS:
        by_topic.setdefault(topic, {}).setdefault(document, score)
    table = joined([(topic, document, score) for topic, own in by_topic.items() for document, score in own.items()])
    found = JoinedRun.of_dictionary(by_topic, JudgmentIndex.of(QRELS), "trec", name="r", cutoff=1)
    assert found is not None
    assert found.facts == table.facts
    assert found.hits.rank.tolist() == table.hits.rank.tolist()
    assert found.hits.retrieved.tolist() == table.hits.retrieved.tolist()
    number, hits = found.answered()
    assert [QRELS.topics[topic] for topic in number] == ["3", "1"]
    assert (hits.rank.tolist(), hits.ranking.tolist()) == ([1, 2], [0, 1])
