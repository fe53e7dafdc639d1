"""The names of trec_eval as measures of `evaluate`: they mean the same, or the hint says who knows them."""

import pytest

import cranfield as cf
from cranfield.cli import main
from cranfield.compat.trec_eval.catalogue import ENTRIES
from cranfield.errors import MeasureError


def hint_for(name: str) -> str:
    """Nothing for a measure, or for one that only lacks its cut-off."""
    try:
        cf.parse(name)
    except MeasureError as error:
        return "" if error.code == "E202" else error.hint
    return ""


@pytest.mark.parametrize("name", ENTRIES)
def test_a_name_of_trec_eval_is_known_or_sent_to_trec_eval(name):
    assert hint_for(name) in ("", "'cranfield trec_eval' has it; cranfield.describe() lists all")


def test_the_number_of_set_f_is_the_square_of_beta(tmp_path, capfd):
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 1\n1 0 c 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")
    main(["trec_eval", "-m", "set_F.0.25", str(tmp_path / "q"), str(tmp_path / "r")])
    printed = float(capfd.readouterr().out.split()[-1])
    ours = cf.evaluate(tmp_path / "q", tmp_path / "r", "set_F.0.25").values[0, 0, 0]
    assert ours == pytest.approx(printed, abs=5e-5)
    assert printed == pytest.approx(1.25 * 1 * (2 / 3) / (0.25 * 1 + 2 / 3), abs=5e-5)
