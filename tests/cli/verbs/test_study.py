"""`cranfield study`: kinds, options, forms, the folder, and the same study again."""

import json
import re

import jsonschema
import pytest

from cranfield.study.engine.catalogue import STUDIES, questions
from tests.study.small import small

CHOSEN = ("-m", "AP", "-m", "bpref", "--levels", "100,50,10", "--draws", "4", "--seed", "7")


@pytest.fixture
def here(folder) -> tuple[str, ...]:
    """A collection large enough to be studied, and the words that name it."""
    qrels, runs = small()
    rows = [f"{topic} 0 {doc} {grade}\n" for topic, docs in qrels.items() for doc, grade in docs.items()]
    (folder / "judged.txt").write_text("".join(rows))
    for name, lists in runs.items():
        lines = [f"{t} Q0 {doc} 0 {score:.6f} {name}\n" for t, docs in lists.items() for doc, score in docs.items()]
        (folder / f"{name}.run").write_text("".join(lines))
    return ("study", "reduction", "judged.txt", *(f"{name}.run" for name in runs))


def test_the_kinds_are_listed_with_their_questions(cli):
    for words in (("study",), ("study", "--help")):
        result = cli(*words)
        assert (result.code, result.err) == (0, "")
        for name, found in STUDIES.items():
            assert any(line.split()[:1] == [name] and found.question in line for line in result.out.splitlines())


@pytest.mark.parametrize("kind", list(STUDIES))
def test_every_kind_explains_itself(cli, kind):
    """CLI-12."""
    result = cli("study", kind, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(STUDIES[kind].title[:60])
    for option in STUDIES[kind].parameters:
        assert f"--{option.replace('_', '-')}" in result.out
    assert max(map(len, result.out.splitlines())) <= 96


def test_the_questions_are_known_without_importing_the_kinds():
    assert questions() == {name: found.question for name, found in STUDIES.items()}
    assert list(questions()) == list(STUDIES)


def test_every_kind_lives_in_the_module_of_its_name():
    for name, found in STUDIES.items():
        assert name.replace("-", "_") in found.study.__module__.split(".")


def test_the_table_is_that_of_the_mock_up(cli, here):
    """PRODUCT, job 4."""
    result = cli(*here, *CHOSEN)
    lines = result.out.splitlines()
    assert result.code == 0
    assert lines[0] == (
        " Kendall τ-b with the full order (mean over 4 draws, 5–95 %) · 5 runs · 6 topics · "
        "stratified, minimum 1 relevant + 10 nonrelevant"
    )
    assert lines[1].startswith(" kept       AP ")
    assert lines[2].startswith(" 100 %      1.00 ")
    assert lines[3].startswith("  50 %      0.")
    assert lines[5].startswith(" Uniform removal is the kind case: see also `study depth` and `study leave-out`")


def test_half_up_and_half_down_are_the_rules_of_the_papers(cli, here):
    forms = {
        rule: cli(*here, *CHOSEN, "--rounding", rule, "--format", "csv").out
        for rule in ("ag07", "half-down", "sk08", "half-up")
    }
    assert forms["ag07"] == forms["half-down"]
    assert forms["sk08"] == forms["half-up"]
    assert forms["ag07"] != forms["sk08"]


def test_the_envelope_is_what_its_schema_says(cli, here):
    schema = json.loads(cli("study", "reduction", "--json-schema").out)
    result = cli(*here, *CHOSEN, "--json")
    data = json.loads(result.out)
    jsonschema.validate(data, schema)
    assert (data["command"], data["ok"], data["result"]["settings"]["kind"]) == ("study", True, "reduction")
    assert data["audit"]["seed"] == 7
    assert {entry["role"] for entry in data["inputs"]} == {"qrels", "run"}
    failed = json.loads(cli("study", "reduction", "nowhere.txt", "r0.run", "--json").out)
    jsonschema.validate(failed, schema)
    assert failed["errors"][0]["code"] == "E101"


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "markdown", "latex", "parquet"])
def test_every_form_is_printed(cli, here, form):
    result = cli(*here, *CHOSEN, "--format", form)
    assert result.code == 0
    assert b"level" in result.raw or b"kept" in result.raw


def test_a_folder_is_written_and_the_study_is_made_again_from_it(cli, here, folder):
    first = cli(*here, *CHOSEN, "-o", "one", "--ties", "trec9", "--name-by", "file", "--keep", "first-quartile")
    assert first.code == 0
    assert first.err.endswith("cranfield: one: tables, charts and study.json written\n")
    again = cli("study", "--from", "one/study.json", "-o", "two", "--jobs", "2")
    assert (again.code, again.out) == (0, first.out)
    names = sorted(path.name for path in (folder / "one").iterdir())
    assert names == sorted(path.name for path in (folder / "two").iterdir())
    assert all((folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes() for name in names)
    assert json.loads(cli("study", "--from", "one", "--json").out)["result"]["settings"]["seed"] == 7


def test_names_given_by_hand_and_odd_layouts_are_read_again_in_the_same_way(cli, here, folder):
    (folder / "odd.csv").write_text((folder / "judged.txt").read_text().replace(" 0 ", ",").replace(" ", ","))
    first = cli(
        "study", "reduction", "odd.csv", "x=r0.run", "y=r2.run", *CHOSEN, "--columns", "topic,doc,grade", "-o", "a"
    )
    assert first.code == 0, first.err
    assert cli("study", "--from", "a/study.json").out == first.out


def test_changed_inputs_are_refused(cli, here, folder):
    assert cli(*here, *CHOSEN, "-o", "one").code == 0
    (folder / "judged.txt").write_text((folder / "judged.txt").read_text().replace("q0 0 d3 0", "q0 0 d3 1"))
    result = cli("study", "--from", "one/study.json")
    assert result.code == 3
    assert "error E232: judged.txt: is not what the study was made from" in result.err


def test_another_study_does_not_fit_into_the_folder(cli, here):
    assert cli(*here, *CHOSEN, "-o", "one").code == 0
    result = cli(*here, *CHOSEN[:-1], "8", "-o", "one")
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("cranfield: error E231: one: holds another study: seed differ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("study", "reductoin"), "error E200: there is no study 'reductoin'\n  hint: did you mean reduction?"),
        (("study", "-o", "x"), "error E200: no study was named"),
        (("study", "--from", "nowhere.json"), "error E101: nowhere.json: no such file"),
        (("study", "reduction", "q", "r", "--levels", "much"), "error E242: --levels: 'much' is unknown"),
        (("study", "reduction", "q", "r", "--levels", "0"), "error E240: --levels 0 is out of range"),
        (("study", "reduction", "q", "r", "--draws", "0"), "error E240: --draws 0 is out of range"),
        (("study", "reduction", "q", "r", "--stratify", "x"), "error E213: --stratify x is unknown"),
        (("study", "reduction", "q", "r", "--keep", "best"), "error E213: --keep: 'best' is unknown"),
        (("study", "reduction", "q", "r", "-o", "-"), "error E200: -o names a folder"),
        (("study", "reduction", "q"), "error E200"),
        (("study", "power"), "error E200: missing argument 'QRELS'"),
        (("study", "decide", "q", "r", "--universe", "open"), "error E213: --universe open is unknown"),
        (("study", "power", "q", "--difference", "1", "--sd", "1"), "error E200: missing argument 'RUNS...'"),
    ],
)
def test_what_cannot_be_followed_is_said(cli, words, said):
    result = cli(*words)
    assert result.out == ""
    assert result.err.startswith(f"cranfield: {said}")
    assert result.code in (2, 3, 4)


def test_the_pool_of_a_universe_is_an_input_that_is_not_overwritten(cli, here, folder):
    (folder / "pool.tsv").write_text("q0\tu1\tdepth2\t1.0\n")
    words = ("study", "decide", *here[2:5], "-m", "P@5", "--draws", "50", "--universe", "pool:pool.tsv")
    assert "--universe" in cli("study", "decide", "--help").out
    result = cli(*words, "-o", "pool.tsv")
    assert (result.code, result.out) == (2, "")
    assert "would overwrite an input" in result.err
    result = cli(*words)
    assert result.code == 0, result.err
    assert "universe=pool:pool.tsv: only documents in pool.tsv may be relevant" in result.out


def test_ranges_of_runs_that_are_left_out_are_what_the_schema_says(cli, here):
    words = ("study", "leave-out", *here[2:], "-m", "P@5", "--plain", "--bounds", "--pool-depth", "5")
    data = json.loads(cli(*words, "--json").out)
    jsonschema.validate(data, json.loads(cli("study", "leave-out", "--json-schema").out))
    row = data["result"]["rows"][0]
    assert row["lowest"] <= row["score"] <= row["highest"]
    assert (row["contained"], row["others"]) == (1, 4)
    assert "possible" in cli(*words).out.splitlines()[1]


PLAN = ("study", "power", "--difference", "0.05", "--sd", "0.15")


def test_topics_are_planned_without_data(cli):
    """SPEC 15.8."""
    result = cli(*PLAN)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == " Topics needed · power of a paired t test, α = 0.05 · no data read"
    assert lines[1].split() == ["difference", "sd", "topics", "needed", "power"]
    assert lines[2].split() == ["0.05", "0.15", "73", "0.8023"]
    assert "[QRELS RUN…]" in cli("study", "power", "-h").out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-m", "AP"), "error E244: measures have no effect without runs"),
        (("--at", "50"), "error E244: --at has no effect without runs"),
        (("--test", "t"), "error E244: --test has no effect without runs"),
        (("--ties", "trec"), "error E244: --ties has no effect without runs"),
        (("--columns", "topic,doc,grade"), "error E244: --columns has no effect without runs"),
        (("--keep", "ag07"), "error E244: --keep has no effect without runs"),
        (("--systems", "3"), "error E244: --systems has no effect for --design paired"),
        (("--design", "width", "--power", "0.9"), "error E244: --power has no effect for --design width"),
        (("--difference", "1e-9"), "error E240: more than 1,000,000,000 topics would be needed"),
        (("--sd", "0"), "error E240: --sd 0 is out of range"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused_before_anything_is_written(cli, folder, more, said):
    result = cli(*PLAN, *more, "-o", "plan")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"cranfield: {said}")
    assert not (folder / "plan").exists()


def test_a_difference_alone_is_no_plan(cli):
    result = cli(*PLAN[:4])
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("cranfield: error E244: --difference needs --sd, or runs")


def test_a_plan_is_written_and_made_again(cli, folder):
    first = cli(*PLAN, "--design", "anova", "--systems", "5", "-o", "plan")
    assert first.code == 0, first.err
    assert {"study.json", "table.txt", "power.csv", "topics.svg"} <= {p.name for p in (folder / "plan").iterdir()}
    again = cli("study", "--from", "plan/study.json")
    assert (again.code, again.out) == (0, first.out)


def test_the_envelope_of_a_plan_is_what_its_schema_says(cli):
    data = json.loads(cli(*PLAN, "--json").out)
    jsonschema.validate(data, json.loads(cli("study", "power", "--json-schema").out))
    (row,) = data["result"]["rows"]
    assert (row["topics_needed"], row["expected_width"], data["inputs"]) == (73, None, [])


def test_measures_of_the_defaults_do_not_stop_a_plan(cli, folder):
    plain = cli(*PLAN).out
    (folder / "cranfield.toml").write_text('[measures]\nnames = ["AP"]\n[policy]\nties = "trec9"\n')
    result = cli(*PLAN)
    assert (result.code, result.out) == (0, plain), "nothing of the file was used, and no note says so"


@pytest.mark.parametrize(
    "arguments",
    [
        ("swap", "--sets", "9999999999"),
        ("reduction", "--draws", "99999999999"),
        ("stability", "--draws", "99999999999"),
        ("power", "--boot", "99999999999"),
        ("folds", "--repeats", "99999999999"),
    ],
)
def test_more_repetitions_than_can_be_held_are_refused_before_the_first(cli, here, arguments):
    kind, *options = arguments
    done = cli("study", kind, *here[2:], *options)
    assert done.code == 4
    assert re.match(r"cranfield: error E250: [0-9,]+ repetitions need about [0-9,]+ GB of memory", done.err)
    assert "hint: no more than " in done.err


def test_settings_that_say_the_same_in_other_bytes_are_called_so(cli, here, folder):
    assert cli(*here, *CHOSEN, "-o", "made").code == 0
    settings = folder / "made/study.json"
    settings.write_text(settings.read_text() + " ")
    done = cli(*here, *CHOSEN, "-o", "made")
    assert (done.code, done.err.splitlines()[0]) == (3, "cranfield: error E231: made: study.json was written by hand")
    known = json.loads(settings.read_text())
    settings.write_text(json.dumps({**known, "other": 1}))
    done = cli(*here, *CHOSEN, "-o", "made")
    assert "holds another study: other differ" in done.err
