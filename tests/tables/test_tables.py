"""Tables compare by content, and say in one line what they hold."""

import re

import numpy as np
import pytest

from cranfield.errors import Error
from cranfield.tables.documents import Document, Documents
from cranfield.tables.judgments import Judgments
from cranfield.tables.latencies import Latencies
from cranfield.tables.pool import Pool
from cranfield.tables.probabilities import Probabilities
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.topics import Topic, Topics

PAIRS = [
    (lambda x: Judgments.of(["1"], ["d"], [x], [1]), "Judgments: 1 assessor, 1 topic, 1 judgment"),
    (lambda x: Judgments.of(["1"], ["d"], ["a"], [1], at=[x]), "Judgments: 1 assessor, 1 topic, 1 judgment"),
    (lambda x: Pool.of(["1"], ["d"], [x], [1.0]), None),
    (lambda x: Pool.of(["1"], ["d"], ["s"], [0.5 if x == "a" else float("nan")]), "Pool: 1 topic, 1 pair (s)"),
    (lambda x: Topics.of([Topic("1", x)]), "Topics: 1 topic"),
    (lambda x: Documents.of([Document("1", x)]), "Documents: 1 document"),
    (lambda x: Probabilities.of(["1"], [x], [[1.0]]), "Probabilities: 1 topic, 1 document, grades 0…0"),
    (lambda x: Latencies.of([x], ["1"], [2.0]), "Latencies: 1 run, 1 measurement"),
    (lambda x: Runs([Run.of(x, ["1"], ["d"], [1.0])]), None),
]


@pytest.mark.parametrize(("make", "line"), PAIRS)
def test_tables_are_equal_if_their_content_is(make, line):
    assert make("a") == make("a")
    assert make("a") != make("b")
    assert make("a") != "a"
    assert line is None or repr(make("b")) == line
    with pytest.raises(TypeError):
        hash(make("a"))


def test_ids_are_unique_in_topics_documents_and_runs():
    with pytest.raises(Error, match="E119: topic '1' is there twice"):
        Topics.of([Topic("1", "a"), Topic("1", "b")])
    with pytest.raises(Error, match="E119: document '1' is there twice"):
        Documents.of([Document("1", "a"), Document("1", "b")])
    run = Run.of("a", ["1"], ["d"], [1.0])
    with pytest.raises(Error, match="E206: two runs are called 'a'"):
        Runs([run, run])


def test_a_run_without_rows_is_found_by_name():
    assert len(Runs([Run.of("a", [], [], [])])["a"]) == 0
    with pytest.raises(KeyError):
        Runs([])["a"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Run.of("r", ["1", "1"], ["a", "b"], [1.0, float("nan")]), "E107: score is NaN, .* (row 2)"),
        (lambda: Run.of("r", ["1", "1"], ["a"], [1.0, 2.0]), "E121: the columns have different lengths: topic 2, doc"),
        (lambda: Run.of("r", ["1"], ["a"], [1.0, 2.0]), "E121: .*: topic 1, document 1, score 2"),
        (lambda: Run.of("r", ["1"], ["a"], [1.0], [1, 2]), "E121: .* score 1, rank 2"),
        (lambda: Run.of("r", ["1"], ["a"], [1.0], [1.5]), "E119: rank '1.5' is not a whole number"),
        (lambda: Run.of("r", ["1"], ["a"], [1.0], [float("nan")]), "E119: rank 'nan' is not a whole number"),
        (lambda: Run.of("r", ["1"], ["a"], ["x"]), "E106: score 'x' is not a number"),
        (lambda: Run.of("r", ["1"], ["a"], np.array([None])), "E106: score 'None' is not a number"),
        (lambda: Run.of("r", ["1"], ["a"], 3.0), "E121: the scores are not a column of numbers"),
        (lambda: Qrels.of(["1", "1"], ["a", "b"], [1]), "E121: .*: topic 2, document 2, grade 1"),
        (lambda: Qrels.of(["1"], ["a"], [1], iteration=["0", "1"]), "E121: .* iteration 2"),
        (lambda: Qrels.of(["1"], ["a"], [float("nan")]), "E110: grade 'nan' is not a number"),
        (lambda: Qrels.of(["1"], ["a"], ["x"]), "E110: grade 'x' is not a number"),
    ],
)
def test_columns_that_do_not_fit_are_refused(make, message):
    with pytest.raises(Error) as caught:
        make()
    assert re.match(message.replace("(", r"\(").replace(")", r"\)"), str(caught.value))


def test_runs_are_found_by_name_without_looking_at_the_others():
    class Counted(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    runs = Runs(Run.of(Counted(f"r{number}"), ["1"], ["d"], [1.0]) for number in range(50))
    Counted.compared = 0
    assert len(list(runs.values())) == 50
    assert Counted.compared <= 100


def test_qrels_of_judgments_hold_the_graded_rows_of_everybody():
    table = Judgments.of(
        ["1", "1", "2"], ["d", "d", "e"], ["a", "b", "a"], [1, 0, 2], status=["judged", "judged", "failed"]
    )
    assert table.qrels() == Qrels.of(["1", "1"], ["d", "d"], [1, 0])
