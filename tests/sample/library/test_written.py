"""Topics and grades that come with the package (DEMO-2, DEMO-4)."""

from collections import Counter

from cranfield.sample.library.world import DEPTH_OF_POOL, POOLED
from cranfield.sample.library.written import written_grades, written_text, written_topics
from tests.sample.library.frozen import frozen_rankings, grades_of_holes


def test_there_are_forty_topics_or_more_in_full():
    """DEMO-2."""
    topics = written_topics()
    assert len(topics) >= 40
    assert len({topic.query for topic in topics.values()}) == len(topics)
    for topic in topics.values():
        assert topic.query
        assert topic.description.endswith(".")
        assert "elevant" in topic.narrative


def test_the_pool_of_three_systems_is_judged_completely_and_nothing_else():
    """DEMO-4."""
    runs = frozen_rankings()
    pool = {
        (topic, document)
        for system in POOLED
        for topic, found in runs[system].items()
        for document in list(found)[:DEPTH_OF_POOL]
    }
    assert {(pair.topic, pair.document) for pair in written_grades()} == pool


def test_grades_are_zero_to_two_and_every_topic_has_a_relevant_document():
    grades = written_grades()
    assert set(Counter(pair.first for pair in grades)) == {0, 1, 2}
    assert {pair.topic for pair in grades if pair.first} == set(written_topics())


def test_what_is_later_judged_was_not_judged_before():
    later, now = grades_of_holes(), {(pair.topic, pair.document) for pair in written_grades()}
    assert not now & set(later)


def test_the_guidelines_say_how_the_grades_were_made():
    """DEMO-4: no assessor is claimed who did not judge."""
    text = " ".join(written_text("guidelines.md").split())
    assert "graded by a language model" in text
    assert "No person has judged" in text
