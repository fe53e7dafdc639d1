"""Conditions of `--fail-if`: the grammar, what is observed, the exit code (job 5, 2.2)."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataWarning, MeasureError, PolicyError
from cranfield.errors.wording import as_command
from cranfield.measures.evaluate import evaluate
from cranfield.reporting.gates.condition import OPERATORS, Gate, parse_gate
from cranfield.reporting.gates.observed import judge

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
RUNS = {"good": {"1": {"a": 2, "b": 1}, "2": {"c": 1}}, "poor": {"1": {"b": 2, "a": 1}}}


def verdict(text: str, measures=("RR", "P@1")):
    """The verdict on two runs: RR is 1 and (1/2 + 0)/2 = 0.25, one topic is missing from the second."""
    gate = parse_gate(text)
    with pytest.warns(DataWarning, match="missing"):
        scores = evaluate(QRELS, RUNS, measures)
    return judge(gate, scores, None if gate.measure is None else scores.measures.index(str(gate.measure)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nDCG@10 < 0.4", ("nDCG@10", "<", 0.4, "*")),
        ("nDCG@10<.4", ("nDCG@10", "<", 0.4, "*")),
        ("  AP   >=  1e-3  ", ("AP", ">=", 0.001, "*")),
        ("RBP(p=0.8) != 0", ("RBP(p=0.8)", "!=", 0, "*")),
        ("nDCG(dcg='exp-log2')@10 == 1 for bm25*", ("nDCG(dcg='exp-log2')@10", "==", 1, "bm25*")),
        ("missing > 0 for a b", ("missing", ">", 0, "a b")),
        ("ties <= 10", ("ties", "<=", 10, "*")),
        ("duplicates > -1", ("duplicates", ">", -1, "*")),
    ],
)
def test_the_grammar_is_term_operator_number_and_runs(text, expected):
    gate = parse_gate(text)
    assert (gate.term, gate.operator, gate.number, gate.runs) == expected


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("nDCG@10 lower .4", 9, "write it as 'nDCG@10 < 0.4'"),
        ("nDCG@10 above .4", 9, "write it as 'nDCG@10 > 0.4'"),
        ("AP = 0.2", 4, "write it as 'AP == 0.2'"),
        ("AP =< 0.2", 4, "write it as 'AP <= 0.2'"),
        ("AP < 80%", 6, "write it as 'AP < 0.8'"),
        ("AP <", 5, "write it as 'AP < 0.4'"),
        ("AP", 3, "write it as 'AP < 0.4'"),
        ("", 1, "write it as 'nDCG@10 < 0.4'"),
        ("< 0.4", 1, "write it as 'nDCG@10 < 0.4'"),
        ("AP < 0.4 bm25", 10, "write it as 'AP < 0.4 for RUN*'"),
        ("AP < 0.4 for", 10, "write it as 'AP < 0.4 for RUN*'"),
        ("AP < nan", 6, "write it as 'AP < 0.4'"),
    ],
)
def test_an_unreadable_condition_names_the_column_and_how_to_write_it(text, column, hint):
    with pytest.raises(PolicyError) as caught:
        parse_gate(text)
    assert caught.value.code == "E209"
    assert caught.value.problem == f"cannot read the condition {text!r} at column {column}"
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("nDCG@10", 8, "write it as 'nDCG@10 >= 0.4'"),
        ("nDCG@10 > = 0.6", 11, "write it as 'nDCG@10 >= 0.6'"),
        ("nDCG@10 ≥ .6", 9, "write it as 'nDCG@10 >= 0.6'"),
        ("nDCG@10 at least 0,6", 9, "write it as 'nDCG@10 >= 0.6'"),
        ("0.6 <= AP", 1, "write it as 'AP >= 0.6'"),
        ("AP >= 0.3 and RR >= 0.2", 11, "one condition at a time: 'AP >= 0.3', then 'RR >= 0.2'"),
        ("mising == 0", 1, "write it as 'missing == 0'"),
        ("worst(AP)", 1, "write it as 'not worse(AP)'"),
        ("lowr(AP) >= 0.3", 1, "write it as 'lower(AP) >= 0.3'"),
        ("worse(AP)", 1, "write it as 'not worse(AP)', which is what must hold"),
        ("drop(AP) <= five", 13, "write it as 'drop(AP) <= 5%'"),
        ("delta(AP) >= -5%", 14, "write it as 'drop(AP) <= 5%' or 'not worse(AP)'"),
        ("AP drops 0.02", 4, "write it as 'delta(AP) >= -0.02' or 'not worse(AP)'"),
    ],
)
def test_a_wrong_requirement_is_answered_with_the_right_spelling(text, column, hint):
    with pytest.raises(PolicyError) as caught:
        parse_gate(text, "compare", required=True)
    assert caught.value.problem == f"cannot read the condition {text!r} at column {column}"
    assert caught.value.hint == hint
    meant = next((part for part in hint.split("'")[1::2]), "")
    parse_gate(meant, "compare", required=True)  # what is suggested can be read


def test_what_must_not_be_is_not_denied_twice():
    with pytest.raises(PolicyError) as caught:
        parse_gate("not worse(AP)", "compare")
    assert as_command(caught.value.hint) == "write it as 'worse(AP)', or --require 'not worse(AP)'"


@given(st.sampled_from(sorted(OPERATORS)), st.floats(-10, 10), st.floats(-10, 10))
def test_a_requirement_fails_exactly_where_it_does_not_hold(sign, number, value):
    required, forbidden = (parse_gate(f"AP {sign} {number!r}", required=which) for which in (True, False))
    assert required.fails(value) is not forbidden.fails(value)
    assert required.requirement == f"AP {sign} {number!r}"
    assert parse_gate(forbidden.requirement, required=True).fails(value) is forbidden.fails(value)
    assert required.fails(float("nan"))
    assert forbidden.fails(float("nan"))


@pytest.mark.parametrize("term", ["worse(nDCG@10)", "delta(AP) < 0", "p(AP) < 0.05"])
def test_terms_about_pairs_are_refused_with_a_list_of_what_there_is(term):
    with pytest.raises(PolicyError) as caught:
        parse_gate(term)
    assert caught.value.code == "E209"
    assert caught.value.hint.endswith("lower(M), upper(M), undecided(M), every measure, and missing, ties, duplicates")


def test_a_misspelt_measure_is_an_unknown_measure():
    with pytest.raises(MeasureError) as caught:
        parse_gate("nDGC@10 < 0.4")
    assert caught.value.code == "E201"


@given(st.sampled_from(sorted(OPERATORS)), st.floats(-10, 10), st.sampled_from(["", " "]))
def test_what_is_written_is_what_is_read(sign, number, blank):
    gate = parse_gate(f"AP{blank}{sign}{blank}{number!r}")
    assert (gate.operator, gate.number) == (sign, number)


@pytest.mark.parametrize(
    ("text", "passed", "message"),
    [
        ("RR < 0.2", True, "smallest is 0.25 (poor)"),
        ("RR < 0.25", True, "smallest is 0.25 (poor)"),
        ("RR <= 0.25", False, "smallest is 0.25 (poor)"),
        ("RR < 2", False, "smallest is 0.25 (poor), 2 of 2 runs"),
        ("RR > 1", True, "largest is 1 (good)"),
        ("RR >= 1", False, "largest is 1 (good)"),
        ("RR == 0.2", True, "nearest is 0.25 (poor)"),
        ("RR == 0.25", False, "nearest is 0.25 (poor)"),
        ("RR != 1", False, "farthest is 0.25 (poor)"),
        ("RR != 1 for good", True, "farthest is 1 (good)"),
        ("RR < 0.5 for go*", True, "smallest is 1 (good)"),
        ("missing > 0", False, "largest is 1 (poor)"),
        ("missing > 0 for good", True, "largest is 0 (good)"),
        ("ties > 0", True, "largest is 0 (good)"),
        ("duplicates > 0", True, "largest is 0 (good)"),
    ],
)
def test_the_deciding_value_is_shown(text, passed, message):
    found = verdict(text)
    assert (found.passed, found.message) == (passed, message)
    assert str(found) == f"{'passed' if passed else 'FAILED'}  {text}: {message}"


@pytest.mark.parametrize(
    ("value", "sign", "limit", "shown"),
    [
        (0.39999999, "<", 0.4, "0.39999999"),
        (0.4, "<", 0.4, "0.4"),
        (0.400000001, "<=", 0.4, "0.400000001"),
        (0.123456, "<", 0.4, "0.1235"),
        (1 / 3, "==", 0.3333, "0.33333"),
    ],
)
def test_a_value_is_shown_with_the_digits_that_put_it_on_its_side_of_the_limit(value, sign, limit, shown):
    with pytest.warns(DataWarning, match="missing"):
        scores = _with_means(evaluate(QRELS, RUNS, "RR"), [[value], [9]])
    assert judge(Gate("x", "RR", sign, limit, "good"), scores, 0).message.split()[2] == shown


def test_an_undefined_value_never_passes():
    with pytest.warns(DataWarning, match="missing"):
        scores = evaluate(QRELS, RUNS, "RR")
    found = judge(parse_gate("RR < 0.1"), _with_means(scores, [[np.nan], [1]]), 0)
    assert not found.passed
    assert found.observed is None
    assert found.message == "RR is undefined for good"


def _with_means(scores, means):
    object.__setattr__(scores, "means", np.array(means))
    return scores


def test_a_pattern_without_a_run_is_an_error():
    with pytest.raises(PolicyError) as caught:
        verdict("RR < 0.2 for bm25")
    assert caught.value.code == "E209"
    assert "column 14" in caught.value.problem
    assert "good, poor" in caught.value.hint


def test_gates_decide_the_exit_code_and_print_their_verdicts(cli):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--fail-if", "AP < 0.5", "--fail-if", "RR < 0.9")
    assert result.code == 1
    assert result.out.endswith(
        "\n\n passed  AP < 0.5: smallest is 0.75 (bm25)\n FAILED  RR < 0.9: smallest is 0.75 (bm25)\n"
    )
    assert "RR" not in result.out.splitlines()[0]  # computed for the gate, not printed


def test_requirements_decide_the_exit_code_and_stand_beside_other_conditions(cli):
    asked = ("--require", "AP >= 0.5", "--require", "RR >= 0.9 for bm*", "--fail-if", "missing > 0")
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", *asked)
    assert result.code == 1
    assert result.out.endswith(
        " passed  missing > 0: largest is 0 (bm25)\n"
        " passed  AP >= 0.5: smallest is 0.75 (bm25)\n"
        " FAILED  RR >= 0.9 for bm*: smallest is 0.75 (bm25)\n"
    )
    assert cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--require", "AP >= 0.75").code == 0


def test_passed_gates_leave_the_exit_code_alone(cli):
    assert cli("evaluate", "qrels.txt", "runs/bm25.run", "--fail-if", "AP < 0.5").code == 0


def test_errors_win_over_gates(cli):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "nowhere.run", "--fail-if", "AP < 2")
    assert (result.code, result.out) == (4, "")


def test_verdicts_do_not_disturb_a_form_for_programs(cli):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--format", "csv", "--fail-if", "AP < 2")
    assert result.code == 1
    assert result.out == "run,AP,judged\nbm25,0.75,1.0\n".replace("\n", "\r\n")
    assert " FAILED  AP < 2: smallest is 0.75 (bm25)\n" in result.err


def test_a_gate_on_a_level_follows_the_policy(cli):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "nDCG", "-l", "2", "--fail-if", "AP < 0.5")
    assert "FAILED  AP < 0.5: smallest is 0.25 (bm25)" in result.out  # (0 + 1/2) / 2


def test_junit_has_one_case_per_condition(cli, folder):
    cli(
        "evaluate", "qrels.txt", "runs/bm25.run", "--fail-if", "AP < 0.5", "--fail-if", "RR < 0.9", "--junit", "out.xml"
    )
    suite = ET.parse(folder / "out.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["AP >= 0.5", "RR >= 0.9"]  # what must hold
    assert [case.find("failure") is not None for case in cases] == [False, True]


def test_junit_and_summary_keep_the_table_and_its_cautions(cli, folder):
    cli("evaluate", "qrels.txt", "runs/dense.run", "--require", "AP >= 0", "--junit", "out.xml", "--summary", "s.md")
    said = ET.parse(folder / "out.xml").getroot().findtext("testsuite/system-out") or ""
    for caution in ("dense: 1 missing, scored 0 (302)", "note W101: runs/dense.run: 1 judged topic missing"):
        assert caution in said
        assert caution in (folder / "s.md").read_text()
    assert "judged@10" in said


def test_junit_on_standard_output_replaces_the_table(cli, folder):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--require", "AP >= 0.9", "--junit", "-")
    assert result.code == 1
    (case,) = ET.fromstring(result.out).findall("testsuite/testcase")
    assert case.get("name") == "AP >= 0.9"
    assert " FAILED  AP >= 0.9: smallest is 0.75 (bm25)\n" in result.err
    both = cli("evaluate", "qrels.txt", "runs/bm25.run", "--junit", "-", "-o", "t.csv")
    assert (ET.fromstring(both.out).tag, (folder / "t.csv").exists()) == ("testsuites", True)
    assert not (folder / "-").exists()
    compared = cli("compare", "-q", "qrels.txt", "runs/bm25.run", "runs/dense.run", "-m", "AP", "--junit", "-")
    assert ET.fromstring(compared.out).tag == "testsuites"


@pytest.mark.parametrize("other", [("--json",), ("--format", "csv"), ("-o", "-")])
def test_two_results_do_not_share_standard_output(cli, other):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "--junit", "-", *other)
    assert (result.code, "would both write to standard output" in result.err) == (2, True)


WRONG = {"nowhere.run": "E101", "runs/*.nothing": "E103", "empty.run": "E104", "bad.run": "E107"}


@pytest.mark.parametrize("run", WRONG)
def test_wrong_data_are_reported_as_errors(cli, folder, run):
    (folder / "empty.run").write_text("")
    (folder / "bad.run").write_text("301 Q0 d1 1 nan bad\n")
    conditions = ("--fail-if", "AP < 0.5", "--require", "RR >= 0.2")
    result = cli("evaluate", "qrels.txt", run, *conditions, "--junit", "out.xml", "--summary", "s.md")
    assert result.code in (3, 4)
    suite = ET.parse(folder / "out.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "2")
    assert [case.get("name") for case in suite.findall("testcase")] == ["AP >= 0.5", "RR >= 0.2"]
    assert [error.get("type") for error in suite.findall("testcase/error")] == [WRONG[run]] * 2
    said = (folder / "s.md").read_text()
    assert said.startswith(f"### cranfield evaluate: ended with an error\n\n- **ERROR** `{WRONG[run]}`: ")
    assert "- not checked: `RR >= 0.2`" in said


def test_an_error_without_conditions_is_a_case_too(cli, folder):
    printed = cli("compare", "qrels.txt", "nowhere.run", "runs/bm25.run", "--junit", "-")
    assert printed.code == 4
    (case,) = ET.fromstring(printed.out).findall("testsuite/testcase")
    assert (case.get("name"), case.find("error") is not None) == ("the data can be read", True)


@pytest.mark.parametrize("option", ["--junit", "--summary"])
def test_a_report_on_an_error_never_overwrites_an_input(cli, folder, option):
    before = (folder / "qrels.txt").read_bytes()
    assert cli("evaluate", "qrels.txt", "runs/*.nothing", "--require", "AP > 0", option, "qrels.txt").code == 4
    assert (folder / "qrels.txt").read_bytes() == before


def test_wrong_usage_writes_no_report(cli, folder):
    assert cli("evaluate", "qrels.txt", "runs/bm25.run", "--require", "AP", "--junit", "out.xml").code == 2
    assert not (folder / "out.xml").exists()


def test_the_summary_is_appended(cli, folder):
    (folder / "summary.md").write_text("before\n")
    for _ in range(2):
        cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--fail-if", "AP < 0.5", "--summary", "summary.md")
    text = (folder / "summary.md").read_text()
    assert text.startswith(
        "before\n\n### cranfield evaluate: all 1 conditions passed\n\n- **passed** `AP < 0.5`: smallest"
    )
    assert text.count("| `bm25` | 0.7500 | 100.0 % |") == 2


GATED = ("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--fail-if", "AP < 0.5", "--summary", "summary.md")


@pytest.mark.parametrize("before", [b"before\n", None])
@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_summary_is_appended_whole_or_not_at_all(cli, folder, monkeypatch, before, problem):
    path = folder / "summary.md"
    if before is not None:
        path.write_bytes(before)

    def broken(file, data):
        file.write(data[:7])
        raise problem

    monkeypatch.setattr("cranfield.whole_files.write_all", broken)
    result = cli(*GATED)
    if isinstance(problem, OSError):
        assert result.code == 4
        assert "E120: summary.md: cannot be written: no space left on device" in result.err
    else:
        assert (result.code, result.err) == (130, "interrupted\n")
    assert path.exists() == (before is not None)
    assert before is None or path.read_bytes() == before


def test_what_others_appended_meanwhile_is_not_cut_off(cli, folder, monkeypatch):
    path = folder / "summary.md"
    path.write_bytes(b"before\n")

    def broken(file, data):
        file.write(data[:7])
        with path.open("ab") as other:
            other.write(b"theirs\n")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cranfield.whole_files.write_all", broken)
    assert cli(*GATED).code == 4
    assert path.read_bytes().endswith(b"theirs\n")


@pytest.mark.skipif(os.name == "nt", reason="limits are set differently on Windows")
def test_a_summary_on_a_full_disk_ends_in_4(folder):
    """The first write is short, and only the next one fails."""
    pytest.importorskip("resource")
    path = folder / "summary.md"
    path.write_bytes(b"x" * 99 + b"\n")
    program = (
        "import sys, resource; from cranfield.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (150, 150)); sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", program, *GATED], cwd=folder, capture_output=True, check=False)
    assert (done.returncode, b"E120: summary.md: cannot be written: file too large" in done.stderr) == (4, True)
    assert path.read_bytes() == b"x" * 99 + b"\n"


def test_verdicts_are_in_the_envelope(cli):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "--json", "--fail-if", "RR < 0.9")
    envelope = json.loads(result.out)
    assert (envelope["ok"], envelope["exit"], envelope["errors"]) == (False, 1, [])
    assert envelope["result"]["gates"] == [
        {
            "condition": "RR < 0.9",
            "requirement": "RR >= 0.9",
            "passed": False,
            "observed": 0.75,
            "run": "bm25",
            "message": "smallest is 0.75 (bm25)",
        }
    ]
