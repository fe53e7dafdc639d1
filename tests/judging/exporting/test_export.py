"""Export of a lab: qrels under named rules, raw files, and what stands beside them (PRODUCT 5.8)."""

import csv
import json

import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.judging.exporting.export import export_snapshot, exported_qrels
from cranfield.judging.exporting.inclusion import Membership, included
from cranfield.judging.records import AssessorAnswer, PairRow, QueueRow, Work
from cranfield.judging.room import Room
from cranfield.judging.store.derived import rebuild
from cranfield.judging.store.events import Event, append
from tests.judging.exporting.labs import GRADES, judge, make_lab

JUDGED = (
    ("ann", "q1", "d1", 2),
    ("bob", "q1", "d1", 2),
    ("ann", "q1", "d2", 0),
    ("bob", "q1", "d2", 1),
    ("ann", "q1", "d3", "cannot"),
    ("bob", "q1", "d3", "cannot"),
    ("ann", "q1", "d4", "later"),
    ("ann", "q2", "d1", 1),
)


def snapshot(lab):
    return lab.snapshot()


@pytest.fixture
def lab(tmp_path):
    made = make_lab(tmp_path)
    judge(made, *JUDGED)
    return made


def exported(lab, name="qrels.txt", **choices):
    return export_snapshot(snapshot(lab), lab.path.parent / name, **choices)


def text(lab, name="qrels.txt"):
    return (lab.path.parent / name).read_text(encoding="utf-8")


def test_qrels_hold_what_the_rule_decides_and_nothing_open(lab):
    done = exported(lab, rule="max")
    assert text(lab) == "q1 0 d1 2\nq1 0 d2 1\nq2 0 d1 1\n"
    assert done.exit == 0
    assert done.line() == (
        "8 pairs: 3 judged · 1 cannot judge (omitted) · 4 open (omitted)"
        " · 1 judged by fewer assessors than asked for   rule: max"
    )


def test_a_majority_without_a_winner_is_omitted_and_listed_and_the_exit_code_is_5(lab):
    done = exported(lab)
    assert text(lab) == "q1 0 d1 2\nq2 0 d1 1\n"
    assert text(lab, "qrels.txt.disputed.tsv") == "topic\tdocument\tgrades\nq1\td2\t0 1\n"
    assert done.exit == 5
    assert done.files == tuple(str(lab.path.parent / f"qrels.txt{end}") for end in ("", ".meta.json", ".disputed.tsv"))
    assert "1 without a winner (omitted)" in done.line()
    assert done.line().endswith("rule: adjudicated, otherwise majority")


def test_plain_data_of_an_export_name_the_grades_of_disputed_pairs(lab):
    told = exported(lab).to_dict()
    assert told["disputed"] == [{"topic": "q1", "document": "d2", "grades": "0 1"}]
    assert (told["rule"], told["adaptive"]) == ("adjudicated", False)


def test_a_pair_of_a_sample_that_was_also_chosen_by_looking_has_the_stratum_of_the_second():
    sampled, chosen = Membership(1, 1, "s", 0.5), Membership(2, 1, "swing", None)
    assert included([sampled, chosen]).stratum == "swing"
    assert included([sampled]).stratum == "s"


def test_a_later_export_without_disputes_leaves_no_old_list_of_them(lab):
    exported(lab)
    assert exported(lab, rule="min").exit == 0
    assert text(lab, "qrels.txt.disputed.tsv") == "topic\tdocument\tgrades\n"


def test_open_pairs_can_be_written_as_pooled_but_unjudged(lab):
    done = exported(lab, rule="min", open_as=-1)
    assert text(lab).splitlines()[:4] == ["q1 0 d1 2", "q1 0 d2 0", "q1 0 d3 -1", "q1 0 d4 -1"]
    assert len(text(lab).splitlines()) == 8
    assert "1 cannot judge (written as -1) · 4 open (written as -1)" in done.line()
    with pytest.raises(PolicyError, match="must be negative"):
        exported(lab, open_as=0)


def test_the_side_file_tells_rule_counts_guidelines_labels_order_and_store(lab):
    exported(lab, rule="median", open_as=-1)
    meta = json.loads(text(lab, "qrels.txt.meta.json"))
    assert (meta["rule"], meta["otherwise"], meta["open"], meta["format"]) == ("median", None, -1, "qrels-trec")
    expected = {"pairs": 8, "judged": 3, "disputed": 0, "cannot": 1, "later": 1, "open": 3, "partly": 1, "gold": 0}
    assert meta["counts"] == expected
    assert meta["grades"] == [{"grade": grade, "label": label} for grade, label in GRADES.items()]
    assert meta["order"] == "random"
    assert list(meta["guideline"]["judgments"]) == [meta["guideline"]["sha256"]]
    assert len(meta["store"]["sha256"]) == 64


def test_the_side_file_tells_how_the_judgments_were_made(lab):
    exported(lab)
    practice = json.loads(text(lab, "qrels.txt.meta.json"))["practice"]
    assert practice["depth"] == [10]
    assert practice["scale"] == {"grades": [0, 1, 2], "points": 3, "binary": False}
    assert practice["assessors"] == {"human": 2}
    assert practice["assessments_per_pair"] == {"0": 5, "1": 1, "2": 2}
    assert practice["queues"][0]["k"] == 2
    assert practice["adjudicated"] == 0
    assert (practice["judgments"], practice["repeats"]) == (8, 0)
    assert practice["gold"] == {"pairs": 0, "judgments": 0}


def test_the_same_lab_gives_the_same_bytes(lab):
    exported(lab, "a.txt")
    exported(lab, "b.txt")
    assert text(lab, "a.txt") == text(lab, "b.txt")
    assert text(lab, "a.txt.meta.json") == text(lab, "b.txt.meta.json")


@pytest.mark.parametrize("name", ["q.txt", "q.jsonl", "q.csv", "q.tsv", "q.json", "q.parquet", "q.txt.gz"])
def test_what_is_written_is_read_back(lab, name):
    exported(lab, name, rule="max")
    again = cf.read_qrels(lab.path.parent / name)
    rows = [(again.topics[t], d, g) for t, d, g in zip(again.topic.tolist(), again.document, again.grade, strict=True)]
    assert rows == [("q1", "d1", 2), ("q1", "d2", 1), ("q2", "d1", 1)]


def test_a_mean_goes_to_jsonl_and_csv_only(lab):
    exported(lab, "q.jsonl", rule="mean")
    assert json.loads(text(lab, "q.jsonl").splitlines()[1]) == {"topic": "q1", "doc": "d2", "grade": 0.5}
    exported(lab, "q.csv", rule="mean")
    for choices in ({"rule": "mean"}, {"rule": "adjudicated", "otherwise": "mean"}):
        with pytest.raises(PolicyError, match="qrels-trec holds whole grades, and mean gives others"):
            exported(lab, "q.txt", **choices)


def test_raw_holds_every_judgment_with_assessor_time_note_and_status(lab):
    exported(lab, "raw.jsonl", rule="raw")
    rows = [json.loads(line) for line in text(lab, "raw.jsonl").splitlines()]
    assert len(rows) == len(JUDGED)
    found = {(row["assessor"], row["topic"], row["doc"]): row for row in rows}
    for assessor, topic, document, said in JUDGED:
        row = found[assessor, topic, document]
        assert row["status"] == ("judged" if isinstance(said, int) else said)
        assert row["grade"] == (said if isinstance(said, int) else None)
        assert row["at"].endswith("Z")
        assert row["note"] == ""
    with pytest.warns(cf.DataWarning, match="3 of 8 judgments failed or are open"):
        assert cf.read_qrels(lab.path.parent / "raw.jsonl", format="qrels-jsonl").grade.tolist() == [2, 2, 0, 1, 1]


def test_raw_in_csv_and_parquet_holds_the_same(lab):
    exported(lab, "raw.jsonl", rule="raw")
    exported(lab, "raw.csv", rule="raw")
    exported(lab, "raw.parquet", rule="raw")
    rows = [json.loads(line) for line in text(lab, "raw.jsonl").splitlines()]
    with open(lab.path.parent / "raw.csv", encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    frame = pl.read_parquet(lab.path.parent / "raw.parquet")
    assert [*cells[0]] == frame.columns == [*rows[0]]
    for name in rows[0]:
        told = [row[name] for row in rows]
        assert frame[name].to_list() == ([json.dumps(each) for each in told] if name == "marks" else told), name
        plain = [int(each) if isinstance(each, bool) else "" if each in (None, []) else each for each in told]
        assert [row[name] for row in cells] == [str(each) for each in plain], name
    with pytest.raises(PolicyError, match="cannot hold all judgments"):
        exported(lab, "raw.txt", rule="raw")


def test_sec_13_a_note_that_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path):
    lab = make_lab(tmp_path, [PairRow("q1", "=d1")])
    room = Room.open(lab.path)
    room.add_user("ann")
    work = room.next("ann")
    assert isinstance(work, Work)
    room.judge("ann", work.item, AssessorAnswer("judged", 1, note="=HYPERLINK(1)"), client_id="c")
    room.close()
    exported(lab, "raw.csv", rule="raw")
    with open(tmp_path / "raw.csv", encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["note"] == "'=HYPERLINK(1)"
    assert row["doc"] == "=d1"
    exported(lab, "q.csv", rule="max")
    assert text(lab, "q.csv") == "topic,doc,grade\nq1,=d1,1\n"


def test_repeats_are_in_raw_and_never_in_qrels(tmp_path):
    lab = make_lab(tmp_path)
    judge(lab, ("ann", "q1", "d1", 0))
    lab.add_rows(QueueRow("again", kind="repeat"), [PairRow("q1", "d1")])
    judge(lab, ("ann", "q1", "d1", 2, 1))
    exported(lab, rule="max")
    assert text(lab) == "q1 0 d1 0\n"
    exported(lab, "raw.jsonl", rule="raw")
    rows = [json.loads(line) for line in text(lab, "raw.jsonl").splitlines()]
    assert [(row["round"], row["grade"]) for row in rows] == [(1, 2), (0, 0)]
    practice = json.loads(text(lab, "qrels.txt.meta.json"))["practice"]
    assert (practice["judgments"], practice["repeats"]) == (1, 1)
    cf.convert(tmp_path / "raw.jsonl", output=tmp_path / "c.txt", rule="max")
    assert text(lab, "c.txt") == "q1 0 d1 0\n"


def test_gold_is_never_in_qrels(tmp_path):
    lab = make_lab(tmp_path)
    lab.add_rows(QueueRow("gold"), [PairRow("q1", "g1", grade=2)])
    judge(lab, ("ann", "q1", "d1", 0), ("ann", "q1", "g1", 2))
    done = exported(lab, rule="max", open_as=-1)
    assert "g1" not in text(lab)
    assert done.counts.gold == 1
    assert json.loads(text(lab, "qrels.txt.meta.json"))["practice"]["gold"] == {"pairs": 1, "judgments": 1}
    exported(lab, "raw.jsonl", rule="raw")
    assert [json.loads(line)["gold"] for line in text(lab, "raw.jsonl").splitlines()] == [False, True]


def test_an_adaptive_pool_stays_marked_and_estimators_refuse_it(tmp_path):
    lab = make_lab(tmp_path, [PairRow("q1", "d1", "swing", None), PairRow("q1", "d2", "swing", None)])
    judge(lab, ("ann", "q1", "d1", 1))
    done = exported(lab, rule="max", open_as=-1)
    assert done.adaptive
    meta = json.loads(text(lab, "qrels.txt.meta.json"))
    assert (meta["adaptive"], meta["chosen_by"]) == (True, ["swing"])
    assert meta["strata"] == [{"stratum": "swing", "pairs": 2, "probability": None}]
    for measure, name in (("infAP", "qrels.txt"), ("statAP", "q.jsonl"), ("xinfAP", "q.csv"), ("infNDCG", "q.jsonl")):
        exported(lab, name, rule="max", open_as=-1)
        with pytest.raises(PolicyError, match="needs a random sample") as caught:
            cf.evaluate(cf.read_qrels(tmp_path / name), {"q1": ["d1", "d2"]}, measure)
        assert caught.value.code == "E210"
        with pytest.raises(PolicyError, match="needs a random sample"):
            cf.evaluate(exported_qrels(snapshot(lab), "max", open_as=-1), {"q1": ["d1", "d2"]}, measure)


def test_inclusion_probabilities_of_a_sample_reach_the_estimators(tmp_path):
    lab = make_lab(tmp_path, [PairRow("q1", "d1", "top", 1.0), PairRow("q1", "d2", "rest", 0.5)])
    judge(lab, ("ann", "q1", "d1", 1), ("ann", "q1", "d2", 1))
    assert not exported(lab, "q.jsonl", rule="max").adaptive
    qrels = cf.read_qrels(tmp_path / "q.jsonl")
    assert qrels.probability is not None
    assert qrels.probability.tolist() == [1.0, 0.5]
    assert list(qrels.stratum or ()) == ["top", "rest"]
    assert exported_qrels(snapshot(lab), "max") == qrels
    assert cf.evaluate(qrels, {"q1": ["d1", "d2"]}, "statAP").means.size == 1
    strata = json.loads(text(lab, "q.jsonl.meta.json"))["strata"]
    assert strata == [
        {"stratum": "top", "pairs": 1, "probability": [1.0, 1.0]},
        {"stratum": "rest", "pairs": 1, "probability": [0.5, 0.5]},
    ]


def test_the_order_of_serving_is_written_down(tmp_path):
    lab = make_lab(tmp_path, order="pool")
    exported(lab)
    assert json.loads(text(lab, "qrels.txt.meta.json"))["order"] == "pool"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("qrels.txt", ""),
        ("qrels.tsv", "topic\tdoc\tgrade\n"),
        ("qrels.csv", "topic,doc,grade\n"),
        ("qrels.json", "{}\n"),
    ],
)
def test_a_lab_without_judgments_gives_a_file_without_rows(tmp_path, name, written):
    lab = make_lab(tmp_path)
    done = exported(lab, name)
    assert text(lab, name) == written
    assert done.counts.open == 8


@pytest.mark.parametrize("wrong", [{"rule": "average"}, {"otherwise": "raw"}, {"include": ["human"]}])
def test_an_unknown_choice_is_refused(lab, wrong):
    with pytest.raises(PolicyError) as caught:
        exported(lab, **wrong)
    assert caught.value.code == "E213"


def test_an_export_is_an_event_and_does_not_change_the_next_export(lab):
    lab.export(lab.path.parent / "a.txt", "max")
    lab.export(lab.path.parent / "b.txt", "max")
    assert text(lab, "a.txt.meta.json") == text(lab, "b.txt.meta.json")
    room = Room.open(lab.path)
    last, first = room.events(kind="export")
    room.close()
    assert (first.new or {})["files"][0].endswith("a.txt")
    assert (last.new or {})["rule"] == "max"


def test_rel_9_an_export_is_the_same_after_the_derived_tables_were_rebuilt(lab):
    lab.export(lab.path.parent / "a.txt", "max")
    with lab.writing() as connection:
        rebuild(connection)
    lab.export(lab.path.parent / "b.txt", "max")
    for ending in ("", ".meta.json"):
        assert text(lab, f"a.txt{ending}") == text(lab, f"b.txt{ending}")


def test_the_side_file_says_that_an_owner_looked_at_what_a_decide_queue_shows(lab):
    with lab.writing() as connection:
        append(connection, Event("reveal", "bob", "owner", 1_772_446_272_345, new={"queue": 1}))
    exported(lab)
    revealed = json.loads(text(lab, "qrels.txt.meta.json"))["revealed"]
    assert revealed == [{"queue": "pool", "by": "bob", "at": "2026-03-02T10:11:12.345Z"}]
