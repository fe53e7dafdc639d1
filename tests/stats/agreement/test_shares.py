"""The percentages of a confusion table: what the labels of one assessor became with the other."""

import warnings

import cranfield as cf
from cranfield.stats.agreement.sheet import share_sheet, sheet

# Järvelin and Kekäläinen 2002, Table I: new grades in the rows; judged relevant and not relevant before
COUNTS = ((691, 2780), (1004, 134), (724, 40), (353, 11))


def judged_again():
    new: dict[str, int] = {}
    old: dict[str, int] = {}
    for grade, row in enumerate(COUNTS):
        for before, count in zip((1, 0), row, strict=True):
            for _ in range(count):
                name = f"d{len(new)}"
                new[name], old[name] = grade, before
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        return cf.agree({"new": {"1": new}, "old": {"1": old}})


def test_shares_are_those_of_the_table_of_the_paper():
    columns = {column.name: column.cells for column in share_sheet(judged_again()).columns}
    assert columns["old 1"] == ["24.9 %", "36.2 %", "26.1 %", "12.7 %"]  # the paper prints 25.0
    assert columns["old 0"] == ["93.8 %", "4.5 %", "1.3 %", "0.4 %"]
    assert columns["all"] == ["60.5 %", "19.8 %", "13.3 %", "6.3 %"]  # the paper prints 6.4


def test_they_are_shown_with_everything_else():
    made = judged_again()
    assert "24.9 %" in sheet(made, every=True).text()
    assert "24.9 %" not in sheet(made).text()
