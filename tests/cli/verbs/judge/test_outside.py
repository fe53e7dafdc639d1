"""`judge import`, `judge requests`, `judge status` and `judge export` at the command line."""

import json

import pytest

from tests.cli.verbs.test_judge import checked
from tests.judging.exporting.labs import judge, make_lab, served_elsewhere


@pytest.fixture
def lab(folder):
    """Eight pairs for two assessors, some judged."""
    made = make_lab(folder)
    judge(made, ("ann", "q1", "d1", 2), ("bob", "q1", "d1", 2), ("ann", "q1", "d2", 0), ("bob", "q1", "d2", 1))
    return made


def test_import_says_what_became_of_the_judgments(cli, lab, folder):
    (folder / "old.qrels").write_text("q1 0 d1 1\nq1 0 d3 2\nq9 0 x 1\n")
    result = cli("judge", "import", "lab.db", "old.qrels", "--as", "track")
    assert result.code == 5
    assert result.out == (
        " judgments of track (import): 2 added · 1 of pairs that are not in the lab (left out);"
        " they do not count toward the judgments that a pair needs\n"
    )
    assert checked(cli, "judge", "import", "lab.db", "old.qrels", "--as", "track")["unchanged"] == 2


def test_requests_go_out_and_labels_come_back(cli, lab, folder):
    assert cli("judge", "requests", "lab.db", "-o", "req.jsonl").out == " req.jsonl: 8 requests\n"
    rows = [json.loads(line) for line in (folder / "req.jsonl").read_text().splitlines()]
    labels = [json.dumps({"id": row["id"], "model": "m", "judgment": 1, "result_status": 1}) for row in rows]
    (folder / "labels.jsonl").write_text("\n".join(labels) + "\n")
    assert checked(cli, "judge", "import", "lab.db", "labels.jsonl", "--as", "m", "--kind", "llm")["added"] == 8
    out = cli("agree", "lab.db").out
    assert out.startswith(" 3 assessors · ")
    assert "people and m" in out


def test_e306_at_the_command_line(cli, lab, folder):
    (folder / "l.jsonl").write_text('{"query":"x","passage":"y","judgment":1}\n')
    result = cli("judge", "import", "lab.db", "l.jsonl", "--as", "m", "--kind", "llm")
    assert result.code == 3
    assert "E306: l.jsonl:1: record has no topic and document id" in result.err
    assert "--map requests.jsonl" in result.err


def test_status_tells_queues_assessors_and_what_is_needed(cli, lab):
    result = cli("judge", "status", "lab.db", "--topics")
    first = result.out.splitlines()[0]
    assert first.startswith(" lab.db: 8 pairs · 1 done · 6 open · 1 in dispute · 12 judgments needed")
    assert "ann" in result.out
    assert "sort a list" in result.out
    found = checked(cli, "judge", "status", "lab.db")
    assert (found["pairs"], found["queues"][0]["name"], found["assessors"][0]["name"]) == (8, "pool", "ann")


def test_export_writes_the_files_and_ends_with_5_where_pairs_are_disputed(cli, lab, folder):
    result = cli("judge", "export", "lab.db", "-o", "qrels.txt", "--rule", "adjudicated")
    assert result.code == 5
    assert result.out == (
        " 8 pairs: 1 judged · 1 without a winner (omitted) · 0 cannot judge (omitted) · 6 open (omitted)"
        "   rule: adjudicated, otherwise majority\n"
    )
    assert (folder / "qrels.txt").read_text() == "q1 0 d1 2\n"
    assert (folder / "qrels.txt.disputed.tsv").exists()
    assert checked(cli, "judge", "export", "lab.db", "-o", "q2.txt", "--rule", "max")["counts"]["judged"] == 2


def test_rel_11_status_and_export_work_while_a_room_serves_and_import_is_refused(cli, lab, folder):
    (folder / "old.qrels").write_text("q1 0 d1 1\n")
    with served_elsewhere(lab):
        assert cli("judge", "status", "lab.db").code == 0
        assert cli("judge", "export", "lab.db", "-o", "q.txt", "--rule", "max").code == 0
        refused = cli("judge", "import", "lab.db", "old.qrels", "--as", "track")
        assert refused.code == 4
        assert "E404: lab.db is served by process" in refused.err
