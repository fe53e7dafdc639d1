"""Our values of the Q family beside those of NTCIREVAL and of pyNTCIREVAL 0.0.3.

Both also print measures that are not defined here, and so are not compared: normalised cumulative utility (NCUgu,
NCUrb) and expected blended ratio (EBR). Their ERR stops with probability g / (highest + 1), not (2^g - 1) / 2^highest.
"""

import gzip
import re
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.measures.grammar import parse
from tests.golden.beside import cases, differences, values_of

NOT_DEFINED = re.compile(r"NCU|EBR|n?ERR")


def translated(name: str, prime: str = "", gains: str = "", top: int = 3) -> str:
    """Our name for the same number; `gains` are the settings of graded measures."""
    stem, _, cutoff = name.partition("@")
    at = f"@{int(cutoff)}" if cutoff else ""
    scheme = f"gains={gains}" if gains else ""
    inside = {
        "AP": "denominator='min'" if cutoff else "",
        "nDCG": ", ".join(filter(None, ["dcg='jk'", scheme])),
        "RBP": f"p=0.95, max_rel={top}",
        **dict.fromkeys(["O-measure", "P-measure", "P-plus", "Q-measure", "Q", "MSnDCG"], scheme),
    }.get(stem, "")
    ours = {"Hit": "Success", "MSnDCG": "nDCG", "Q-measure": "Q", "O-measure": "O", "P-plus": "PPlus"}
    ours |= {"P-measure": "PMeasure"}
    return f"{ours.get(stem, stem)}{prime}" + (f"({inside})" if inside else "") + at


def printed(path: Path) -> dict[str, dict[str, float]]:
    """The values of an output: by topic ('' where none is named), then by measure."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        shape = re.fullmatch(r"(\S*) +(\S+)=\s+([\d.]+)", line)
        if shape and not NOT_DEFINED.match(shape[2]):
            found.setdefault(shape[1], {})[shape[2]] = float(shape[3])
    return found


def graded(lines: list[str]) -> dict[str, dict[str, int]]:
    """Judgments of the NTCIR form: `[topic] document L2`."""
    table: dict[str, dict[str, int]] = {}
    for *topic, document, level in map(str.split, lines):
        table.setdefault("".join(topic), {})[document] = int(level.removeprefix("L"))
    return table


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_the_sample_output_of_ntcireval(shared):
    folder = shared / "conformance" / "ntcireval"
    with gzip.open(folder / "test.qrels.gz", "rt") as judgments, gzip.open(folder / "TRECRUN.gz", "rt") as run:
        qrels, rows = graded(judgments.readlines()), [line.split() for line in run]
    lists: dict[str, list[str]] = {}
    for topic, _, document, *_ in rows:  # file order
        lists.setdefault(topic, []).append(document)
    expected = printed(folder / "TRECRUN.test.nev")
    names = {name: translated(name, top=2) for name in expected["0001"]}
    scores = cf.evaluate(qrels, {"TRECRUN": lists}, list(names.values()))
    compared = 0
    for topic, values in expected.items():
        for name, other in values.items():
            ours = scores["TRECRUN", str(parse(names[name]))][scores.topics.index(topic)]
            assert ours == pytest.approx(other, abs=5.1e-5), (topic, name)
            compared += 1
    assert compared == 63


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize(
    ("output", "gains", "top", "prime"),
    [
        ("res_test_compute", "", 3, ""),
        ("res_test_compute_grade", "{1: 1, 2: 4, 3: 9}", 3, ""),
        ("res_test_compute_cutoff", "", 3, ""),
        ("res_test_compute_label_j", "", 3, "'"),
    ],
)
def test_the_sample_outputs_of_pyntcireval(shared, output, gains, top, prime):
    folder = shared / "conformance" / "ntcireval"
    qrels = {"t": graded((folder / "sample.rel").read_text().splitlines())[""]}
    run = {"t": (folder / "sample.res").read_text().split()}
    expected = printed(folder / f"{output}.txt")[""]
    if gains:  # our RBP takes grades only
        del expected["RBP"]
    names = {name: translated(name, prime, gains, top) for name in expected}
    scores = cf.evaluate(qrels, run, list(names.values()))
    ours = {name: scores["run", str(parse(names[name]))][0] for name in names}
    assert ours == pytest.approx(expected, abs=5.1e-5)
    assert {"Q-measure", "O-measure", "P-measure", "P-plus"} <= expected.keys()


THEIRS = ["O-measure", "P-measure", "P-plus", "Q-measure", "Q@5", "Q@10", "Q@20"]


@pytest.mark.parametrize(("tool", "prime"), [("pyntcireval", ""), ("pyntcireval_condensed", "'")])
def test_the_q_family_of_pyntcireval(shared, tool, prime):
    names = {translated(name, prime): name for name in THEIRS} | {f"Q{prime}(beta=10)": "Q-measure(beta=10)"}
    found: list[str] = []
    several = cases(shared, tool)
    compared = {name for case in several for row in case.expected[tool].values() for name in row}
    assert set(names.values()) <= compared
    for case in several:
        found += differences(case, tool, values_of(case, names), names)
    assert found == []
    assert len(several) > 300
