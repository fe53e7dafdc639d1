"""Several tables in one LaTeX output have labels of their own."""

import re

import cranfield as cf

QRELS = {f"q{n}": {"d1": 1, "d2": 0} for n in range(1, 5)}
RUNS = {"a": {f"q{n}": ["d1", "d2"] for n in range(1, 5)}, "b": {f"q{n}": ["d2", "d1"] for n in range(1, 5)}}
GROUPS = {"q1": "head", "q2": "head", "q3": "tail", "q4": "tail"}


def labels(latex: str) -> list[str]:
    return re.findall(r"\\label\{(.+?)\}", latex)


def test_every_measure_by_group_has_a_label():
    grouped = cf.by_group(cf.evaluate(QRELS, RUNS, ["AP", "RR", "P@1"]), GROUPS)
    assert labels(grouped.to_latex()) == ["tab:groups", "tab:groups-2", "tab:groups-3"]


def test_every_table_of_a_comparison_by_group_has_a_label():
    found = labels(cf.compare(cf.evaluate(QRELS, RUNS, ["AP", "RR"]), baseline="a").to_latex())
    assert len(found) == len(set(found)) == 2
