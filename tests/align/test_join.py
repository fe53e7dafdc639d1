"""The join of a run with judgments, against a dictionary."""

import numpy as np
import pytest
from hypothesis import given

from cranfield.align.index import index_of
from cranfield.align.join import JudgmentIndex
from cranfield.align.rankings import Rankings
from cranfield.errors import DataWarning, InputError
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from tests.align.worlds import qrels, runs


def tables(judged, listed):
    return (
        Qrels.of([t for t, _ in judged], [d for _, d in judged], list(judged.values())),
        Run.of("r", [t for t, _ in listed], [d for _, d in listed], list(listed.values())),
    )


@given(qrels, runs)
def test_hits_are_the_judged_documents_with_their_ranks(judged, listed):
    table, run = tables(judged, listed)
    rankings = Rankings.of(run)
    hits = JudgmentIndex.of(table).hits(rankings)
    expected: list[tuple[int, ...]] = []
    pooled: list[tuple[int, ...]] = []
    lengths = []
    for number, topic in enumerate(table.topics):
        rows = [r for r, t in zip(rankings.row, rankings.topic, strict=True) if run.topics[t] == topic]
        lengths.append(len(rows))
        for rank, row in enumerate(rows, start=1):
            grade = judged.get((topic, run.document[row]))
            if grade is not None:
                (expected if grade >= 0 else pooled).append((number, rank, *([grade] if grade >= 0 else [])))
    assert list(zip(hits.ranking.tolist(), hits.rank.tolist(), hits.grade.tolist(), strict=True)) == expected
    assert list(zip(hits.pooled_ranking.tolist(), hits.pooled_rank.tolist(), strict=True)) == pooled
    assert hits.retrieved.tolist() == lengths
    for rel in (0, 1, 2, 3):
        counts = [sum(g >= max(rel, 0) for (t, _), g in judged.items() if t == topic) for topic in table.topics]
        assert hits.judged_at_least(rel).tolist() == counts
        below = [sum(0 <= g < rel for (t, _), g in judged.items() if t == topic) for topic in table.topics]
        assert hits.judged_below(rel).tolist() == below
    assert [run.document[r] for r in rankings.row[hits.place]] == [
        run.document[rankings.row[hits.begin[n] + k - 1]] for n, k in zip(hits.ranking, hits.rank, strict=True)
    ]


@given(qrels, runs)
def test_negative_grades_can_count_as_nonrelevant(judged, listed):
    table, run = tables(judged, listed)
    hits = JudgmentIndex.of(table, "nonrelevant").hits(Rankings.of(run))
    floored, _ = tables({pair: max(grade, 0) for pair, grade in judged.items()}, listed)
    plain = JudgmentIndex.of(floored).hits(Rankings.of(run))
    assert hits.grade.tolist() == plain.grade.tolist()
    assert hits.rank.tolist() == plain.rank.tolist()
    assert len(hits.pooled_rank) == 0


def test_negative_grades_can_be_refused():
    with pytest.raises(InputError, match="grade -1 is negative"):
        JudgmentIndex.of(Qrels.of(["1"], ["a"], [-1]), "error")


def test_a_judgment_repeated_word_for_word_is_noted_and_counts_once():
    table = Qrels.of(["1", "1"], ["a", "a"], [1, 1])
    with pytest.warns(DataWarning, match="W104: 1 judgments are repeated"):
        judgments = JudgmentIndex.of(table)
    assert judgments.relevant(1).tolist() == [1]


def test_contradictory_judgments_are_an_error():
    with pytest.raises(InputError, match="topic '1', document 'a' has grade 2 here and 0 before"):
        JudgmentIndex.of(Qrels.of(["1", "1"], ["a", "a"], [0, 2]))


def test_subtopic_judgments_are_recognised():
    table = Qrels.of(["1", "1"], ["a", "a"], [1, 0], iteration=["1", "6"])
    with pytest.raises(InputError, match="column 2 holds subtopics 1…6, AP needs one judgment per document") as caught:
        JudgmentIndex.of(table)
    assert caught.value.hint == 'use alpha_nDCG@20, ERR_IA@20 …, or collapse="any"'


def test_a_second_column_with_several_values_is_not_ignored_in_silence():
    table = Qrels.of(["1", "1"], ["a", "b"], [1, 0], iteration=["1", "2"])
    with pytest.warns(DataWarning, match="W112: column 2 holds 2 values"):
        index_of(table, "unjudged", plain="AP")


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("highest", [3, 70_000, 2**50])
def test_judged_documents_stand_by_topic_and_best_grade_whatever_the_grades(highest, kind):
    rng = np.random.default_rng(1)
    topics, grades = rng.integers(0, 40, 3000).tolist(), rng.integers(-1, highest, 3000).tolist()
    documents = [f"d{number}" for number in range(3000)]
    index = JudgmentIndex.of(Qrels.of([str(t) for t in topics], documents, [kind(grade) for grade in grades]))
    judged = [place for place, grade in enumerate(index.grade.tolist()) if grade >= 0]
    expected = sorted(judged, key=lambda place: (index.topic[place], -index.grade[place]))
    assert index.base_place.tolist() == expected
