"""`cranfield evaluate`: the table of job 1, every form, and where things go (2.1)."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import polars
import pytest

import cranfield as cf
from cranfield.whole_files import UNFINISHED

HERE = ("evaluate", "qrels.txt", "runs/bm25.run", "runs/dense.run")


def test_the_table_is_that_of_the_manual(cli):
    table, notes = cli(*HERE, "-m", "nDCG@10", "-m", "AP", "-m", "RBP(p=0.8)").out.split("\n\n")
    # AP: bm25 (1/1 + 1/2)/2; dense answers only 301, with the relevant document second: (1/2 + 0)/2
    # RBP: gains are grade/2; bm25 (0.2 · 1/2 + 0.2 · 0.8 · 1)/2; dense (0.2 · 0.8 · 1/2 + 0)/2
    # nDCG: 1/log2(3) = 0.6309 for a relevant document that is second instead of first
    assert table == (
        " run     nDCG@10      AP   RBP(p=0.8)   judged@10   judged   judged weight\n"
        " bm25     0.8155  0.7500       0.1300     100.0 %  100.0 %         100.0 %\n"
        " dense    0.3155  0.2500       0.0400     100.0 %  100.0 %         100.0 %"
    )
    assert notes.startswith(" 2 topics in the mean · dense: 1 missing, scored 0 (302)")
    assert "\n ties: 0 groups, 0 can change a value · duplicates 0 · negative grades 0" in notes
    assert "\n ties=trec topic-set=qrels no-relevant=zero negative=unjudged unjudged=nonrelevant\n" in notes


def test_the_default_measures_are_those_of_the_manual(cli):
    header = cli(*HERE).out.splitlines()[0]
    assert header.split() == ["run", "nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10", "judged", "judged@100"]


def test_it_prints_what_the_library_computes(cli):
    with pytest.warns(cf.DataWarning):
        scores = cf.evaluate("qrels.txt", ["runs/bm25.run", "runs/dense.run"], ["AP", "nDCG"], ties="trec9")
    assert cli(*HERE, "-m", "AP nDCG", "--ties", "trec9").out == scores.sheet().text() + "\n"


def test_results_go_to_stdout_and_notes_to_stderr(cli):
    result = cli(*HERE)
    assert "W101" not in result.out
    assert "cranfield: note W101: runs/dense.run: " in result.err
    assert result.code == 0


def test_q_silences_notes_and_v_adds_timings(cli):
    assert cli(*HERE, "-q").err == ""
    loud = cli(*HERE, "-v").err
    assert "cranfield: qrels.txt: qrels-trec, 4 rows\n" in loud
    assert [line.split(" s ")[1] for line in loud.splitlines() if " s " in line] == ["reading", "evaluating", "in all"]
    assert cli(*HERE, "-q").out == cli(*HERE, "-vv").out


def test_the_same_command_gives_the_same_bytes(cli):
    for more in ((), ("--json", "--ci", "bootstrap"), ("--format", "parquet"), ("--per-topic", "--format", "latex")):
        assert cli(*HERE, *more).raw == cli(*HERE, *more).raw


def test_per_topic_lists_every_topic_of_the_mean(cli):
    lines = cli(*HERE, "--per-topic", "-m", "AP").out.split("\n\n")[0].splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["run", "topic", "AP"],
        ["bm25", "301", "1.0000"],
        ["bm25", "302", "0.5000"],
        ["dense", "301", "0.5000"],
        ["dense", "302", "0.0000"],
        ["bm25", "mean", "0.7500"],
        ["dense", "mean", "0.2500"],
    ]


@pytest.mark.parametrize(
    ("options", "runs"),
    [
        (("-m", "AP"), ["bm25", "dense"]),
        (("-m", "AP", "--sort", "given"), ["dense", "bm25"]),
        (("-m", "ESL", "-m", "AP"), ["bm25", "dense"]),  # less is better
        (("-m", "num_ret", "-m", "AP", "--sort", "map"), ["bm25", "dense"]),
        (("-m", "AP", "--format", "markdown"), ["bm25", "dense"]),
    ],
)
def test_printed_tables_begin_with_the_best_run_unless_another_order_is_asked_for(cli, options, runs):
    printed = cli("evaluate", "qrels.txt", "runs/dense.run", "runs/bm25.run", *options).out
    rows = [line for line in printed.splitlines() if re.search(r"\b(bm25|dense)\b", line)]
    assert [re.findall(r"bm25|dense", row)[0] for row in rows[:2]] == runs


def test_programs_and_python_get_the_runs_in_the_order_in_which_they_were_named(cli):
    arguments = ("evaluate", "qrels.txt", "runs/dense.run", "runs/bm25.run", "-m", "AP")
    assert [line.split(",")[0] for line in cli(*arguments, "--format", "csv").out.splitlines()[1:]] == ["dense", "bm25"]
    assert [row["run"] for row in json.loads(cli(*arguments, "--json").out)["result"]["scores"]] == ["dense", "bm25"]
    with pytest.warns(cf.DataWarning):  # dense lacks a topic
        scores = cf.evaluate("qrels.txt", ["runs/dense.run", "runs/bm25.run"], "AP")
    assert scores.runs == ("dense", "bm25")
    assert scores.sorted().runs == ("bm25", "dense")
    assert scores.sorted()["dense", "AP"].tolist() == scores["dense", "AP"].tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sort", "RR"), "--sort: RR is not in the table\n  hint: one of AP, given"),
        (("--sort", "AP", "--format", "csv"), "--sort is for printed tables, and csv keeps the order of the runs"),
        (("--sort", "AP", "--json"), "--sort is for printed tables, and json keeps the order of the runs"),
    ],
)
def test_an_order_that_cannot_be_is_refused(cli, options, said):
    result = cli(*HERE, "-m", "AP", *options)
    assert result.code == 2
    assert said in result.err


def test_an_ending_of_html_writes_a_page_that_needs_nothing_else(cli, folder):
    named = ("evaluate", "qrels.txt", "runs/dense.run", "<b>=runs/bm25.run", "-q", "-m", "AP", "-o", "page.html")
    assert cli(*named).code == 0
    page = (folder / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert '<td style="text-align:right"><strong>0.7500</strong></td>' in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    for words in (
        "<h2>Policies</h2>",
        "<h2>Audit</h2>",
        "<h2>Inputs</h2>",
        "topics missing",
        "cranfield evaluate qrels.txt",
    ):
        assert words in page


def test_python_writes_the_same_page(folder):
    with pytest.warns(cf.DataWarning):
        scores = cf.evaluate("qrels.txt", ["runs/bm25.run", "runs/dense.run"], "AP")
    scores.save("scores.html")
    assert (folder / "scores.html").read_text() == scores.to_html()
    assert "<h1>Nightly &amp; more</h1>" in scores.to_html("Nightly & more")


def test_the_table_of_topics_ends_with_the_means_for_people_only(cli):
    csv = cli(*HERE, "--per-topic", "-m", "AP", "--format", "csv").out
    assert "mean" not in csv
    counts = cli(*HERE, "--per-topic", "-m", "num_ret").out
    assert counts.split("\n\n")[0].splitlines()[-1].split() == ["dense", "sum", "2", "–"]
    assert cli(*HERE, "--per-topic", "-m", "AP num_ret").out.split("\n\n")[0].splitlines()[-1].split()[1] == "all"


def test_measures_repeat_or_stand_together_or_in_a_file(cli, folder):
    (folder / "list.txt").write_text("# the usual\nAP P@5\n\n  RR\n")
    headers = [
        cli(*HERE, *options).out.splitlines()[0]
        for options in (("-m", "AP", "-m", "P@5", "-m", "RR"), ("-m", "AP P@5 RR"), ("-m", "@list.txt"))
    ]
    assert headers == [headers[0]] * 3


def test_a_missing_list_of_measures_is_an_error(cli):
    result = cli(*HERE, "-m", "@nowhere.txt")
    assert (result.code, "E101: nowhere.txt: no such file" in result.err) == (4, True)


def test_globs_are_expanded(cli):
    assert cli("evaluate", "qrels.txt", "runs/*.run").out == cli(*HERE).out


def test_a_run_can_be_named_by_hand_or_by_file(cli, folder):
    (folder / "runs/x.run").write_text((folder / "runs/bm25.run").read_text())
    assert cli("evaluate", "qrels.txt", "mine=runs/x.run").out.splitlines()[1].split()[0] == "mine"
    names = [
        line.split()[0]
        for line in cli("evaluate", "qrels.txt", "runs/*.run", "--name-by", "file").out.splitlines()[1:4]
    ]
    assert sorted(names) == ["bm25", "dense", "x"]


def test_a_dash_reads_standard_input_once(cli, folder, monkeypatch):
    expected = cli("evaluate", "qrels.txt", "runs/bm25.run").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / "runs/bm25.run").read_bytes())))
    assert cli("evaluate", "qrels.txt", "-").out == expected
    assert "E122" in cli("evaluate", "-", "-").err


def test_policies_are_followed_and_printed(cli):
    out = cli(*HERE, "--topic-set", "intersection", "-m", "AP", "-M", "1", "-l", "2").out
    assert "topic-set=intersection" in out
    assert "rel=2 depth=1" in out


def test_columns_of_runs_and_of_qrels_are_told_apart(cli, folder):
    (folder / "five.run").write_text("301 Q0 d1 1 3.5\n302 Q0 d3 1 2\n")
    (folder / "three.txt").write_text("d1 301 1\nd3 302 2\n")
    options = ("--columns", "topic,_,doc,rank,score", "--columns", "doc,topic,grade")
    result = cli("evaluate", "three.txt", "five.run", "-m", "AP", *options)
    assert result.out.splitlines()[1].split()[:2] == ["five", "1.0000"]


def test_a_format_is_forced_for_the_role_it_has(cli, folder):
    (folder / "sampled.txt").write_text("301 0 d1 1 1\n301 0 d2 1 0\n")
    result = cli("evaluate", "sampled.txt", "runs/bm25.run", "-m", "AP", "--format-in", "qrels-stratum")
    assert result.out.splitlines()[1].split()[:2] == ["bm25", "1.0000"]


def test_subtopics_can_be_collapsed(cli, folder):
    (folder / "div.txt").write_text("301 1 d1 0\n301 2 d1 2\n301 1 d2 0\n302 1 d3 1\n")
    assert cli("evaluate", "div.txt", "runs/bm25.run", "-m", "AP").code == 3
    table = cli("evaluate", "div.txt", "runs/bm25.run", "-m", "AP", "--collapse", "any").out
    assert table.splitlines()[1].split()[:2] == ["bm25", "0.7500"]  # (1/1 + 1/2) / 2


@pytest.mark.parametrize(
    ("form", "ending"),
    [
        ("table", "txt"),
        ("tsv", "tsv"),
        ("csv", "csv"),
        ("jsonl", "jsonl"),
        ("markdown", "md"),
        ("latex", "tex"),
        ("parquet", "parquet"),
    ],
)
def test_the_ending_of_a_file_tells_its_form(cli, folder, form, ending):
    printed = cli(*HERE, "--format", form)
    before = os.listdir()
    written = cli(*HERE, "-o", f"out.{ending}")
    assert (printed.code, written.code, written.out) == (0, 0, "")
    assert (folder / f"out.{ending}").read_bytes() == printed.raw
    assert sorted(os.listdir()) == sorted([*before, f"out.{ending}"])


def test_a_dash_as_output_is_standard_output(cli):
    assert cli(*HERE, "-o", "-").out == cli(*HERE).out


def test_the_option_wins_over_the_ending(cli, folder):
    cli(*HERE, "-m", "AP", "--format", "csv", "-o", "out.txt")
    assert (folder / "out.txt").read_text().startswith("run,AP,judged\n")


def test_numbers_for_programs_have_full_precision(cli, folder):
    with pytest.warns(cf.DataWarning):
        exact = float(cf.evaluate("qrels.txt", "runs/dense.run", "nDCG@10").means[0, 0])
    assert exact != round(exact, 6)
    rows = list(csv.DictReader(io.StringIO(cli(*HERE, "-m", "nDCG@10", "--format", "csv").out)))
    assert float(rows[1]["nDCG@10"]) == exact
    assert json.loads(cli(*HERE, "-m", "nDCG@10", "--format", "jsonl").out.splitlines()[1])["nDCG@10"] == exact
    frame = polars.read_parquet(io.BytesIO(cli(*HERE, "-m", "nDCG@10", "--format", "parquet").raw))
    assert frame["nDCG@10"][1] == exact


def test_csv_is_safe_for_spreadsheets_unless_plain(cli):
    arguments = ("evaluate", "qrels.txt", "+x=runs/bm25.run", "--format", "csv", "-m", "AP")
    assert cli(*arguments).out.splitlines()[1].startswith("'+x,")
    assert cli(*arguments, "--plain-csv").out.splitlines()[1].startswith("+x,")


def test_an_awkward_name_survives_every_form(cli):
    arguments = ("evaluate", "qrels.txt", "runs/dense.run", "50% & x_1=runs/bm25.run", "-m", "AP", "--format")
    assert " 50% & x_1  0.7500" in cli(*arguments, "table").out
    assert "| `50% & x_1` |" in cli(*arguments, "markdown").out
    assert r"50\% \& x\_1 & \textbf{0.7500}" in cli(*arguments, "latex").out
    assert cli(*arguments, "csv").out.splitlines()[2].startswith("50% & x_1,")


def test_a_failed_write_leaves_the_old_file(cli, folder, monkeypatch):
    (folder / "out.csv").write_text("old")

    def refused(part, target):
        assert Path(part).name.endswith(UNFINISHED)
        assert Path(part).parent == Path(target).parent
        assert Path(part).read_bytes()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refused)
    before = os.listdir()
    result = cli(*HERE, "-o", "out.csv")
    assert result.code == 4
    assert "E120: out.csv: cannot be written: no space left on device" in result.err
    assert (folder / "out.csv").read_text() == "old"
    assert sorted(os.listdir()) == sorted(before)


def test_a_link_stays_a_link_and_keeps_the_rights_of_its_target(cli, folder):
    (folder / "real.csv").write_text("old")
    (folder / "real.csv").chmod(0o640)
    (folder / "link.csv").symlink_to("real.csv")
    assert cli(*HERE, "-o", "link.csv").code == 0
    assert (folder / "link.csv").is_symlink()
    assert (folder / "real.csv").read_text().startswith("run,")
    assert (folder / "real.csv").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_written_to_as_it_is(cli, folder):  # never a real device: a mistake would replace it
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert cli(*HERE, "-o", "pipe").code == 0
        assert os.read(reader, 10_000).decode() == cli(*HERE).out
    finally:
        os.close(reader)
    assert not os.path.isfile(folder / "pipe")


def test_an_interval_can_be_asked_for(cli):
    out = cli(*HERE, "-m", "AP", "--ci", "bootstrap", "--seed", "7").out
    assert "95 % CI" in out.splitlines()[0]
    assert " 95 % intervals: percentile bootstrap over topics, seed 7\n" in out
    assert "Student's t" in cli(*HERE, "-m", "AP", "--ci", "t").out


def test_own_measures_are_loaded_when_asked(cli, folder):
    (folder / "mine.py").write_text(
        "import cranfield as cf\n"
        "@cf.measure('FirstGrade')\n"
        "def first(r):\n"
        "    '''Grade of the first document.'''\n"
        "    return float(r.grades(default=0)[0]) if len(r.ids) else 0.0\n"
    )
    try:
        result = cli(*HERE, "-m", "FirstGrade", "--load", "mine.py")
        assert result.out.splitlines()[1].split()[:2] == ["bm25", "0.5000"]  # grades 1 and 0
    finally:
        cf.forget("FirstGrade")
    assert "E201: unknown measure 'FirstGrade'" in cli(*HERE, "-m", "FirstGrade").err


def test_a_mistake_in_own_measures_names_the_line(cli, folder):
    (folder / "mine.py").write_text("x = 1\ny = x / 0\n")
    result = cli(*HERE, "--load", "mine.py")
    assert result.code == 2
    assert "E215: mine.py:2: ZeroDivisionError: division by zero" in result.err


def test_saved_scores_are_read_back(cli):
    cli(*HERE, "-m", "AP RR", "--save", "scores.json", "--ci", "t")
    with pytest.warns(cf.DataWarning):
        scores = cf.evaluate("qrels.txt", ["runs/bm25.run", "runs/dense.run"], ["AP", "RR"])
    assert cf.load_scores("scores.json") == cf.with_intervals(scores, "t")


@pytest.mark.parametrize("measure", ["nDCG(dcg='exp-log2')@10", "DCG(dcg='exp-log2')@10"])
def test_a_gain_that_no_number_holds_is_undefined_without_a_foreign_word(cli, folder, measure):
    (folder / "high.txt").write_text("1 0 d1 2000\n1 0 d2 1\n2 0 d1 3\n")
    (folder / "high.run").write_text("1 Q0 d1 1 2 a\n2 Q0 d1 1 2 a\n")
    done = cli("evaluate", "high.txt", "high.run", "-m", measure)
    assert done.code == 0
    assert f"note W107: {measure} is undefined for 1 ranking" in done.err
    assert "Warning" not in done.err


def test_warnings_of_other_packages_are_shown_to_those_who_ask(folder):
    (folder / "own.py").write_text("import warnings\nwarnings.warn('old style', FutureWarning)\n")

    def said(*more: str) -> str:
        words = ["evaluate", "qrels.txt", "runs/bm25.run", *more, "--load", "own.py"]
        program = "import sys; from cranfield.cli import main; sys.exit(main(sys.argv[1:]))"
        done = subprocess.run(
            [sys.executable, "-c", program, *words], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0
        return done.stderr

    assert "old style" not in said()
    assert "cranfield: FutureWarning: old style" in said("-v").splitlines()
    assert "own.py:2: FutureWarning" in said("-vv")


@pytest.mark.parametrize("name", ["x.csv.gz", "x.png", "x.xlsx", "x.svg"])
@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_an_ending_that_is_not_known_is_refused_unless_the_form_is_named(cli, folder, verb, name):
    here = (verb, "qrels.txt", "runs/bm25.run", "runs/dense.run", "-o", name)
    said = cli(*here)
    assert said.code == 2
    assert f"E224: -o writes no file that ends in '{Path(name).suffix}'" in said.err
    assert "hint: one of .json, .txt, " in said.err
    assert "--format FORM writes that form, whatever the name" in said.err
    assert ("--chart NAME draws a picture" in said.err) == name.endswith((".png", ".svg"))
    assert not (folder / name).exists()
    assert cli(*here, "--format", "csv").code == 0
    assert "run," in (folder / name).read_text()


def test_a_name_without_an_ending_holds_the_table(cli, folder):
    assert cli("evaluate", "qrels.txt", "runs/bm25.run", "-o", "table").code == 0
    assert (folder / "table").read_text().startswith(" run ")


@pytest.mark.parametrize("name", ["s.csv", "s.json.gz", "s.jsonl"])
def test_scores_are_saved_as_json_and_under_no_other_ending(cli, folder, name):
    said = cli("evaluate", "qrels.txt", "runs/bm25.run", "--save", name)
    assert said.code == 2
    assert f"--save writes no file that ends in '{Path(name).suffix}'" in said.err
    assert not (folder / name).exists()
    for kept in ("s.JSON", "s"):
        assert cli("evaluate", "qrels.txt", "runs/bm25.run", "--save", kept).code == 0
        assert (folder / kept).read_text().startswith("{")


SAMPLED = "".join(f"1 0 d{n:02} {'top' if n < 20 else 'rest'} {n % 2 if n < 20 or n % 3 else -1}\n" for n in range(60))


def sampled(cli, *options):
    """Evaluate a run of sixty documents against a stratified sample."""
    Path("sampled.txt").write_text(SAMPLED)
    Path("sampled.run").write_text("".join(f"1 Q0 d{n:02} {n + 1} {99 - n} s\n" for n in range(60)))
    return cli("evaluate", "sampled.txt", "sampled.run", "--format-in", "qrels-stratum", *options)


def test_the_sampling_error_of_estimates_is_what_the_library_computes(cli):
    result = sampled(cli, "-m", "xinfAP statAP", "--sampling-error")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].split() == ["run", "measure", "mean", "std.", "error", "low", "high"]
    assert [line.split()[1] for line in lines[1:3]] == ["xinfAP", "statAP"]
    qrels = cf.read_qrels("sampled.txt", format="qrels-stratum")
    assert result.out == repr(cf.sampling_errors(qrels, "sampled.run", "xinfAP statAP")) + "\n"
    by_topic = sampled(cli, "-m", "statAP", "--sampling-error", "--per-topic").out
    assert by_topic.splitlines()[0].split()[-2:] == ["sampled", "relevant"]


def test_the_sampling_error_as_json_fits_the_schema(cli):
    schema = json.loads(cli("evaluate", "--json-schema").out)
    data = json.loads(sampled(cli, "-m", "infNDCG@10", "--sampling-error", "--per-topic", "--json").out)
    jsonschema.validate(data, schema)
    assert data["result"]["sampling_errors"][0]["error"] > 0
    assert data["result"]["sampling_errors_by_topic"][0]["sampled_relevant"] > 10


def test_a_sampling_error_excludes_what_has_no_meaning_beside_it(cli):
    for options, problem in (
        (("--ci", "t"), "--sampling-error and --ci exclude each other"),
        (("--curve", "pr"), "--sampling-error and --curve exclude each other"),
        (("--average", "median"), "--sampling-error is of means"),
        (("-m", "AP"), "AP does not estimate from a sample"),
    ):
        result = sampled(cli, "--sampling-error", *options)
        assert result.code == 2
        assert problem in result.err


def test_some_topics_are_evaluated_and_compared_alone(cli, folder):
    (folder / "some.txt").write_text("301\n")
    named = cli(*HERE, "-m", "AP", "--only-topics", "301", "--json")
    listed = cli(*HERE, "-m", "AP", "--only-topics", "some.txt", "--json")
    assert json.loads(named.out)["audit"]["topics_in_mean"] == 1
    assert json.loads(named.out)["result"] == json.loads(listed.out)["result"]
    assert cli(*HERE, "--only-topics", "some.txt", "-o", "some.txt").code == 2
    compared = cli("compare", *HERE[1:], "-m", "AP", "--test", "none", "--only-topics", "301", "--json")
    assert json.loads(compared.out)["result"]["pairs"][0]["topics"] == 1
    assert cli("holes", *HERE[1:], "-m", "AP", "--only-topics", "301").code == 0
