"""Tables compare by content, and say in one line what they hold."""

import json
import re
from dataclasses import FrozenInstanceError, replace
from itertools import permutations, product

import numpy as np
import pytest

from cranfield import evaluate, load_scores, with_intervals
from cranfield.errors import DataWarning, Error
from cranfield.tables.audit import Audit
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.intents import Intents
from cranfield.tables.side.latencies import Latencies
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.possible import PossibleScores
from cranfield.tables.side.probabilities import Probabilities
from cranfield.tables.side.replicates import Replicates
from cranfield.tables.side.topics import Topic, Topics
from cranfield.tables.source import Source
from cranfield.tables.text import Text

PAIRS = [
    (lambda x: Judgments.of(["1"], ["d"], [x], [1]), "Judgments: 1 assessor, 1 topic, 1 judgment"),
    (lambda x: Judgments.of(["1"], ["d"], ["a"], [1], at=[x]), "Judgments: 1 assessor, 1 topic, 1 judgment"),
    (lambda x: Pool.of(["1"], ["d"], [x], [1.0]), None),
    (lambda x: Pool.of(["1"], ["d"], ["s"], [0.5 if x == "a" else float("nan")]), "Pool: 1 topic, 1 pair (s)"),
    (lambda x: Topics.of([Topic("1", x)]), "Topics: 1 topic"),
    (lambda x: Documents.of([Document("1", x)]), "Documents: 1 document"),
    (lambda x: Probabilities.of(["1"], [x], [[1.0]]), "Probabilities: 1 topic, 1 document, grades 0…0"),
    (lambda x: Latencies.of([x], ["1"], [2.0]), "Latencies: 1 run, 1 measurement"),
    (lambda x: Intents.of(["1"], [x], [1.0]), "Intents: 1 topic, 1 subtopic"),
    (lambda x: Qrels.of(["1"], [x], [1]), "Qrels: 1 topic, 1 judgment, grades 1…1"),
    (lambda x: Run.of(x, ["1"], ["d"], [1.0]), "Run 'b': 1 topic, 1 document"),
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


NAN = float("nan")
UNKNOWN = [
    lambda: Run("r", ("1",), np.array([0]), Text.of(["d"]), np.array([NAN])),
    lambda: Qrels(("1",), np.array([0]), Text.of(["d"]), np.array([NAN])),
    lambda: Judgments.of(["1"], ["d"], ["a"], [NAN]),
    lambda: Pool.of(["1"], ["d"], ["s"], [NAN]),
    lambda: Probabilities.of(["1"], ["d"], [[NAN]]),
    lambda: Latencies.of(["r"], ["1"], [NAN]),
]


@pytest.mark.parametrize("make", UNKNOWN)
def test_a_table_with_an_undefined_number_is_equal_to_itself_and_its_copy(make):
    table = make()
    assert table == table  # noqa: PLR0124  # which NaN is not
    assert table == make()
    if isinstance(table, Run | Qrels):
        assert table.same_rows(make())


RANKS = [None, [1, 2], [2, 1], Text.of(["1", "2"]), Text.of(["x", "2"])]
PLAIN = Run.of("a", ["1", "1"], ["d", "e"], [2.0, 1.0])
RUNS = [
    *(replace(PLAIN, rank=np.array(rank) if isinstance(rank, list) else rank) for rank in RANKS),
    PLAIN.renamed("b"),
    Run.of("a", ["1", "2"], ["d", "e"], [2.0, 1.0]),
    Run.of("a", ["2", "2"], ["d", "e"], [2.0, 1.0]),
    Run.of("a", ["1", "1"], ["d", "f"], [2.0, 1.0]),
    Run.of("a", ["1", "1"], ["d", "e"], [2.0, 1.5]),
    Run.of("a", ["1"], ["d"], [2.0]),
]
BARE = Qrels.of(["1", "1"], ["d", "e"], [1, 0])
QRELS = [
    BARE,
    *(replace(BARE, iteration=Text.of(column)) for column in (["0", "0"], ["0", "1"])),
    *(replace(BARE, stratum=Text.of(column)) for column in (["0", "0"], ["0", "1"])),
    *(replace(BARE, probability=np.array(column)) for column in ([0.5, 0.5], [0.5, 1.0])),
    replace(BARE, iteration=Text.of(["0", "0"]), stratum=Text.of(["0", "0"])),
    Qrels.of(["1", "2"], ["d", "e"], [1, 0]),
    Qrels.of(["2", "2"], ["d", "e"], [1, 0]),
    Qrels.of(["1", "1"], ["d", "f"], [1, 0]),
    Qrels.of(["1", "1"], ["d", "e"], [1, 2]),
    Qrels.of(["1", "1"], ["d", "e"], [1.0, 0.0]),
    Qrels.of(["1"], ["d"], [1]),
]
SAME = {(1, 3)}  # ranks are numbers, read or not


def test_runs_and_qrels_that_differ_in_any_column_are_not_equal():
    for tables, same in ((RUNS, SAME), (QRELS, set[tuple[int, int]]())):
        for (m, one), (n, other) in product(enumerate(tables), repeat=2):
            assert (one == other) is (m == n or (min(m, n), max(m, n)) in same), (m, n)


def test_runs_and_qrels_are_equal_wherever_they_came_from():
    line, source = np.array([7, 9]), Source("x.csv", "csv")
    assert replace(PLAIN, line=line, source=source) == PLAIN
    assert replace(BARE, line=line, source=source) == BARE


def test_rows_are_the_same_as_far_as_both_tables_have_the_columns():
    plain, ranked, turned, spelt, broken, renamed, *other = RUNS
    assert all(plain.same_rows(run) and run.same_rows(plain) for run in (ranked, turned, spelt, broken, renamed))
    assert ranked.same_rows(spelt)
    assert not any(one.same_rows(two) for one, two in permutations([ranked, turned, broken], 2))
    assert not any(plain.same_rows(run) or run.same_rows(plain) for run in other)
    columns, real = QRELS[1:8], QRELS[12]
    assert all(BARE.same_rows(qrels) and qrels.same_rows(BARE) for qrels in [*columns, real])
    assert not any(one.same_rows(two) for one, two in (columns[:2], columns[2:4], columns[4:6]))
    assert columns[0].same_rows(columns[2])
    assert not any(BARE.same_rows(qrels) or qrels.same_rows(BARE) for qrels in [*QRELS[8:12], QRELS[13]])


def test_judgments_with_real_grades_are_not_those_with_whole_ones():
    assert Judgments.of(["1"], ["d"], ["a"], [1]) != Judgments.of(["1"], ["d"], ["a"], [1.0])


SCORES = with_intervals(evaluate({"1": {"d": 1}, "2": {"d": 0, "e": 1}}, {"1": ["d"], "2": ["d"]}, ["RBP(p=0.8)"]), "t")


@pytest.mark.parametrize(
    "change",
    [
        {"cutoff": 5},
        {"scored": ~SCORES.scored},
        {"judged": SCORES.judged / 2},
        {"retrieved": SCORES.retrieved + 1},
        {"relevant": SCORES.relevant + 1},
        {"intervals": None},
        {"intervals": np.zeros((1, 1, 2))},
        {"weights": SCORES.values + 1},
        {"residuals": {}},
        {"residuals": {"RBP(p=0.8)": SCORES.residuals["RBP(p=0.8)"] + 1}},
        {"looks_at": ()},
        {"smaller": ("RBP(p=0.8)",)},
        {"possible": PossibleScores("bounds", np.zeros((1, 1)), np.ones((1, 1)), np.ones((1, 1), dtype=bool))},
        {"replicates": Replicates(("1",), np.array([0]), SCORES.values, SCORES.averages)},
    ],
    ids=str,
)
def test_scores_are_equal_only_if_everything_but_the_audit_is(change):
    other = replace(SCORES, **change)
    assert other != SCORES
    assert SCORES.same_values(other)
    assert other.same_values(SCORES)


def test_ranges_and_replicates_that_differ_in_any_column_are_not_equal():
    low, high = np.zeros((2, 1, 1))
    ranges = PossibleScores("bounds", low, high, low == 0)
    assert ranges == replace(ranges, low=low.copy())
    for change in (
        {"kind": "estimate"},
        {"low": low + 1},
        {"high": high * np.nan},
        {"expected": low},
        {"notes": ("a",)},
    ):
        assert ranges != replace(ranges, **change)
        assert replace(SCORES, possible=ranges) != replace(SCORES, possible=replace(ranges, **change))
    assert SCORES.possible is None
    behind = Replicates(("1",), np.array([0]), SCORES.values, SCORES.averages)
    assert behind == replace(behind, values=SCORES.values.copy())
    for change in ({"runs": ("2",)}, {"system": np.array([1])}, {"values": SCORES.values + 1}, {"averages": ("sum",)}):
        assert behind != replace(behind, **change)


def test_saved_scores_with_an_unknown_average_are_refused(tmp_path):
    SCORES.save(tmp_path / "s.json")
    data = json.loads((tmp_path / "s.json").read_text())
    data["result"]["averages"]["RBP(p=0.8)"] = "harmonic"
    (tmp_path / "s.json").write_text(json.dumps(data))
    with pytest.raises(Error, match="is not a file of saved scores"):
        load_scores(tmp_path / "s.json")


def test_scores_are_equal_whatever_their_audit_says():
    assert replace(SCORES, audit=Audit()) == SCORES
    assert not SCORES.same_values(replace(SCORES, values=SCORES.values + 1))
    assert not SCORES.same_values(replace(SCORES, topics=("1", "3")))
    undefined = replace(SCORES, values=SCORES.values * np.nan)
    assert undefined == replace(SCORES, values=SCORES.values * np.nan)
    assert undefined != SCORES
    assert SCORES != "scores"


def test_ids_are_unique_in_topics_documents_and_runs():
    with pytest.raises(Error, match="E119: topic '1' occurs twice"):
        Topics.of([Topic("1", "a"), Topic("1", "b")])
    with pytest.raises(Error, match="E119: document '1' occurs twice"):
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


def test_topics_that_are_chosen_must_be_known():
    qrels = Qrels.of(["1", "2"], ["d", "d"], [1, 0])
    with pytest.raises(Error, match="nosuch"):
        qrels.only(["nosuch"])
    with pytest.warns(DataWarning, match="nosuch"):
        assert qrels.only(["1", "nosuch"]).topics == ("1",)


@pytest.mark.parametrize(("lines", "line"), [(True, 1), (False, None)])
def test_a_row_has_a_line_where_its_source_has_lines(lines, line):
    qrels = replace(Qrels.of(["1"], ["d"], [1]), source=Source(name="qrels.x", lines=lines))
    assert qrels.line_of(0) == line


def test_ranks_are_numbers_whether_they_were_kept_as_numbers_or_as_text():
    run = Run.of("r", ["1", "1"], ["a", "b"], [2.0, 1.0], [1, 2])
    for kept in (run, replace(run, rank=Text.of(["1", "2"]))):
        found = kept.ranks()
        assert found is not None
        assert found.tolist() == [1, 2]
    with pytest.raises(Error, match="first"):
        replace(run, rank=Text.of(["first", "2"])).ranks()


@pytest.mark.parametrize("make", [make for make, _ in PAIRS[:-1]])  # `Runs` is a sequence of tables
def test_a_table_cannot_be_changed(make):
    table = make("a")
    with pytest.raises(FrozenInstanceError):
        table.source = Source(name="another")
