"""`--chart`: what the command line draws."""

import pytest


@pytest.mark.parametrize("name", ["leaderboard", "distribution"])
def test_scores_are_drawn_by_the_command_line(cli, folder, name):
    done = cli("evaluate", "qrels.txt", "runs/bm25.run", "--chart", name, "-o", "c.svg")
    assert done.code == 0, done.err
    assert (folder / "c.svg").read_text().startswith("<svg")
    assert "exclude" in cli("evaluate", "qrels.txt", "runs/bm25.run", "--chart", name, "--curve", "pr").err
