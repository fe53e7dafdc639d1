"""Several judgments become one: the columns agree with a plain loop, whatever the judgments are."""

from collections import Counter, defaultdict
from collections.abc import Callable
from statistics import median_low

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.align.checking.inspect import repeats
from cranfield.align.combining.combine import collapse, combine
from cranfield.align.combining.rules import GRADE_RULES
from cranfield.errors import PolicyError
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import Text

ROWS = st.lists(
    st.tuples(
        st.sampled_from("12"),
        st.sampled_from("abc"),
        st.sampled_from("xyz"),
        st.integers(-1, 3),
        st.sampled_from(["judged", "judged", "failed"]),
    ),
    max_size=25,
)


def table(rows):
    topic, document, assessor, grade, status = zip(*rows, strict=True) if rows else ((),) * 5
    return Judgments.of(topic, document, assessor, np.array(grade, dtype=np.int64), status=status)


def by_pair(rows):
    """The last grade of each assessor, by pair, in order of the first row that counts."""
    last = {}
    for number, (topic, document, assessor, grade, status) in enumerate(rows):
        if status == "judged":
            last[topic, document, assessor] = (number, grade)
    opinions = defaultdict(list)
    for (topic, document, _), (_, grade) in sorted(last.items(), key=lambda item: item[1][0]):
        opinions[topic, document].append(grade)
    return opinions


def winner(grades):
    (best, votes), *rest = Counter(grades).most_common()
    return None if rest and rest[0][1] == votes else best


PLAIN: dict[str, Callable] = {
    "majority": winner,
    "max": max,
    "min": min,
    "median": median_low,
    "mean": lambda grades: sum(grades) / len(grades),
}


@pytest.mark.parametrize("rule", list(GRADE_RULES))
@given(rows=ROWS)
def test_a_rule_does_what_a_loop_would_do(rule, rows):
    expected = {pair: PLAIN[rule](grades) for pair, grades in by_pair(rows).items()}
    done = combine(table(rows), rule)
    topics = [done.qrels.topics[number] for number in done.qrels.topic]
    found = dict(zip(zip(topics, done.qrels.document, strict=True), done.qrels.grade.tolist(), strict=True))
    assert found == {pair: grade for pair, grade in expected.items() if grade is not None}
    assert list(done.disputed) == [pair for pair, grade in expected.items() if grade is None]


@given(rows=ROWS)
def test_one_assessor_alone_is_believed(rows):
    mine = [row for row in rows if row[2] == "x"]
    if not mine:
        return
    done = combine(table(rows), "assessor:x").qrels
    assert done == combine(table(mine), "max").qrels


@pytest.mark.parametrize("how", ["any", "max"])
@given(rows=ROWS)
def test_collapsing_keeps_the_best_grade_of_each_pair(how, rows):
    topic, document, subtopic, grade, _ = zip(*rows, strict=True) if rows else ((),) * 5
    qrels = collapse(Qrels.of(topic, document, np.array(grade, dtype=np.int64), subtopic), how)
    expected: dict = {}
    for pair, value in zip(zip(topic, document, strict=True), grade, strict=True):
        expected[pair] = max(value, expected.get(pair, -1))
    if how == "any":
        expected = {pair: min(value, 1) for pair, value in expected.items()}
    names = [qrels.topics[number] for number in qrels.topic]
    assert dict(zip(zip(names, qrels.document, strict=True), qrels.grade.tolist(), strict=True)) == expected


@given(rows=ROWS)
def test_repeated_pairs_are_found_with_their_first_row(rows):
    seen: dict = {}
    expected = []
    for number, row in enumerate(rows):
        if (first := seen.setdefault(row[:2], number)) != number:
            expected.append((first, number))
    _, topic = Text.of([row[0] for row in rows]).codes()
    earlier, later = repeats(topic, Text.of([row[1] for row in rows]))
    assert list(zip(earlier.tolist(), later.tolist(), strict=True)) == expected


@pytest.mark.parametrize("rule", ["average", "assessor:nobody", ""])
def test_an_unknown_rule_is_refused(rule):
    with pytest.raises(PolicyError, match=r"E2[12]3"):
        combine(table([("1", "a", "x", 1, "judged")]), rule)


def test_an_unknown_way_to_collapse_is_refused():
    with pytest.raises(PolicyError, match="E213"):
        collapse(Qrels.of(["1"], ["a"], [1]), "all")
