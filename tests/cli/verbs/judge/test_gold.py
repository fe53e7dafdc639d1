"""`cranfield judge gold`: pairs whose grade is known are mixed in (APP-7)."""

import pytest

from tests.cli.verbs.test_judge import checked
from tests.judging.exporting.labs import judge, make_lab, served_elsewhere


@pytest.fixture
def lab(folder):
    """Eight pairs for two assessors, and a file of known grades."""
    (folder / "known.qrels").write_text("q1 0 g1 2\nq2 0 g2 0\nq1 0 g3 -1\n")
    (folder / "docs.jsonl").write_text('{"_id": "g1", "text": "one"}\n{"_id": "g2", "text": "two"}\n')
    return make_lab(folder)


def test_app_7_known_grades_are_mixed_in_at_a_rate(cli, lab):
    result = cli("judge", "gold", "lab.db", "known.qrels", "--docs", "docs.jsonl", "--rate", "20%")
    said = "queue 'pool': 2 pairs with a known grade, 20% of the pairs that an assessor gets: 2 added"
    assert (result.code, result.out) == (0, f" lab.db: {said}\n")
    found = checked(cli, "judge", "gold", "lab.db", "known.qrels", "--rate", "5%")
    assert (found["unchanged"], found["gold"], found["rate"]) == (2, 2, 0.05)


def test_app_7_status_says_what_is_mixed_in_and_how_many_were_right(cli, lab):
    assert "gold" not in cli("judge", "status", "lab.db").out.splitlines()[2]
    cli("judge", "gold", "lab.db", "known.qrels", "--docs", "docs.jsonl", "--rate", "20%")
    judge(lab, ("ann", "q1", "g1", 2), ("ann", "q2", "g2", 1))
    out = cli("judge", "status", "lab.db").out
    assert " 2 at 20 %" in out
    assert " 1 of 2" in out
    assert " lab.db: 8 pairs · 0 done" in out
    found = checked(cli, "judge", "status", "lab.db")["queues"][0]
    assert (found["pairs"], found["gold"], found["gold_rate"]) == (8, 2, 0.2)


def test_app_7_a_rate_of_nothing_stops_it(cli, lab):
    assert cli("judge", "gold", "lab.db", "--rate", "0%").out == (
        " lab.db: queue 'pool': 0 pairs with a known grade, none is served: 0 added\n"
    )


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (("known.qrels",), 3, "E405: 2 documents of the gold pairs are not in the lab (first: g1)"),
        (("--rate", "80%"), 2, "E242: --rate 0.8 is no rate of gold"),
        (("--rate", "-5%"), 2, "E242: --rate -5% is no share"),
        (("--queue", "pol"), 2, "E223: there is no queue 'pol'"),
        (("none.qrels",), 4, "E101"),
    ],
)
def test_app_7_mistakes_are_named(cli, lab, more, code, words):
    result = cli("judge", "gold", "lab.db", *more)
    assert words in result.err
    assert result.code == code


def test_rel_11_gold_is_refused_while_a_room_serves_the_lab(cli, lab):
    with served_elsewhere(lab):
        refused = cli("judge", "gold", "lab.db", "--rate", "5%")
    assert refused.code == 4
    assert "E404: lab.db is served by process" in refused.err
