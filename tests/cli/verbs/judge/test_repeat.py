"""`cranfield judge repeat`: assessors judge some of their own pairs again."""

import json

from cranfield.cli import main
from cranfield.judging.lab import Lab
from cranfield.judging.store.queues import queue_states
from tests.judging.conftest import make_lab


def test_a_share_of_the_pairs_is_queued_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    make_lab(tmp_path / "lab.db", topics=2, documents=10)
    assert main(["judge", "repeat", "lab.db", "--share", "25%", "--distance", "7", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)["result"]
    assert result == {"lab": "lab.db", "queue": "repeat", "pairs": 5, "rounds": 1, "distance": 7}
    with Lab.open("lab.db").reading() as connection:
        state = queue_states(connection)[-1]
    assert (state.queue.kind, state.pairs, state.queue.pool) == ("repeat", 5, {"distance": 7})


def test_a_share_that_is_none_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    make_lab(tmp_path / "lab.db")
    assert main(["judge", "repeat", "lab.db", "--share", "200%"]) == 2
    assert "E242: --share 200% is no share" in capsys.readouterr().err


def test_the_line_says_when_pairs_come_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    make_lab(tmp_path / "lab.db", topics=1, documents=10)
    assert main(["judge", "repeat", "lab.db"]) == 0
    said = "lab.db: queue 'repeat': who judges one of 1 pair judges it again, after 20 other judgments, or at the end"
    assert said in capsys.readouterr().out
