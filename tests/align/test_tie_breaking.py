"""The order of a list under each tie policy, against plain sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.tie_breaking import ordered
from cranfield.align.tie_groups import count_ties
from cranfield.errors import InputError
from cranfield.tables.run import Run
from tests.align.worlds import runs


def made(rows, rank=None):
    return Run.of("r", [t for (t, _), _ in rows], [d for (_, d), _ in rows], [s for _, s in rows], rank)


def plain_order(rows, precision):
    """Topic by topic in order of appearance, score descending in that precision, then bytes descending."""
    topics = list(dict.fromkeys(topic for (topic, _), _ in rows))

    def key(number):
        (topic, document), score = rows[number]
        with np.errstate(over="ignore"):
            return (-topics.index(topic), float(precision(score)), document.encode())

    return sorted(range(len(rows)), key=key, reverse=True)


@given(runs, st.randoms(use_true_random=False), st.sampled_from([("trec", np.float64), ("trec9", np.float32)]))
def test_scores_decide_then_bytes_descending_whatever_the_order_of_the_lines(run, random, policy):
    ties, precision = policy
    rows = list(run.items())
    random.shuffle(rows)
    assert Rankings.of(made(rows), Policy(ties=ties)).row.tolist() == plain_order(rows, precision)


@given(runs, st.randoms(use_true_random=False))
def test_the_file_policy_keeps_the_lines_of_each_topic_in_order(run, random):
    rows = list(run.items())
    random.shuffle(rows)
    topics = list(dict.fromkeys(topic for (topic, _), _ in rows))
    expected = sorted(range(len(rows)), key=lambda n: topics.index(rows[n][0][0]))
    assert Rankings.of(made(rows), Policy(ties="file")).row.tolist() == expected


def test_the_given_policy_follows_the_rank_column():
    run = Run.of("r", ["1", "1", "1"], ["a", "b", "c"], [9.0, 8.0, 7.0], rank=[3, 1, 2])
    assert Rankings.of(run, Policy(ties="given")).row.tolist() == [1, 2, 0]


def test_the_given_policy_needs_a_rank_column():
    with pytest.raises(InputError, match="has no rank column") as caught:
        ordered(Run.of("r", ["1"], ["a"], [1.0]), "given")
    assert caught.value.exit == 3


def test_a_group_of_ties_of_any_length_is_ordered_by_bytes():
    names = [f"d{number}" for number in range(5000)]
    run = Run.of("r", ["1"] * 5000, names, [1.0] * 5000)
    listed = [names[row] for row in Rankings.of(run).row]
    assert listed == sorted(names, key=str.encode, reverse=True)


def test_tie_groups_are_counted_once_each():
    run = Run.of("r", ["1"] * 6, list("abcdef"), [5, 5, 4, 3, 3, 3])
    lists = Rankings.of(run)
    assert [(count_ties(lists, k).groups, count_ties(lists, k).across) for k in (1, 3, 5)] == [(2, 1), (2, 0), (2, 1)]


TWICE = (["1", "1", "1"], ["a", "b", "a"], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(("keep", "expected"), [("first", ["b", "a"]), ("last", ["a", "b"]), ("best", ["a", "b"])])
def test_the_duplicates_policy_keeps_one_row(keep, expected):
    run = Run.of("r", *TWICE)
    lists = Rankings.of(run, Policy(duplicates=keep))
    assert [run.document[row] for row in lists.row] == expected
    assert lists.duplicates == 1


def test_a_document_listed_twice_is_an_error_by_default():
    with pytest.raises(InputError) as caught:
        Rankings.of(Run.of("r", *TWICE))
    assert str(caught.value) == (
        "E108: r: document 'a' is listed twice for topic '1'\n"
        '  hint: duplicates="first", "last" or "best" keeps one of them'
    )


def test_the_best_of_three_equal_rows_stays():
    run = Run.of("r", ["1"] * 4, ["a", "a", "b", "a"], [1.0, 9.0, 5.0, 3.0])
    lists = Rankings.of(run, Policy(duplicates="best"))
    assert lists.row.tolist() == [1, 2]
    assert lists.duplicates == 2


def test_depth_cuts_every_list_after_ordering():
    run = Run.of("r", ["1", "1", "1", "2"], ["a", "b", "c", "a"], [1.0, 3.0, 2.0, 1.0])
    assert Rankings.of(run, Policy(depth=2)).row.tolist() == [1, 2, 3]
