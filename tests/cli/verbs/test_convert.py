"""`cranfield convert`: any readable format of a role becomes any writable one, and losses are said."""

import json
import re
import warnings

import pytest
from jsonschema import validate

import cranfield as cf
from cranfield.align.combining.rules import GRADE_RULES
from cranfield.align.converting.mapping import read_map
from cranfield.errors import Error
from cranfield.read.definition import FORMATS
from cranfield.write import WRITERS

PLAIN = {
    "run": [name for name in WRITERS if FORMATS[name].role == "run" and name != "run-msmarco"],
    "qrels": [
        name
        for name in WRITERS
        if FORMATS[name].role == "qrels" and name not in ("qrels-stratum", "qrels-probability", "qrels-prels")
    ],
}
JUDGED = (
    "topic,doc,assessor,grade\n"
    "1,a,ann,2\n1,a,bob,0\n1,a,cid,2\n"  # majority 2, median 2, mean 4/3
    "1,b,ann,1\n1,b,bob,0\n"  # no winner, lower median 0
    "2,c,ann,1\n"
)


@pytest.mark.parametrize("name", PLAIN["run"])
def test_a_run_survives_every_format(cli, folder, name):
    target = f"copy{FORMATS[name].all_endings[0] if FORMATS[name].all_endings else ''}"
    assert cli("convert", "runs/bm25.run", "-o", target, "--to", name).code == 0
    assert cli("convert", target, "-o", "back.run", "--format-in", name, "--to", "run-trec").code == 0
    old, new = (cf.read_run(path, name="x") for path in ("runs/bm25.run", "back.run"))
    assert old == new


@pytest.mark.parametrize("name", PLAIN["qrels"])
def test_qrels_survive_every_format(cli, folder, name):
    assert cli("convert", "qrels.txt", "-o", "copy", "--to", name).code == 0
    assert cli("convert", "copy", "-o", "back.qrels", "--format-in", name).code == 0
    assert cf.read_qrels("qrels.txt") == cf.read_qrels("back.qrels")


def test_the_ending_tells_the_format(cli, folder):
    result = cli("convert", "qrels.txt", "-o", "qrels.jsonl")
    assert result.out == " qrels.txt -> qrels.jsonl: qrels-jsonl, 4 rows\n"
    assert json.loads((folder / "qrels.jsonl").read_text().splitlines()[0])["doc"] == "d1"


def test_several_runs_go_into_one_table_with_a_column_for_the_run(cli, folder):
    assert cli("convert", "runs/*.run", "-o", "all.csv").code == 0
    assert list(cf.read_runs("all.csv")) == ["bm25", "dense"]


def test_a_directory_gets_one_file_for_each_input(cli, folder):
    result = cli("convert", "runs/*.run", "-o", "out/", "--to", "jsonl")
    assert result.code == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["bm25.jsonl", "dense.jsonl"]
    assert " runs/dense.run -> out/dense.jsonl: run-jsonl, 2 rows\n" in result.out


def test_a_directory_without_a_format_is_wrong_usage(cli):
    result = cli("convert", "qrels.txt", "-o", "out/")
    assert result.code == 2
    assert "hint: name the format: --to jsonl" in result.err


def test_scores_that_cannot_be_carried_are_said_and_end_with_5(cli, folder):
    result = cli("convert", "runs/bm25.run", "-o", "ranks.tsv", "--to", "run-msmarco")
    assert result.code == 5
    assert " not carried over: run-msmarco cannot hold scores\n" in result.out
    assert "note W108" in result.err
    assert (folder / "ranks.tsv").read_text().startswith("301\td1\t1\n")


def test_an_input_is_never_overwritten(cli, folder):
    before = (folder / "qrels.txt").read_bytes()
    result = cli("convert", "qrels.txt", "-o", "./qrels.txt", "--to", "csv")
    assert (result.code, result.out) == (2, "")
    assert "E211: -o ./qrels.txt would overwrite an input" in result.err
    assert (folder / "qrels.txt").read_bytes() == before


def test_a_map_is_an_input_too(cli, folder):
    (folder / "map.tsv").write_text("301\tq301\n302\tq302\n")
    assert "E211" in cli("convert", "qrels.txt", "-o", "map.tsv", "--to", "csv", "--map-topics", "map.tsv").err


def test_topics_and_documents_get_new_names(cli, folder):
    (folder / "topics.map").write_text("# old new\n301\tq301\n302\tq302\n")
    (folder / "docs.map").write_text("d1\tD one\n")
    result = cli("convert", "qrels.txt", "-o", "new.csv", "--map-topics", "topics.map", "--map-docs", "docs.map")
    assert result.code == 0
    assert "note W110: 3 documents not in the map, names kept: d2, d3, d4" in result.err
    qrels = cf.read_qrels("new.csv")
    assert qrels.topics == ("q301", "q302")
    assert list(qrels.document) == ["D one", "d2", "d3", "d4"]


def test_ids_that_become_equal_are_one_topic(cli, folder):
    (folder / "map").write_text("301 q\n302 q\n")
    cli("convert", "qrels.txt", "-o", "new.txt", "--map-topics", "map")
    assert (folder / "new.txt").read_text() == "q 0 d1 1\nq 0 d2 0\nq 0 d3 2\nq 0 d4 0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("301\n", "E105: map:1: expected 2 columns, found 1"),
        ("301 a\n301 b\n", "E119: map:2: '301' becomes 'b' here and 'a' before"),
        ("# nothing\n", "E104: map: the map is empty"),
    ],
)
def test_a_map_that_cannot_be_read_says_where(cli, folder, text, message):
    (folder / "map").write_text(text)
    result = cli("convert", "qrels.txt", "-o", "new.txt", "--map-topics", "map")
    assert result.code == 3
    assert message in result.err
    assert not (folder / "new.txt").exists()


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("max", "1 0 a 2\n1 0 b 1\n2 0 c 1\n"),
        ("min", "1 0 a 0\n1 0 b 0\n2 0 c 1\n"),
        ("median", "1 0 a 2\n1 0 b 0\n2 0 c 1\n"),
        ("assessor:bob", "1 0 a 0\n1 0 b 0\n"),
    ],
)
def test_a_rule_makes_one_grade_of_several_assessors(cli, folder, rule, expected):
    (folder / "judged.csv").write_text(JUDGED)
    result = cli("convert", "judged.csv", "-o", "q.txt", "--rule", rule)
    assert result.code == 0
    assert (folder / "q.txt").read_text() == expected


def test_pairs_without_a_majority_are_left_out_and_said(cli, folder):
    (folder / "judged.csv").write_text(JUDGED)
    result = cli("convert", "judged.csv", "-o", "q.txt", "--rule", "majority")
    assert result.code == 5
    assert "1 pair without a winning grade (first: 1 b)" in result.out
    assert (folder / "q.txt").read_text() == "1 0 a 2\n2 0 c 1\n"


def test_the_mean_is_a_real_number(cli, folder):
    (folder / "judged.csv").write_text(JUDGED)
    assert cli("convert", "judged.csv", "-o", "q.csv", "--rule", "mean").code == 0
    assert cf.read_qrels("q.csv", grades="float").grade.tolist() == [4 / 3, 0.5, 1.0]


def test_several_assessors_without_a_rule_are_refused_where_they_do_not_fit(cli, folder):
    (folder / "judged.csv").write_text(JUDGED)
    result = cli("convert", "judged.csv", "-o", "q.txt")
    assert result.code == 2
    assert "E118: qrels-trec cannot hold the judgments of several assessors" in result.err
    assert f"hint: --rule {'|'.join(GRADE_RULES)}|assessor:NAME makes" in result.err


def test_several_assessors_are_kept_where_they_fit(cli, folder):
    (folder / "judged.csv").write_text(JUDGED)
    assert cli("convert", "judged.csv", "-o", "raw.jsonl").code == 0
    assert cf.read_judgments("raw.jsonl") == cf.read_judgments("judged.csv")


def test_the_last_word_of_an_assessor_counts(cli, folder):
    (folder / "judged.csv").write_text("topic,doc,assessor,grade\n1,a,ann,0\n1,a,bob,1\n1,a,ann,1\n")
    cli("convert", "judged.csv", "-o", "q.txt", "--rule", "min")
    assert (folder / "q.txt").read_text() == "1 0 a 1\n"


def test_a_failed_judgment_is_left_out_and_never_becomes_grade_0(cli, folder):  # FMT-1
    lines = [
        '{"topic":"1","doc":"a","assessor":"m","status":"judged","grade":2}',
        '{"topic":"1","doc":"b","assessor":"m","status":"failed"}',
    ]
    (folder / "raw.jsonl").write_text("\n".join(lines) + "\n")
    result = cli("convert", "raw.jsonl", "-o", "q.txt")
    assert result.code == 5
    assert "judgments that failed or are open: 1" in result.out
    assert (folder / "q.txt").read_text() == "1 0 a 2\n"

    result = cli("convert", "raw.jsonl", "-o", "q.txt", "--rule", "max")
    assert result.code == 5
    assert "judgments that failed or are open: 1" in result.out


def test_judgments_of_several_files_keep_every_column(cli, folder):
    rows = [
        '{"topic":"1","doc":"a","assessor":"ann","kind":"human","status":"judged","grade":2,"at":"2026-01-02T03:04:05Z"}',
        '{"topic":"2","doc":"b","assessor":"m","kind":"model","status":"failed","at":"2026-01-02T03:04:06Z"}',
    ]
    for name, lines in {"one.jsonl": rows[:1], "two.jsonl": rows[1:], "both.jsonl": rows}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    assert cli("convert", "one.jsonl", "two.jsonl", "-o", "all.jsonl").code == 0
    assert cf.read_judgments("all.jsonl") == cf.read_judgments("both.jsonl")


def test_a_run_is_called_as_it_is_named_and_those_of_a_table_keep_their_names(cli, folder):
    assert cli("convert", "new=runs/bm25.run", "-o", "new.csv").code == 0
    assert list(cf.read_runs("new.csv")) == ["new"]
    assert cli("convert", "runs/*.run", "-o", "all.csv").code == 0
    assert cli("convert", "all.csv", "-o", "all.jsonl").code == 0
    assert cf.read_runs("all.jsonl") == cf.read_runs("all.csv")


def test_two_runs_of_one_name_are_refused_if_that_name_was_given_and_not_if_it_was_read(cli, folder):
    result = cli("convert", "x=runs/bm25.run", "x=runs/dense.run", "-o", "all.csv")
    assert result.code == 2
    assert "E206" in result.err
    for name in ("one", "two"):
        (folder / f"{name}.run").write_text("301 Q0 d1 1 2.0 tag\n")
    assert cli("convert", "one.run", "two.run", "-o", "all.csv").code == 0
    assert list(cf.read_runs("all.csv")) == ["one", "two"]


def test_the_role_that_is_named_is_not_that_of_the_format(folder):
    with pytest.raises(Error, match="looks like a run"):
        cf.convert("runs/bm25.run", output="new.run", role="qrels", to="run-trec")


def test_a_rule_for_judgments_leaves_runs_as_they_are(folder):
    cf.convert("runs/bm25.run", output="copy.run", rule="max")
    assert cf.read_run("copy.run", name="x") == cf.read_run("runs/bm25.run", name="x")


def test_what_is_lost_is_told_even_where_warnings_are_ignored(folder):
    (folder / "raw.jsonl").write_text('{"topic":"1","doc":"a","assessor":"m","status":"failed"}\n')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = cf.convert("raw.jsonl", output="q.txt", rule="max")
    assert done.dropped == ("judgments that failed or are open: 1",)


def test_a_map_that_makes_one_document_of_two_is_refused_by_their_names(folder):
    (folder / "docs.tsv").write_text("d1\tx\nd2\tx\n")
    with pytest.raises(Error, match=r"documents 'd1' \(topic 301\) and 'd2' \(topic 301\)"):
        cf.convert("qrels.txt", output="new.txt", map_docs="docs.tsv")


def test_a_failed_judgment_is_kept_where_it_fits(cli, folder):
    (folder / "raw.jsonl").write_text('{"topic":"1","doc":"b","assessor":"m","status":"failed"}\n')
    result = cli("convert", "raw.jsonl", "-o", "raw.csv")
    assert (result.code, result.err) == (0, "")
    assert cf.read_judgments("raw.csv") == cf.read_judgments("raw.jsonl")


@pytest.mark.parametrize(("rule", "code"), [("average", "E213"), ("assessor:eve", "E223")])
def test_an_unknown_rule_or_assessor_is_refused(cli, folder, rule, code):
    (folder / "judged.csv").write_text(JUDGED)
    result = cli("convert", "judged.csv", "-o", "q.txt", "--rule", rule)
    assert result.code == 2
    assert code in result.err


@pytest.mark.parametrize(("how", "grades"), [("any", "1 0 a 1\n1 0 b 0\n"), ("max", "1 0 a 2\n1 0 b 0\n")])
def test_subtopics_collapse(cli, folder, how, grades):
    (folder / "div.txt").write_text("1 1 a 0\n1 2 a 2\n1 1 b 0\n")
    assert cli("convert", "div.txt", "-o", "q.txt", "--collapse", how).code == 0
    assert (folder / "q.txt").read_text() == grades


def test_topics_and_documents_are_converted_too(cli, folder):
    (folder / "topics.tsv").write_text("q1\tcheap flights to oslo\n")
    assert cli("convert", "topics.tsv", "-o", "queries.jsonl").code == 0
    assert (folder / "queries.jsonl").read_text() == '{"_id":"q1","text":"cheap flights to oslo"}\n'
    (folder / "docs").mkdir()
    (folder / "docs/d1.txt").write_text("Oslo is far away.")
    assert cli("convert", "docs", "-o", "corpus.jsonl").code == 0
    assert json.loads((folder / "corpus.jsonl").read_text())["_id"] == "d1"


def test_ids_with_blanks_do_not_fit_into_trec_files(cli, folder):  # FMT-7
    (folder / "q.csv").write_text("topic,doc,grade\n1,a b,1\n")
    result = cli("convert", "q.csv", "-o", "q.txt")
    assert result.code == 3
    assert "E117: q.csv:2: document id 'a b' contains a blank" in result.err
    assert not (folder / "q.txt").exists()


def test_the_header_of_a_run_is_said_to_be_lost(cli, folder):
    text = "# ir_metadata.start\n# tag: bm25\n# ir_metadata.end\n1 Q0 a 1 2 bm25\n"
    (folder / "m.run").write_text(text)
    result = cli("convert", "m.run", "-o", "m.jsonl")
    assert result.code == 5
    assert "the ir_metadata header of m.run" in result.out


def test_standard_output_takes_the_file_alone(cli):
    result = cli("convert", "qrels.txt", "-o", "-", "--to", "beir")
    assert result.code == 0
    assert result.out == "query-id\tcorpus-id\tscore\n301\td1\t1\n301\td2\t0\n302\td3\t2\n302\td4\t0\n"


def test_json_follows_its_schema(cli):
    result = cli("convert", "runs/bm25.run", "-o", "ranks", "--to", "run-msmarco", "--json")
    data = json.loads(result.out)
    validate(data, json.loads(cli("convert", "--json-schema").out))
    assert (data["exit"], data["ok"]) == (5, False)
    assert data["result"]["outputs"] == [{"path": "ranks", "format": "run-msmarco", "rows": 4}]
    assert [warning["code"] for warning in data["warnings"]] == ["W108"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("qrels.txt",),
        ("qrels.txt", "-o", "-", "--json"),
        ("qrels.txt", "-o", "q.csv", "--format", "csv"),
        ("qrels.txt", "-o", "q.csv", "--to", "nonsense"),
        ("qrels.txt", "runs/bm25.run", "-o", "q.csv"),
        ("runs/bm25.run", "-o", "q.csv", "--collapse", "any"),
    ],
)
def test_wrong_usage_ends_with_2_and_writes_nothing(cli, folder, arguments):
    assert cli("convert", *arguments).code == 2
    assert not (folder / "q.csv").exists()


def test_the_help_lists_no_option_that_is_refused_or_changes_nothing(cli, folder):
    listed = re.findall(r"^  (--?[a-z-]+)", cli("convert", "--help").out, re.MULTILINE)
    assert {"-o", "--to"} <= set(listed)
    assert not {"--format", "--plain-csv"} & set(listed)
    refused = cli("convert", "qrels.txt", "-o", "q.csv", "--format", "csv")
    assert "--to names the format of the file" in refused.err


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("runs/bm25.run", "x.qrels", "E118: the ending .qrels is for qrels, and this is a run"),
        ("runs/bm25.run", "x.qrels.gz", "E118: the ending .qrels is for qrels, and this is a run"),
        ("runs/bm25.run", "x.xml", "E118: the ending .xml is for documents or topics, and this is a run"),
        ("qrels.txt", "x.run", "E118: the ending .run is for a run, and this is qrels"),
    ],
)
def test_an_ending_of_another_kind_of_table_is_refused(cli, folder, source, target, message):
    result = cli("convert", source, "-o", target)
    assert result.code == 2
    assert message in result.err
    assert not (folder / target).exists()
    assert cli("convert", source, "-o", target, "--to", "trec").code == 0


@pytest.mark.parametrize("target", ["x.txt", "x", "x.out"])
def test_an_ending_that_says_nothing_gets_the_common_format(cli, folder, target):
    assert cli("convert", "runs/bm25.run", "-o", target).code == 0
    assert cf.read_run(folder / target).source.format == "run-trec"


@pytest.mark.parametrize(("line", "column"), [("301\t", 2), ("\tq301", 1)])
def test_an_empty_column_of_a_map_is_called_empty(tmp_path, line, column):
    (tmp_path / "map.tsv").write_text(line + "\n")
    with pytest.raises(Error, match=f"column {column} is empty"):
        read_map(tmp_path / "map.tsv")
