"""`cranfield check`: green, yellow and red, with the lines to repair."""

import gzip
import json

import pytest
from jsonschema import validate

import cranfield as cf
from cranfield.align.tie_breaking import ordered


def check_texts(folder, **texts):
    for name, text in texts.items():
        (folder / name).write_text(text)
    return cf.check(*(folder / name for name in texts))


def messages(report, level):
    found = [finding for file in report.files for finding in file.findings] + list(report.across)
    return [finding.message for finding in found if finding.level == level]


def test_good_files_are_green_and_the_command_ends_with_0(cli, folder):
    result = cli("check", "qrels.txt", "runs/bm25.run")
    assert result.code == 0
    assert " GREEN   qrels.txt: qrels (guessed), qrels-trec, 2 topics, 4 judgments, grades 0…2\n" in result.out
    assert " green: nothing to repair · 2 files: 2 green\n" in result.out


def test_a_missing_topic_is_yellow_and_the_command_still_ends_with_0(cli):
    result = cli("check", "qrels.txt", "runs/*.run")
    assert result.code == 0
    assert "   warning W101 runs/dense.run: 1 judged topic missing, scored 0: 302\n" in result.out
    assert " yellow: usable, but look at the warnings" in result.out


def test_every_wrong_line_is_named_not_only_the_first(cli, folder):
    (folder / "bad.run").write_text("301 Q0 a 1 3 r\n301 Q0 b 2 x r\n301 Q0 c\n301 Q0 d 4 nan r\n")
    result = cli("check", "bad.run")
    assert result.code == 1
    assert " RED     bad.run: run (guessed)\n" in result.out
    for line in (
        "error E106 line 2: score 'x' is not a number",
        "error E105 line 3: expected 6 columns, found 3",
        "error E107 line 4",
    ):
        assert line in result.out


def test_messages_of_one_kind_are_limited(cli, folder):
    (folder / "bad.run").write_text("301 Q0 a 1 1 r\n" * 9 + "301 Q0 b 2 x r\n" * 7)
    out = cli("check", "bad.run", "--max", "3").out
    assert out.count("is not a number") == 3
    assert "error E106 … and 4 more of this kind" in out


def test_a_document_listed_twice_is_an_error_with_both_lines(folder):
    report = check_texts(folder, run="1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 a 3 1 r\n")
    assert report.status == "red"
    assert messages(report, "error") == ["document 'a' is listed twice for topic '1' (first at line 1)"]
    assert report.files[0].findings[0].line == 3


def test_contradictory_grades_are_an_error_and_repeated_ones_a_warning(folder):
    report = check_texts(folder, qrels="1 0 a 1\n1 0 b 1\n1 0 a 2\n1 0 b 1\n")
    assert messages(report, "error") == ["topic '1', document 'a' has grade 2 here and 1 at line 1"]
    assert "1 judgment repeated, counted once" in messages(report, "warning")


def test_subtopics_are_no_contradiction(folder):
    report = check_texts(folder, qrels="1 1 a 1\n1 2 a 0\n")
    assert report.status == "green"
    assert "column 2 holds 2 subtopics: 1, 2" in messages(report, "note")


def test_ties_are_counted_at_each_cut_off(folder):
    tied = "".join(f"1 Q0 d{n} {n} {10 - n // 6} r\n" for n in range(1, 12))  # five of score 10, six of score 9
    report = check_texts(folder, run=tied)
    assert (
        "2 groups of equal scores, 1 across rank 1, 1 across rank 10: ties decides which documents are in"
        in messages(report, "warning")
    )


def test_scores_that_only_single_precision_confuses_are_found(folder):
    report = check_texts(folder, run="1 Q0 a 1 1.00000001 r\n1 Q0 b 2 1.0 r\n")
    assert messages(report, "warning") == [
        "1 pair of neighbours tied in single precision only: trec_eval 9 orders them by id"
    ]


def test_a_document_that_is_its_own_topic_is_found(folder):
    report = check_texts(folder, run="d1 Q0 d1 1 2 r\nd1 Q0 d2 2 1 r\n")
    assert messages(report, "warning") == ["topic 'd1' has a document of its own name"]
    assert report.files[0].findings[0].line == 1


def test_short_lists_are_warned_about_when_far_below_the_median(folder):
    lists = {"1": 10, "2": 10, "3": 2}
    rows = [f"{topic} Q0 d{n} {n} {-n} r\n" for topic, length in lists.items() for n in range(1, length + 1)]
    report = check_texts(folder, run="".join(rows))
    assert "1 topic with fewer documents than the median list of 10: 3 (2)" in messages(report, "warning")


def test_grades_are_counted_and_negative_ones_are_a_warning(folder):
    report = check_texts(folder, qrels="1 0 a 2\n1 0 b 0\n1 0 c -1\n2 0 a 0\n")
    assert "grades -1…2: 1 judgment of grade -1, 2 judgments of grade 0, 1 judgment of grade 2" in messages(
        report, "note"
    )
    assert "1 negative grade: pooled but unjudged, unless negative says otherwise" in messages(report, "warning")
    assert "1 topic without relevant documents, scored 0: 2" in messages(report, "warning")


def test_infinite_scores_are_a_warning(folder):
    assert "1 infinite score, ranked first or last" in messages(check_texts(folder, run="1 Q0 a 1 inf r\n"), "warning")


def test_runs_that_cannot_be_told_apart_are_an_error(cli, folder):
    (folder / "again.run").write_text((folder / "runs/bm25.run").read_text())
    result = cli("check", "x=again.run", "x=runs/bm25.run")
    assert result.code == 1
    assert "error E206 two runs are called 'x': again.run, runs/bm25.run" in result.out
    assert cli("check", "again.run", "runs/bm25.run").code == 0


def test_run_and_qrels_without_a_common_topic_are_an_error(folder):
    report = check_texts(folder, qrels="q1 0 a 1\n", run="1 Q0 a 1 2 r\n")
    assert [finding.code for finding in report.across] == ["E114"]
    assert "run topics look like '1', qrels topics like 'q1'" in report.across[0].hint


def test_the_judged_share_is_told_for_each_run(folder):
    report = check_texts(folder, qrels="1 0 a 1\n", run="1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n")
    assert [m.partition(": ")[2] for m in messages(report, "warning")] == [
        "50.0 % of the first 10 documents were judged"
    ]


def test_topics_and_documents_are_compared_with_the_rest(cli, folder):
    (folder / "topics.tsv").write_text("301\tcheap flights\n303\tslow trains\n")
    (folder / "corpus.jsonl").write_text('{"_id":"d1","text":"x","title":""}\n{"_id":"d2","text":"y","title":""}\n')
    out = cli("check", "qrels.txt", "--topics", "topics.tsv", "--docs", "corpus.jsonl").out
    assert "topics.tsv: topics (as said)" in out
    assert "warning qrels.txt: 1 topic not in the topic file: 302" in out
    assert "note 1 topic with a text but nothing else: 303" in out
    assert "warning line 3: qrels.txt: 2 documents in 2 rows not among the documents: d3, d4" in out


def test_a_folder_of_documents_is_one_input(cli, folder):
    (folder / "docs").mkdir()
    for name in ("d1.txt", "d2.md", "d3.html"):
        (folder / "docs" / name).write_text("text")
    assert "1 document in 1 row not among the documents: d4" in cli("check", "qrels.txt", "--docs", "docs").out


def test_roles_are_guessed_from_what_a_file_holds(folder):
    texts = {
        "a": "1 Q0 d 1 2.5 x\n",
        "b": "1 0 d 1\n",
        "c.csv": "topic,doc,score\n1,d,2.5\n",
        "d.csv": "query,docid,rating\n1,d,2\n",
        "e.jsonl": '{"topic":"1","doc":"d","score":2.5}\n',
        "f.jsonl": '{"topic":"1","doc":"d","grade":1}\n',
        "g.json": '{"1": {"d": 2}}\n',
        "h.json": '{"1": {"d": 2.5}}\n',
        "queries.tsv": "1\twhat is 5\n2\tfour words are 4\n",
        "t.xml": '<topics><topic number="1"><query>x</query></topic></topics>\n',
        "m": "1\td\t1\n",
    }
    report = check_texts(folder, **texts)
    roles = dict(zip(texts, [file.role for file in report.files], strict=True))
    assert [name for name, role in roles.items() if role == "run"] == ["a", "c.csv", "e.jsonl", "h.json", "m"]
    assert [name for name, role in roles.items() if role == "qrels"] == ["b", "d.csv", "f.jsonl", "g.json"]
    assert [name for name, role in roles.items() if role == "topics"] == ["queries.tsv", "t.xml"]
    assert all(file.guessed for file in report.files)


def test_a_file_that_could_be_anything_is_red_and_says_how_to_name_its_role(cli, folder):
    (folder / "x.tsv").write_text("1\tsome words here\n")
    result = cli("check", "x.tsv")
    assert result.code == 1
    assert "hint: --format-in names its format; check also takes --qrels, --runs, --topics, --docs" in result.out


def test_wrong_bytes_are_red_with_their_line(cli, folder):
    (folder / "q").write_bytes(b"1 0 a 1\n1 0 caf\xe9 1\n")
    result = cli("check", "--qrels", "q")
    assert result.code == 1
    assert "error E111 line 2: byte 0xE9 at column 8 is not UTF-8" in result.out


def test_a_damaged_parquet_file_is_red(cli, folder):
    (folder / "run.parquet").write_bytes(b"PAR1 and nothing else")
    result = cli("check", "run.parquet")
    assert result.code == 1
    assert "error E309" in result.out


def test_marks_and_line_ends_of_other_systems_are_noted(cli, folder):
    (folder / "q").write_bytes(b"\xef\xbb\xbf1 0 a 1\r\n")
    out = cli("check", "--qrels", "q").out
    assert "note the file begins with a byte-order mark" in out
    assert "note the file has the line ends of Windows" in out


def test_packed_files_are_unpacked(cli, folder):
    (folder / "q.gz").write_bytes(gzip.compress(b"1 0 a 1\n"))
    assert "q.gz: qrels (guessed), qrels-trec, 1 topic" in cli("check", "q.gz").out


def test_a_missing_file_ends_with_4(cli):
    result = cli("check", "qrels.txt", "runs/dens.run")
    assert (result.code, result.out) == (4, "")
    assert "did you mean runs/dense.run?" in result.err


def test_no_file_at_all_is_wrong_usage(cli):
    assert cli("check").code == 2


def test_a_format_is_used_for_its_own_role_only(cli, folder):
    (folder / "strata").write_text("301 0 d1 2 1\n")
    result = cli("check", "--qrels", "strata", "--runs", "runs/bm25.run", "--format-in", "qrels-stratum")
    assert "strata: qrels (as said), qrels-stratum, 1 topic" in result.out
    assert "runs/bm25.run: run (as said), run-trec" in result.out


@pytest.mark.parametrize(("files", "code"), [(("qrels.txt", "runs/bm25.run"), 0), (("qrels.txt", "bad"), 1)])
def test_json_follows_its_schema_and_carries_the_exit_code(cli, folder, files, code):
    (folder / "bad").write_text("301 Q0 d1 1 x r\n")
    result = cli("check", *files, "--json")
    data = json.loads(result.out)
    validate(data, json.loads(cli("check", "--json-schema").out))
    assert (result.code, data["exit"], data["ok"]) == (code, code, code == 0)
    assert data["result"]["status"] == ("red" if code else "green")


def test_findings_have_other_forms(cli):
    lines = cli("check", "qrels.txt", "runs/dense.run", "--format", "csv").out.splitlines()
    assert lines[0] == "file,level,code,kind,line,message,hint"
    assert ",warning,W101,topics,," in lines[-1] or any(",warning,W101,topics,," in line for line in lines)


def test_names_with_control_characters_are_shown_escaped(folder):
    report = check_texts(folder, qrels="1 0 a\x1b[31m 1\n1 0 a\x1b[31m 2\n")
    assert "\x1b" not in report.text()
    assert "a\\x1b[31m" in report.text()


def test_a_limit_below_1_is_refused(folder):
    with pytest.raises(cf.PolicyError, match="E240"):
        cf.check(folder / "qrels.txt", limit=0)


def test_an_error_of_a_row_is_shown_with_its_line(cli, folder):
    (folder / "twice.run").write_text("1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 a 3 1 x\n")
    (folder / "odd.qrels").write_text("1 0 a 1\n1 0 a 2\n")
    out = cli("check", "twice.run", "odd.qrels").out
    assert "line 3: document 'a' is listed twice for topic '1' (first at line 1)\n     1 Q0 a 3 1 x\n" in out
    assert "line 2: topic '1', document 'a' has grade 2 here and 1 at line 1\n     1 0 a 2\n" in out


def test_disagreeing_assessors_are_sent_to_the_rule_that_unites_them(cli, folder):
    (folder / "judged.csv").write_text("topic,doc,assessor,grade\n1,a,ann,1\n1,a,bob,0\n")
    out = cli("check", "--qrels", "judged.csv").out
    assert "convert --rule majority" in out
    assert "an assessor column" not in out


def test_a_run_is_ranked_once(folder, monkeypatch):
    ranked = []

    def watched(run, ties):
        ranked.append(run.name)
        return ordered(run, ties)

    monkeypatch.setattr("cranfield.align.rankings.ordered", watched)
    cf.check(folder / "qrels.txt", folder / "runs/bm25.run")
    assert ranked == ["bm25"]
