"""Judgments made elsewhere: they enter as events of an assessor, and requests go out without ids (MUL-6, E306)."""

import json

import pytest

import cranfield as cf
from cranfield.errors import Error, InputError, StoreError
from cranfield.judging.filling.imported import import_judgments, write_requests
from cranfield.judging.records import PairRow, QueueRow
from cranfield.judging.room import Room
from tests.judging.exporting.labs import judge, make_lab, served_elsewhere


def person(lab, name):
    room = Room.open(lab.path)
    try:
        return room.person(name)
    finally:
        room.close()


def events(lab, **chosen):
    room = Room.open(lab.path)
    try:
        return room.events(**chosen)
    finally:
        room.close()


def grades(lab, include=("llm",)):
    qrels = lab.qrels(rule="max", include=include)
    return {
        (qrels.topics[t], d): int(g) for t, d, g in zip(qrels.topic.tolist(), qrels.document, qrels.grade, strict=True)
    }


@pytest.fixture
def lab(tmp_path):
    return make_lab(tmp_path)


FILES = {
    "old.qrels": "q1 0 d1 2\nq1 0 d2 0\n",
    "old.csv": "topic,doc,grade\nq1,d1,2\nq1,d2,0\n",
    "old.jsonl": '{"topic":"q1","doc":"d1","grade":2}\n{"topic":"q1","doc":"d2","grade":0}\n',
    "umbrela.jsonl": '{"model":"m","query_id":"q1","docid":"d1","judgment":2,"result_status":1}\n'
    '{"model":"m","query_id":"q1","docid":"d2","judgment":0,"result_status":1}\n',
}


def test_what_was_made_elsewhere_is_not_the_pace_of_the_room(lab, tmp_path):
    (tmp_path / "old.qrels").write_text(FILES["old.qrels"])
    import_judgments(lab, tmp_path / "old.qrels", "old", "llm", counts=True)
    assert (lab.status().per_minute, lab.status().minutes_left) == (0, None)
    judge(lab, ("ann", "q1", "d1", 2))
    assert lab.status().per_minute > 0


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["human", "llm", "import"])
def test_grades_of_any_file_enter_as_events_of_one_assessor(lab, tmp_path, name, kind):
    (tmp_path / name).write_text(FILES[name])
    done = import_judgments(lab, tmp_path / name, "old", kind)
    assert (done.added, done.unknown, done.failed, done.exit) == (2, 0, 0, 0)
    assert grades(lab) == {("q1", "d1"): 2, ("q1", "d2"): 0}
    made = events(lab, actor="old", kind="import")
    assert [event.new["grade"] for event in reversed(made) if event.new] == [2, 0]
    assert person(lab, "old").kind == kind


@pytest.mark.parametrize("kind", ["human", "llm", "import"])
def test_mul_6_imported_grades_never_count_toward_k_unless_the_owner_says_so(lab, tmp_path, kind):
    (tmp_path / "all.qrels").write_text("".join(f"q{t} 0 d{d} 1\n" for t in (1, 2) for d in range(1, 5)))
    import_judgments(lab, tmp_path / "all.qrels", "old", kind)
    assert not person(lab, "old").counts
    status = lab.status()
    assert (status.open, status.wanted) == (8, 16)
    import_judgments(lab, tmp_path / "all.qrels", "old", kind, counts=True)
    assert person(lab, "old").counts
    assert lab.status().wanted == 8


def test_the_same_file_again_changes_nothing_and_another_grade_is_a_new_event(lab, tmp_path):
    (tmp_path / "q").write_text("q1 0 d1 2\n")
    import_judgments(lab, tmp_path / "q", "old")
    assert import_judgments(lab, tmp_path / "q", "old").unchanged == 1
    (tmp_path / "q").write_text("q1 0 d1 1\n")
    assert import_judgments(lab, tmp_path / "q", "old").changed == 1
    first, last = reversed(events(lab, actor="old", kind="import"))
    assert (first.new["grade"], last.old["grade"], last.new["grade"]) == (2, 2, 1)


def test_pairs_that_are_not_in_the_lab_are_left_out_and_counted(lab, tmp_path):
    (tmp_path / "q").write_text("q1 0 d1 2\nq1 0 elsewhere 1\nq9 0 d1 1\n")
    done = import_judgments(lab, tmp_path / "q", "old")
    assert (done.added, done.unknown, done.exit) == (1, 2, 5)
    assert "2 of pairs that are not in the lab (left out)" in done.line()


def test_a_failed_label_is_no_grade_0(lab, tmp_path):
    rows = [{"query_id": "q1", "docid": "d1", "judgment": 0, "result_status": 0}]
    rows.append({"query_id": "q1", "docid": "d2", "judgment": 1, "result_status": 1})
    (tmp_path / "l.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = import_judgments(lab, tmp_path / "l.jsonl", "m", "llm")
    assert (done.added, done.failed) == (1, 1)
    assert grades(lab) == {("q1", "d2"): 1}


def test_a_grade_that_the_lab_lacks_is_refused_and_nothing_enters(lab, tmp_path):
    (tmp_path / "q").write_text("q1 0 d1 2\nq1 0 d2 7\n")
    with pytest.raises(StoreError, match="E410: the lab has no grade 7"):
        import_judgments(lab, tmp_path / "q", "old")
    assert grades(lab) == {}
    assert [event.kind for event in events(lab)] == ["queue"]


def test_a_person_who_judges_in_the_room_keeps_their_own_judgments(lab, tmp_path):
    judge(lab, ("ann", "q1", "d1", 0))
    (tmp_path / "q").write_text("q1 0 d1 2\n")
    with pytest.raises(StoreError, match="'ann' judges in the room"):
        import_judgments(lab, tmp_path / "q", "ann", "human")
    import_judgments(lab, tmp_path / "q", "m", "llm")
    with pytest.raises(StoreError, match="'m' is of kind llm, not human"):
        import_judgments(lab, tmp_path / "q", "m", "human")


def test_a_model_is_one_more_assessor_of_agreement(lab, tmp_path):
    judge(lab, ("ann", "q1", "d1", 2), ("ann", "q1", "d2", 0), ("bob", "q1", "d1", 1), ("bob", "q1", "d2", 0))
    (tmp_path / "q").write_text("q1 0 d1 2\nq1 0 d2 2\n")
    import_judgments(lab, tmp_path / "q", "m", "llm")
    found = cf.agree(lab)
    assert [(each.name, each.kind) for each in found.assessors] == [("ann", "human"), ("bob", "human"), ("m", "model")]
    assert found.model is not None
    assert [each.name for each in found.model.assessors] == ["people", "m"]
    assert grades(lab, include=()) == {("q1", "d1"): 2, ("q1", "d2"): 0}


def requests_of(lab, tmp_path, **more):
    count = write_requests(lab, tmp_path / "req.jsonl", **more)
    rows = [json.loads(line) for line in (tmp_path / "req.jsonl").read_text().splitlines()]
    assert len(rows) == count
    return rows


def test_a_request_has_topic_text_and_an_opaque_id_and_nothing_else(lab, tmp_path):
    rows = requests_of(lab, tmp_path)
    assert len(rows) == 8
    assert set(rows[0]) == {"id", "query", "description", "narrative", "title", "passage"}
    assert {row["query"] for row in rows} == {"merge files", "sort a list"}
    text = (tmp_path / "req.jsonl").read_text()
    assert not any(f'"{word}"' in text for word in ("q1", "q2", "d1", "d2"))
    assert requests_of(lab, tmp_path) == rows  # ids stay


def test_labels_come_back_through_the_map_that_the_lab_keeps(lab, tmp_path):
    rows = requests_of(lab, tmp_path)
    labels = [{"id": row["id"], "model": "m", "judgment": 1, "result_status": 1} for row in rows]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    done = import_judgments(lab, tmp_path / "labels.jsonl", "m", "llm")
    assert done.added == 8


def test_the_map_can_be_written_for_other_programs(lab, tmp_path):
    rows = requests_of(lab, tmp_path, map=tmp_path / "map.jsonl")
    named = [json.loads(line) for line in (tmp_path / "map.jsonl").read_text().splitlines()]
    assert {row["id"] for row in named} == {row["id"] for row in rows}
    assert {(row["topic"], row["doc"]) for row in named} == {(f"q{t}", f"d{d}") for t in (1, 2) for d in range(1, 5)}


def test_e306_labels_without_ids_are_refused(lab, tmp_path):
    (tmp_path / "l.jsonl").write_text('{"query":"merge files","passage":"text of d1","judgment":1}\n')
    for _ in range(2):
        with pytest.raises(InputError) as caught:
            import_judgments(lab, tmp_path / "l.jsonl", "m", "llm")
        assert caught.value.code == "E306"
        assert "judge requests" in caught.value.hint
        write_requests(lab, tmp_path / "req.jsonl")


def test_labels_of_other_requests_are_refused(lab, tmp_path):
    write_requests(lab, tmp_path / "req.jsonl")
    (tmp_path / "l.jsonl").write_text('{"id":"elsewhere","judgment":1}\n')
    with pytest.raises(Error):
        import_judgments(lab, tmp_path / "l.jsonl", "m", "llm")


def test_gold_and_judged_pairs_can_be_left_out_of_requests(lab, tmp_path):
    lab.add_rows(QueueRow("gold"), [PairRow("q1", "g1", grade=2)])
    judge(lab, ("ann", "q1", "d1", 2))
    assert len(requests_of(lab, tmp_path)) == 8
    assert len(requests_of(lab, tmp_path, everything=False)) == 7


def test_e404_a_lab_that_is_served_takes_nothing_in(lab, tmp_path):
    (tmp_path / "q").write_text("q1 0 d1 2\n")
    with served_elsewhere(lab), pytest.raises(StoreError) as caught:
        import_judgments(lab, tmp_path / "q", "old")
    assert caught.value.code == "E404"
