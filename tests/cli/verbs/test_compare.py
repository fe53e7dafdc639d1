"""`cranfield compare`: job 1, job 5, the messages of 2.6 (rows 20 … 24), the envelope."""

import json
import xml.etree.ElementTree as ET
from importlib import import_module

import jsonschema
import numpy as np
import pytest

from cranfield.cli.verbs.compare.statistics import ADJUST, INTERVAL, SEVERAL, TEST
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.paired.definition import TESTS as KNOWN_TESTS
from cranfield.stats.paired.intervals import INTERVALS as METHODS
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC

TOPICS = 24


def ranking(topic: int, depth: int, tag: str) -> str:
    """A list in which the only relevant document stands at a rank."""
    documents = [f"n{at}" for at in range(1, 6) if at != depth]
    documents.insert(depth - 1, "rel")
    return "".join(f"{topic} Q0 {name} {at} {10 - at} {tag}\n" for at, name in enumerate(documents, 1))


@pytest.fixture
def collection(folder):
    """Three runs on 24 topics: `good` finds the document first, `fair` second or third, `poor` deep."""
    judged = "".join(
        f"{topic} 0 rel 1\n" + "".join(f"{topic} 0 n{at} 0\n" for at in range(1, 6)) for topic in range(TOPICS)
    )
    (folder / "q.txt").write_text(judged)
    depths = {"good": lambda t: 1 + (t % 6 == 0), "fair": lambda t: 2 + t % 2, "poor": lambda t: 3 + t % 3}
    for name, depth in depths.items():
        lists = "".join(ranking(topic, depth(topic), name) for topic in range(TOPICS))
        (folder / f"{name}.run").write_text(lists)
    return folder


THREE = ("compare", "q.txt", "good.run", "fair.run", "poor.run")


def test_a_baseline_comes_first_and_the_others_follow_best_first(cli, collection):
    result = cli(*THREE, "-m", "RR", "--baseline", "fair")
    lines = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert lines[0] == " RR · 24 topics · paired t, two-sided · Holm over 2 comparisons"
    assert [line.split()[0] for line in lines[3:6]] == ["fair", "good", "poor"]
    assert lines[4].split()[1:3] == ["0.9167", "+0.5000"]  # (20 + 4/2) / 24 against (12/2 + 12/3) / 24
    assert lines[7] == " * corrected p < 0.05."


def test_without_a_baseline_all_pairs_are_compared(cli, collection):
    out = cli(*THREE, "-m", "RR").out
    assert "Holm over 3 comparisons" in out
    assert "good – poor" in out
    assert " better than: corrected p < 0.05." in out


def test_names_of_the_options_are_those_of_the_registries():
    assert TEST.names() == [*KNOWN_TESTS, "none"]
    assert ADJUST.names() == [*CORRECTIONS, *POSTHOC]
    assert INTERVAL.names() == list(METHODS)
    assert SEVERAL.names() == list(OMNIBUS)


def test_every_option_is_on_the_help_page(cli):
    page = cli("compare", "--help").out
    for param in import_module("cranfield.cli.verbs.compare").command.params:
        if param.opts[0].startswith("-"):
            assert param.opts[0] in page, param


WAYS = [
    (),
    ("--baseline", "fair"),
    ("--baseline", "fair", "--baseline", "poor", "-m", "RR P@1 NumRelRet GMAP ESL"),
    ("--test", "permutation", "--samples", "50"),
    ("--test", "bootstrap", "--samples", "50", "--ci", "percentile"),
    ("--test", "wilcoxon", "--adjust", "bh", "--family", "all", "-m", "RR", "-m", "AP"),
    ("--test", "none", "--per-topic"),
    ("--adjust", "tukey", "--omnibus", "anova", "--baseline", "fair"),
    ("--adjust", "conover", "--omnibus", "friedman", "--alpha", "0.01"),
    ("--equivalence", "0.05", "--rope", "0.02", "--risk", "1", "--baseline", "fair", "--per-topic"),
    ("--baseline", "fair", "--fail-if", "worse(RR)", "--fail-if", "p(RR) < 0.01 for good"),
    (
        "--topic-set",
        "intersection",
    ),
]
WRONG = [
    ("--baseline", "nobody"),
    ("--test", "anova"),
    ("--adjust", "tukey", "--family", "all"),
    ("--alpha", "0"),
    ("--fail-if", "worse(RR)"),
    ("--against", "nowhere.json"),
]


@pytest.mark.parametrize("more", [*WAYS, *WRONG], ids=" ".join)
def test_what_is_printed_is_valid(cli, collection, more):
    schema = json.loads(cli("compare", "--json-schema").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    result = cli(*THREE, *more, "--json")
    envelope = json.loads(result.out, parse_constant=pytest.fail)
    jsonschema.Draft202012Validator(schema).validate(envelope)
    assert envelope["exit"] == result.code
    assert bool(envelope["errors"]) == (more in WRONG)
    if more in WAYS:
        jsonschema.Draft202012Validator({**schema["then"]["properties"]["result"], "required": ["pairs"]}).validate(
            envelope["result"]
        )


@pytest.mark.parametrize("more", WAYS, ids=" ".join)
def test_repetition_and_jobs_give_the_same_bytes(cli, collection, more):
    for form in (("--json",), ("--format", "latex"), ()):
        first = cli(*THREE, *more, *form).raw
        assert first == cli(*THREE, *more, *form, "--jobs", "2").raw


@pytest.mark.parametrize(
    ("more", "code", "message", "hint"),
    [
        (
            ("--baseline", "GOOD"),
            2,
            "error E205: baseline 'GOOD' is not among the runs: good, fair, poor",
            "hint: did you mean good?",
        ),
        (("x=good.run", "x=fair.run"), 2, "error E206: two runs are called 'x'", "hint: write NAME=PATH"),
        (
            ("--fail-if", "nDCG@10 lower .4"),
            2,
            "error E209: cannot read the condition 'nDCG@10 lower .4' at column 9",
            "hint: write it as 'nDCG@10 < 0.4'",
        ),
        (("--fail-if", "worse() < 0"), 2, "error E209: cannot read the condition 'worse() < 0' at column 7", "worse("),
        (("--fail-if", "worse(RR)"), 2, "error E200: 'worse(RR)' needs a baseline", "--baseline RUN, or --against"),
        (
            ("--fail-if", "p(RR) < 1", "--baseline", "good", "--test", "none"),
            2,
            "error E200: 'p(RR) < 1' needs a test",
            "delta(M)",
        ),
        (
            ("--baseline", "good", "--fail-if", "worse(RR) for x*"),
            2,
            "error E209: cannot read the condition 'worse(RR) for x*' at column 15",
            "no run is called 'x*'; there are fair, poor",
        ),
        (("--against", "nowhere.json"), 4, "error E101: nowhere.json: no such file", "evaluate --save"),
        (("-o", "good.run"), 2, "error E211: -o good.run would overwrite an input", "another name"),
    ],
)
def test_what_goes_wrong_is_said(cli, collection, more, code, message, hint):
    result = cli(*THREE, *more)
    assert result.code == code
    assert message in result.err
    assert hint in result.err
    assert result.out == ""


def test_one_run_is_sent_to_evaluate(cli, collection):
    result = cli("compare", "q.txt", "good.run")
    assert (result.code, result.err) == (
        2,
        "cranfield: error E207: compare needs two runs, got 1\n  hint: 'cranfield evaluate' scores a single run\n",
    )


def test_one_topic_is_too_few_for_a_test(cli, collection):
    (collection / "one.txt").write_text("7 0 rel 1\n")
    result = cli("compare", "one.txt", "good.run", "fair.run", "-q", "-m", "RR")
    assert result.code == 3
    assert result.err == (
        "cranfield: error E208: a paired test needs at least 2 common topics, got 1 (7)\n"
        "  hint: report the difference without a test: --test none\n"
    )
    shown = cli("compare", "one.txt", "good.run", "fair.run", "-q", "-m", "RR", "--test", "none", "--baseline", "fair")
    assert (shown.code, shown.out.splitlines()[0]) == (0, " RR · 1 topic · no test")
    assert "+0.6667" in shown.out


def test_runs_without_a_common_topic_are_refused(cli, collection):
    (collection / "left.run").write_text("".join(ranking(t, 1, "left") for t in range(12)))
    (collection / "right.run").write_text("".join(ranking(t, 1, "right") for t in range(12, 24)))
    result = cli("compare", "q.txt", "left.run", "right.run", "-q", "--topic-set", "intersection", "-m", "RR")
    assert result.code == 3
    assert "E208: a paired test needs at least 2 common topics, got 0\n" in result.err


def test_a_score_that_is_nan_is_refused(cli, collection):
    (collection / "bad.run").write_text("1 Q0 rel 1 nan bad\n")
    result = cli("compare", "q.txt", "good.run", "bad.run")
    assert (result.code, "E107" in result.err) == (3, True)


def test_saved_scores_gate_a_build(cli, collection):
    cli("evaluate", "q.txt", "good.run", "-m", "RR P@1", "--save", "main.json")
    here = ("compare", "q.txt", "--against", "main.json", "fair.run", "-m", "RR", "-m", "P@1")
    result = cli(
        *here, "--fail-if", "worse(RR)", "--fail-if", "Judged@5 < 0.8", "--junit", "j.xml", "--summary", "s.md"
    )
    lines = result.out.splitlines()
    assert result.code == 1
    assert lines[0] == " 24 topics · paired t, two-sided · Holm over 1 comparison · against main.json"
    assert lines[1] == " fair   RR 0.4167    Δ −0.5000   p <0.0001*   W/T/L 0/4/20   judged 100.0 %"
    assert lines[-3:] == [
        "",
        " FAILED  worse(RR): Δ = −0.5000, corrected p < 0.0001 (24 topics)",
        " passed  Judged@5 < 0.8: smallest is 1 (fair)",
    ]
    (suite,) = ET.parse(collection / "j.xml").getroot().findall("testsuite")
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("cranfield compare", "2", "1")
    assert "### cranfield compare: 1 of 2 conditions FAILED" in (collection / "s.md").read_text()
    assert "**RR · 24 topics · paired t, two-sided · Holm over 1 comparison**" in (collection / "s.md").read_text()


def test_measures_come_from_the_saved_file_and_the_conditions(cli, collection):
    cli("evaluate", "q.txt", "good.run", "-m", "RR P@1", "--save", "main.json")
    plain = cli("compare", "-q", "q.txt", "--against", "main.json", "fair.run", "--json")
    assert [row["measure"] for row in json.loads(plain.out)["result"]["pairs"]] == ["RR", "P@1"]
    gated = cli("compare", "-q", "q.txt", "--against", "main.json", "fair.run", "--require", "AP >= 0.1")
    assert (gated.code, " passed  AP >= 0.1: smallest is" in gated.out) == (0, True)
    lacking = cli("compare", "-q", "q.txt", "--against", "main.json", "fair.run", "--fail-if", "worse(AP)")
    assert (lacking.code, "holds no scores of AP" in lacking.err) == (3, True)


def test_the_short_form_of_a_gate_keeps_the_cautions_of_the_table(cli, three_topics):
    cli("evaluate", "q.txt", "down.run", "-m", "RR", "--save", "main.json")
    short = cli("compare", "-q", "q.txt", "--against", "main.json", "up.run", "--require", "not worse(RR)")
    table = cli("compare", "-q", "q.txt", "--against", "main.json", "up.run")
    cautions = table.out.split("\n\n")[2].splitlines()
    assert len(cautions) >= 2
    assert short.out.split("\n\n")[1].splitlines() == cautions


def test_the_same_run_as_before_is_no_regression(cli, collection):
    cli("evaluate", "q.txt", "good.run", "-m", "RR", "--save", "main.json")
    result = cli("compare", "q.txt", "--against", "main.json", "good.run", "-m", "RR", "--fail-if", "worse(RR)")
    assert result.code == 0
    assert " passed  worse(RR): Δ = +0.0000, corrected p = 1 (24 topics)" in result.out


@pytest.mark.parametrize(
    ("condition", "code", "message"),
    [
        ("worse(RR)", 1, "Δ = −0.1556, corrected p < 0.0001 (poor, 24 topics)"),
        ("worse(RR) for good", 0, "Δ = +0.5000, corrected p < 0.0001 (24 topics)"),
        ("delta(RR) < -0.1", 1, "smallest is −0.1556 (poor)"),
        ("delta(RR) < -0.2", 0, "smallest is −0.1556 (poor)"),
        ("delta(RR) > 0.4 for good", 1, "largest is 0.5 (good)"),
        ("p(RR) > 0.5", 0, "largest is"),
        ("drop(RR) > 5%", 1, "largest is 37.33 % (poor)"),  # 0.1556 of 0.4167
        ("drop(RR) > 0.05", 1, "largest is 37.33 % (poor)"),
        ("drop(RR) > 40%", 0, "largest is 37.33 % (poor)"),
        ("drop(RR) > 5% for good", 0, "largest is −120 % (good)"),
        ("drop(ESL) > 5% for poor", 1, "largest is"),  # a search that takes longer is a loss
        ("drop(ESL) > 5% for good", 0, "largest is −"),
        ("worse(P@1)", 0, "Δ = +0.0000, corrected p = 1 (poor, 24 topics)"),
        ("worse(ESL)", 1, "Δ = +1.5000, corrected p < 0.0001 (poor, 24 topics)"),
        ("RR < 0.3", 1, "smallest is 0.2611 (poor)"),
        ("missing > 0", 0, "largest is 0 (good)"),
    ],
)
def test_conditions_about_runs_and_baselines(cli, collection, condition, code, message):
    result = cli(*THREE, "-m", "RR", "--baseline", "fair", "--fail-if", condition, "--json")
    envelope = json.loads(result.out)
    (gate,) = envelope["result"]["gates"]
    assert (result.code, gate["passed"], gate["condition"]) == (code, code == 0, condition)
    assert gate["message"].startswith(message)


def test_a_condition_that_cannot_be_judged_fails(cli, collection):
    result = cli(*THREE, "-m", "RR", "--baseline", "fair", "--fail-if", "worse(NumRelRet)")
    assert result.code == 1
    assert "FAILED  worse(NumRelRet): worse(NumRelRet) is undefined for" in result.out


@pytest.fixture
def three_topics(folder):
    """`up` finds the document of each of three topics first, `down` second."""
    (folder / "q.txt").write_text("".join(f"{topic} 0 rel 1\n" for topic in range(3)))
    for name, depth in (("up", 1), ("down", 2)):
        (folder / f"{name}.run").write_text("".join(ranking(topic, depth, name) for topic in range(3)))
    return folder


@pytest.mark.parametrize(
    ("run", "condition", "code", "message"),
    [
        ("up", "worse(RR)", 0, "Δ = +0.5000, no p (3 topics)"),
        ("down", "worse(RR)", 1, "worse(RR) is undefined for down: its 3 differences are all equal"),
        ("up", "p(RR) > 0.5", 1, "p(RR) is undefined for up: its 3 differences are all equal"),
        ("up", "worse(NumRelRet)", 1, "worse(NumRelRet) is undefined for up: a sum over topics has no test"),
        ("down", "delta(RR) < -0.1", 1, "smallest is −0.5 (down)"),
    ],
)
def test_equal_differences_are_judged_by_what_can_be_said(cli, three_topics, run, condition, code, message):
    other = "down" if run == "up" else "up"
    here = ("compare", "q.txt", "up.run", "down.run", "-m", "RR", "--baseline", other, "--fail-if", condition)
    result = cli(*here, "--json")
    (gate,) = json.loads(result.out)["result"]["gates"]
    assert (result.code, gate["passed"]) == (code, code == 0)
    assert gate["message"].startswith(message)


def test_a_gate_says_that_a_star_is_doubtful(cli, folder):
    (folder / "q.txt").write_text("".join(f"{topic} 0 rel 1\n" for topic in range(5)))
    for name, depth in (("up", lambda _: 1), ("down", lambda topic: 2 + (topic == 4))):
        (folder / f"{name}.run").write_text("".join(ranking(topic, depth(topic), name) for topic in range(5)))
    result = cli("compare", "q.txt", "up.run", "down.run", "-m", "RR", "--baseline", "up", "--fail-if", "worse(RR)")
    assert result.code == 1
    assert " (5 topics); but only 5 topics differ: no sign-flip test of so few can be significant at 0.05" in result.out


@pytest.mark.parametrize("ending", ["tex", "md", "csv", "tsv", "jsonl", "parquet", "json", "txt"])
def test_every_form_can_be_written_to_a_file(cli, collection, ending):
    result = cli(*THREE, "-m", "RR", "-o", f"out.{ending}")
    assert (result.code, result.out) == (0, "")
    assert (collection / f"out.{ending}").stat().st_size > 100


def test_topics_are_listed_with_their_differences(cli, collection):
    lines = cli(*THREE, "-m", "RR", "--baseline", "fair", "--per-topic").out.splitlines()
    assert lines[2].split() == ["topic", "fair", "Δ", "good", "Δ", "poor"]
    assert lines[3].split() == ["0", "0.5000", "+0.0000", "−0.1667"]
    assert len(cli(*THREE, "-m", "RR", "--baseline", "fair", "--per-topic", "--format", "csv").out.splitlines()) == 49


def test_a_nasty_name_survives(cli, collection):
    runs = ("compare", "q.txt", "50% & x_1=good.run", "fair.run", "-m", "RR", "--baseline", "fair")
    assert " 50% & x_1  0.9167" in cli(*runs).out
    assert r"50\% \& x\_1 & \textbf{0.9167}" in cli(*runs, "--format", "latex").out
    assert "| `50% & x_1` | 0.9167" in cli(*runs, "--format", "markdown").out
    assert cli(*runs, "--format", "csv").out.splitlines()[1].startswith("RR,50% & x_1,fair,")


def test_defaults_of_the_folder_are_named(cli, collection):
    (collection / "cranfield.toml").write_text('[measures]\nnames = ["RR"]\n')
    out = cli(*THREE, "--baseline", "fair").out
    assert out.startswith(" RR · ")
    assert out.endswith(" defaults from cranfield.toml\n")


@pytest.mark.parametrize(
    ("option", "alias", "name"),
    [
        ("--test", "Randomisation", "permutation"),
        ("--adjust", "fdr", "bh"),
        ("--adjust", "hsd", "tukey"),
        ("--ci", "studentised", "studentized"),
    ],
)
def test_names_may_be_aliases(cli, collection, option, alias, name):
    words = (*THREE, "-m", "RR", "--samples", "50", "--json", option)
    one, other = (json.loads(cli(*words, word).out)["result"] for word in (alias, name))
    assert one == other


@pytest.mark.parametrize(
    ("option", "written", "hint"),
    [
        ("--test", "wilcoxen", "did you mean wilcoxon? one of "),
        ("--adjust", "tuckey", "did you mean tukey? one of holm, bh"),
        ("--omnibus", "xyz", f"one of {', '.join(OMNIBUS)}"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(cli, option, written, hint):
    result = cli("compare", "q", "r", option, written)
    assert (result.code, result.out) == (2, "")
    assert f"E213: {option}: {written!r} is unknown\n  hint: {hint}" in result.err


def test_the_numbers_are_those_of_the_scores(cli, collection):
    pairs = json.loads(cli(*THREE, "-m", "RR", "--baseline", "fair", "--json", "--per-topic").out)["result"]
    good = [row for row in pairs["topics"] if row["run"] == "good"]
    gaps = np.array([row["value"] - row["baseline_value"] for row in good])
    (pair,) = [pair for pair in pairs["pairs"] if pair["run"] == "good"]
    assert pair["difference"] == pytest.approx(gaps.mean())
    assert pair["d_z"] == pytest.approx(gaps.mean() / gaps.std(ddof=1))
    assert pair["statistic"] == pytest.approx(gaps.mean() / gaps.std(ddof=1) * np.sqrt(TOPICS))


@pytest.mark.parametrize(("name", "said"), [("deltas", "good minus fair"), ("matrix", "all pairs")])
def test_a_comparison_is_drawn_into_a_file(cli, collection, name, said):
    result = cli(*THREE, "-m", "RR", "--chart", name, "-o", "chart.svg", "-v", "--fail-if", "RR < 0.1")
    assert (result.code, result.out.split()[0]) == (0, "passed")
    assert "chart.svg: RR: " in result.err
    assert said in result.err
    assert (collection / "chart.svg").read_bytes().startswith(b"<svg")


def test_a_chart_is_as_wide_as_one_column_or_two(cli, collection):
    wide = {}
    for columns in ("one", "two"):
        cli(*THREE, "-m", "RR", "--chart", "deltas", "-o", "chart.svg", "--width", columns)
        wide[columns] = (collection / "chart.svg").read_text().split('width="')[1].split('"')[0]
    assert wide == {"one": "8.5cm", "two": "17.5cm"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["-m", "RR", "--chart", "deltas"], "no file was named for it"),
        (["-m", "RR", "--chart", "deltas", "-o", "chart.csv"], "no file was named for it"),
        (["-m", "RR", "--chart", "deltas", "--json", "-o", "chart.json"], "no file was named for it"),
        (["--chart", "deltas", "-o", "chart.svg"], "--chart draws one measure, not 2"),
        (["-m", "RR", "--chart", "deltas", "-o", "chart.svg", "--per-topic"], "exclude each other"),
        (["-m", "RR", "--width", "one"], "--width has no effect without --chart"),
        (["-m", "RR", "--chart", "levels", "-o", "chart.svg"], "'levels' is unknown"),
    ],
)
def test_what_cannot_be_drawn_is_refused(cli, collection, given, problem):
    result = cli(*THREE, *given)
    assert result.code == 2
    assert problem in result.err
    assert not list(collection.glob("chart.*"))


def test_a_row_without_p_shows_that_of_the_permutation_test(cli, folder):
    docs = [f"d{number}" for number in range(6)]
    (folder / "equal.txt").write_text("".join(f"{topic} 0 d0 1\n" for topic in range(4)))
    for name in range(5):  # the relevant document is at rank name + 1 of every topic
        ranked = [*docs[1 : name + 1], "d0"]
        lines = [f"{topic} Q0 {doc} {at} {9 - at} r{name}\n" for topic in range(4) for at, doc in enumerate(ranked)]
        (folder / f"equal-{name}.run").write_text("".join(lines))
    for measures in (("-m", "RR"), ("-m", "RR", "-m", "AP")):
        out = cli("compare", "equal.txt", "equal-*.run", *measures).out
        assert out.count("  perm. 0.12  ") == 10 * len(measures) // 2
        assert "; the permutation test (perm.) gives p = 0.12, not corrected." in out


def test_a_paper_gets_one_table_of_all_measures(cli):
    here = ("compare", "qrels.txt", "runs/bm25.run", "runs/dense.run", "-q", "-m", "AP", "-m", "RR", "--paper")
    latex = cli(*here, "--baseline", "dense", "--format", "latex").out
    assert latex.count(r"\begin{table}") == 1
    assert "run & AP & RR" in latex
    assert cli(*here).out.splitlines()[0].split() == ["run", "AP", "RR"]
    refused = cli(*here, "--per-topic")
    assert (refused.code, "--paper is a table of its own" in refused.err) == (2, True)
