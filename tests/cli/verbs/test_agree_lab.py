"""`cranfield agree LAB.db`: agreement in a lab."""

from cranfield.judging.records import PairRow, QueueRow
from tests.judging.agreeing.test_agree_lab import ANN, BOB, said_by
from tests.judging.exporting.labs import judge, make_lab


def test_the_command_takes_a_lab(cli, folder):
    judge(make_lab(folder), *said_by("ann", ANN), *said_by("bob", BOB))
    result = cli("agree", "lab.db")
    assert result.code == 0
    assert result.out.startswith(" 2 assessors · 6 pairs judged twice · grades 0–2\n")
    assert '2 disagreements → queue "adjudicate"' in result.out


def test_the_command_compares_an_assessor_with_themselves(cli, folder):
    lab = make_lab(folder)
    judge(lab, *said_by("ann", ANN))
    lab.add_rows(QueueRow("again", kind="repeat"), [PairRow("q1", "d1")])
    judge(lab, ("ann", "q1", "d1", 1, 1))
    result = cli("agree", "lab.db", "--self")
    assert result.out.startswith(" 1 assessor · 1 pair judged again by the same assessor")


def test_the_verb_names_a_lab_in_its_synopsis(cli):
    assert "LAB.db" in cli("agree", "--help").out
