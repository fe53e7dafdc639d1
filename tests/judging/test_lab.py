"""`cf.Lab`: make, fill, read and export a lab from Python."""

import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import Error
from tests.judging.exporting.labs import judge, make_lab, served_elsewhere

RUNS = {"r1": {"q1": ["a", "b", "x"]}, "r2": {"q1": ["b", "c", "y"]}}
TOPICS = {"q1": "merge sorted files"}
DOCS = {"a": "text a", "b": "text b", "c": "text c"}


def test_the_example_of_the_product_page(tmp_path):
    pool = cf.pool(RUNS, depth=2)
    lab = cf.Lab.create(tmp_path / "lab.db", pool, TOPICS, DOCS, grades=range(3))
    holes = cf.holes({"q1": {"a": 1}}, RUNS, "P@3")
    assert lab.add(holes.next(2)).pairs == 2
    judge(lab, ("ann", "q1", "a", 2))
    assert len(lab.judgments()) == 1
    assert lab.qrels(rule="adjudicated").grade.tolist() == [2]
    with pytest.raises(Error, match="agreement needs two assessors, got 1"):
        cf.agree(lab)


def test_a_pool_keeps_strata_probabilities_and_how_it_was_made(tmp_path):
    lab = cf.Lab.create(tmp_path / "lab.db", cf.pool(RUNS, depth=2), TOPICS, DOCS)
    snapshot = lab.snapshot()
    assert {(pair.stratum, pair.probability) for pair in snapshot.pairs} == {("depth2", 1.0)}
    assert snapshot.queues[0].queue.pool["depth"] == 2
    assert not snapshot.chosen_by


def test_what_to_judge_next_is_a_list_that_is_marked_adaptive(tmp_path):
    lab = cf.Lab.create(tmp_path / "lab.db", cf.pool(RUNS, depth=1), TOPICS, DOCS)
    holes = cf.holes({"q1": {"a": 1}}, RUNS, "P@3")
    lab.add(holes.next(2))
    lab.add(holes.next(1))
    states = lab.status().queues
    assert [(state.queue.name, state.queue.kind, state.queue.adaptive) for state in states] == [
        ("pool", "pool", False),
        ("holes 1", "list", True),
        ("holes 2", "list", True),
    ]
    assert lab.snapshot().chosen_by == ("swing",)
    judge(lab, *((("ann", "q1", pair.document, 1)) for pair in lab.snapshot().pairs))
    with pytest.raises(cf.PolicyError, match="needs a random sample"):
        cf.evaluate(lab.qrels(), RUNS, "statAP")


@pytest.mark.parametrize("form", ["path", "table", "pairs"])
def test_pairs_come_in_any_form(tmp_path, form):
    pool = cf.pool(RUNS, depth=2)
    pool.write(tmp_path / "pool.tsv")
    given = {"path": tmp_path / "pool.tsv", "table": pool.pairs, "pairs": [("q1", name) for name in "abc"]}[form]
    lab = cf.Lab.create(tmp_path / "lab.db", given)
    assert sorted(pair.document for pair in lab.snapshot().pairs) == ["a", "b", "c"]


def test_topics_and_documents_come_as_files_or_tables(tmp_path):
    (tmp_path / "t.tsv").write_text("q1\tmerge sorted files\n")
    (tmp_path / "d.jsonl").write_text('{"_id":"a","text":"A"}\n{"_id":"b","text":"B"}\n{"_id":"c","text":"C"}\n')
    pool = cf.pool(RUNS, depth=2)
    cf.Lab.create(tmp_path / "1.db", pool, tmp_path / "t.tsv", tmp_path / "d.jsonl")
    topics, documents = cf.read_topics(tmp_path / "t.tsv"), cf.read_documents(tmp_path / "d.jsonl")
    lab = cf.Lab.create(tmp_path / "2.db", pool, topics, documents)
    assert lab.status().topics[0].title == "merge sorted files"


def test_e405_a_pooled_document_without_a_text_is_refused_unless_allowed(tmp_path):
    pool = cf.pool(RUNS, depth=2)
    with pytest.raises(cf.InputError) as caught:
        cf.Lab.create(tmp_path / "lab.db", pool, TOPICS, {"a": "text"})
    assert caught.value.code == "E405"
    assert not (tmp_path / "lab.db").exists()
    cf.Lab.create(tmp_path / "lab.db", pool, TOPICS, {"a": "text"}, allow_missing_docs=True)


def test_a_lab_that_exists_is_refused(tmp_path):
    cf.Lab.create(tmp_path / "lab.db", [("q1", "a")])
    with pytest.raises(cf.StoreError, match="exists already"):
        cf.Lab.create(tmp_path / "lab.db", [("q1", "a")])
    assert cf.Lab(tmp_path / "lab.db").status().pairs == cf.Lab.open(str(tmp_path / "lab.db")).status().pairs == 1


@pytest.mark.parametrize("wrong", [{"grades": [1]}, {"grades": [0, 10]}, {"overlap": 2.0}, {"assessors": 0}])
def test_a_scale_or_a_number_that_makes_no_sense_is_refused(tmp_path, wrong):
    with pytest.raises(cf.PolicyError):
        cf.Lab.create(tmp_path / "lab.db", [("q1", "a")], **wrong)
    assert not (tmp_path / "lab.db").exists()


def test_judgments_are_records_rows_and_a_frame(tmp_path):
    lab = make_lab(tmp_path)
    judge(lab, ("ann", "q1", "d1", 2), ("bob", "q1", "d1", "cannot"))
    found = lab.judgments()
    assert [judgment.assessor for judgment in found] == ["ann", "bob"]
    assert [(row["topic"], row["doc"], row["status"], row["grade"]) for row in found.to_records()] == [
        ("q1", "d1", "judged", 2),
        ("q1", "d1", "cannot", None),
    ]
    frame = found.to_polars()
    assert isinstance(frame, pl.DataFrame)
    assert frame["grade"].to_list() == [2, None]


def test_export_backup_and_status(tmp_path):
    lab = make_lab(tmp_path)
    judge(lab, ("ann", "q1", "d1", 2), ("bob", "q1", "d1", 2))
    done = lab.export(tmp_path / "qrels.txt")
    assert (done.counts.judged, done.counts.open, done.exit) == (1, 7, 0)
    assert cf.read_qrels(tmp_path / "qrels.txt").grade.tolist() == [2]
    copy = cf.Lab(lab.backup(tmp_path / "copy.db"))
    assert copy.qrels() == lab.qrels()
    assert (copy.status().pairs, copy.status().agreed) == (8, 1)


def test_rel_11_readers_work_while_a_room_serves_and_writers_are_refused(tmp_path):
    lab = make_lab(tmp_path)
    judge(lab, ("ann", "q1", "d1", 2))
    with served_elsewhere(lab):
        assert lab.qrels().grade.tolist() == [2]
        lab.export(tmp_path / "q.txt")
        lab.backup(tmp_path / "copy.db")
        with pytest.raises(cf.StoreError) as caught:
            lab.add([("q1", "new")])
        assert caught.value.code == "E404"


def test_a_document_that_had_no_text_gets_one(tmp_path):
    lab = cf.Lab.create(tmp_path / "lab.db", [("q1", "a")], TOPICS)
    lab.add([("q1", "a")], docs={"a": "the text"})
    from cranfield.judging.jobs.showing import shown_document

    with lab.reading() as connection:
        assert shown_document(connection, lab.snapshot().pairs[0].item).text == "the text"
    lab.add([("q1", "a")], docs={"a": "another"})
    with lab.reading() as connection:
        assert shown_document(connection, lab.snapshot().pairs[0].item).text == "the text"
