"""`cranfield agree`, as a person calls it (job 3, 2.2 row agree, 2.3, 2.6)."""

import csv
import io
import json
import sqlite3

import jsonschema
import pytest

MOCK = [[61, 7, 1], [6, 18, 4], [0, 5, 18]]
TABLE = """ 2 assessors · 120 pairs judged twice · grades 0–2
 raw agreement            80.8 %
 Cohen κ                   0.672
 κ weighted (quadratic)    0.825
 Krippendorff α (ordinal)  0.817
"""
CONFUSION = """
              a2 0    a2 1    a2 2
     a1 0       61       7       1
     a1 1        6      18       4
     a1 2        0       5      18
"""


@pytest.fixture
def labels() -> list[tuple[str, str, int, int]]:
    """Topic, document, and the grades of two assessors."""
    pairs = [(i, j) for i, row in enumerate(MOCK) for j, n in enumerate(row) for _ in range(n)]
    return [(f"q{n % 10}", f"d{n}", *pair) for n, pair in enumerate(pairs)]


@pytest.fixture
def morning(folder, labels):
    """The first morning of two assessors: two qrels, one raw file, and six runs."""
    for place, who in ((2, "a1"), (3, "a2")):
        (folder / f"{who}.qrels").write_text("".join(f"{row[0]} 0 {row[1]} {row[place]}\n" for row in labels))
    records = [
        {"topic": row[0], "doc": row[1], "assessor": who, "kind": "human", "status": "judged", "grade": row[place]}
        for row in labels
        for place, who in ((2, "a1"), (3, "a2"))
    ]
    (folder / "raw.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    for system in range(6):
        scored = [(t, d, (one * system + (n * 7919) % 13 / 4)) for n, (t, d, one, _) in enumerate(labels)]
        (folder / f"runs/s{system}.run").write_text("".join(f"{t} Q0 {d} 1 {s} s{system}\n" for t, d, s in scored))
    for name in ("bm25", "dense"):
        (folder / f"runs/{name}.run").unlink()
    return folder


def envelope(result):
    found = json.loads(result.out)
    assert found["ok"], found["errors"]
    return found


def test_two_qrels_give_the_table_of_the_first_morning(cli, morning):
    result = cli("agree", "a1.qrels", "a2.qrels")
    assert (result.code, result.err) == (0, "")
    shown = [line.partition("[")[0].rstrip() for line in result.out.splitlines()]
    assert shown[:5] == TABLE.splitlines()
    assert CONFUSION in result.out
    assert "\n 23 disagreements, 1 by two grades\n" in result.out
    assert "Landis and Koch's scale, which is disputed, calls κ = 0.672 substantial" in result.out
    assert result.out.endswith(" 95 % intervals: percentile bootstrap over 10 topics, 1,000 resamples, seed 0\n")


def test_raw_judgments_give_the_same_table_as_qrels(cli, morning):
    assert cli("agree", "raw.jsonl").out == cli("agree", "a1.qrels", "a2.qrels").out


def test_does_it_matter_is_one_line(cli, morning):
    out = cli("agree", "a1.qrels", "a2.qrels", "--runs", "runs/*.run", "-m", "nDCG@10").out
    line = next(line for line in out.splitlines() if "matter" in line)
    assert line.startswith(" does it matter?  τ of the system orders under a1 and under a2 = ")
    assert "(6 systems, nDCG@10: " in line
    assert line.endswith(" swapped)")


def test_every_coefficient_is_printed_on_demand_and_always_written(cli, morning):
    few, many = cli("agree", "raw.jsonl").out, cli("agree", "raw.jsonl", "--all").out
    assert "Spearman ρ" not in few
    assert "Krippendorff α (interval)  0.825" in many
    rows = list(csv.DictReader(io.StringIO(cli("agree", "raw.jsonl", "--format", "csv").out)))
    assert {row["coefficient"] for row in rows} >= {"Spearman ρ", "Scott π", "Fleiss κ", "Krippendorff α (ratio)"}
    assert float(rows[0]["value"]) == 97 / 120


def test_weights_and_level_choose_what_is_printed(cli, morning):
    out = cli("agree", "raw.jsonl", "--weights", "linear", "--level", "interval").out
    assert "κ weighted (linear)" in out
    assert "Krippendorff α (interval)" in out
    assert "(quadratic)" not in out
    assert "weighted" not in cli("agree", "raw.jsonl", "--weights", "none").out


def test_grades_can_be_made_binary(cli, morning):
    found = envelope(cli("agree", "raw.jsonl", "--binary", "1", "--json"))["result"]
    assert found["grades"] == [0, 1]
    assert found["confusion"] == [[61, 8], [6, 45]]


def test_topics_have_a_table_of_their_own(cli, morning):
    out = cli("agree", "raw.jsonl", "--per-topic").out.splitlines()
    assert out[0].split() == ["topic", "pairs", "raw", "Cohen", "κ", "κ", "quadratic", "overlap", "α", "(ordinal)"]
    assert [line.split()[:2] for line in out[1:3]] == [["q0", "12"], ["q1", "12"]]


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--per-topic"],
        ["--self"],
        ["--runs", "runs/*.run"],
        ["--llm", "model.jsonl", "--runs", "runs/*.run"],
        ["--llm", "model.jsonl", "--runs", "runs/*.run", "--groups", "groups.tsv", "--alpha", "0.1"],
        ["--over", "pairs", "--samples", "20"],
    ],
)
def test_the_envelope_follows_its_schema(cli, morning, more):
    again = json.dumps({"topic": "q0", "doc": "d0", "assessor": "a1", "status": "judged", "grade": 1, "kind": "human"})
    with (morning / "raw.jsonl").open("a") as file:
        file.write(again + "\n")
    (morning / "model.jsonl").write_text('{"topic":"q0","doc":"d0","grade":2}\n{"topic":"q1","doc":"d1","grade":0}\n')
    (morning / "groups.tsv").write_text("".join(f"s{n}\t{'xy'[n % 2]}\n" for n in range(6)))
    schema = json.loads(cli("agree", "--json-schema").out)
    found = envelope(cli("agree", "raw.jsonl", "--json", *more))
    jsonschema.validate(found, schema)
    assert found["inputs"][0]["rows"] == 241
    assert ("topics" in found["result"]) == ("--per-topic" in more)


def test_the_envelope_of_a_failure_follows_its_schema(cli, morning):
    result = cli("agree", "a1.qrels", "--json")
    jsonschema.validate(json.loads(result.out), json.loads(cli("agree", "--json-schema").out))
    assert (result.code, json.loads(result.out)["errors"][0]["code"]) == (2, "E221")


def test_repeated_judgments_of_one_assessor_are_compared(cli, folder):
    (folder / "raw.csv").write_text("topic,doc,assessor,grade\nt,d,ann,1\nt,d,ann,0\nu,e,ann,1\nu,e,ann,1\n")
    result = cli("agree", "raw.csv", "--self")
    assert result.out.startswith(" 1 assessor · 2 pairs judged again by the same assessor · grades 0–1\n")
    assert ["earlier", "1", "1", "1"] in map(str.split, result.out.splitlines())


def test_the_labels_of_a_model_are_one_more_assessor_with_bias(cli, morning, labels):
    grades = [{"model": "gpt", "topic": t, "doc": d, "judgment": two, "result_status": 1} for t, d, _, two in labels]
    grades[0]["result_status"] = 0
    (morning / "labels.jsonl").write_text("".join(json.dumps(record) + "\n" for record in grades))
    result = cli("agree", "a1.qrels", "--llm", "labels.jsonl", "--runs", "runs/*.run", "-m", "P@5")
    assert result.out.startswith(" 2 assessors · 119 pairs judged twice")
    assert "note W109: labels.jsonl: 1 of 120 judgments failed or are open" in result.err
    assert "\n P@5 under the labels of people (a1) and model (gpt), on the 119 pairs that both judged\n" in result.out
    assert ["run", "people", "model", "bias", "95", "%", "CI"] in map(str.split, result.out.splitlines())
    assert "gpt 0" in result.out
    both = cli("agree", "raw.jsonl", "--llm", "llama=labels.jsonl", "-q")
    assert "\n people and llama · 119 pairs judged by both · grades 0–2\n" in both.out


@pytest.fixture
def trusted(morning, labels):
    """The labels of a model beside one person, and two groups of systems."""
    grades = [{"model": "gpt", "topic": t, "doc": d, "grade": two} for t, d, _, two in labels]
    (morning / "labels.jsonl").write_text("".join(json.dumps(record) + "\n" for record in grades))
    (morning / "groups.tsv").write_text("".join(f"s{n}\t{'ab'[n > 2]}\n" for n in range(6)))
    return ("agree", "a1.qrels", "--llm", "labels.jsonl", "--runs", "runs/*.run", "--groups", "groups.tsv")


def test_what_a_team_must_know_before_it_trusts_a_model_fits_100_columns(cli, trusted):
    out = cli(*trusted, "-m", "nDCG@10").out
    lines = out.splitlines()
    assert [line for line in lines if len(line) > 100 and "matter" not in line] == []
    heads = [" people's grade ", " run  ", " group  ", " pairs of systems A, B  "]
    places = [next(n for n, line in enumerate(lines) if line.startswith(head)) for head in heads]
    assert places == sorted(places)
    grades = [line.split()[:2] for line in lines[places[0] + 1 : places[0] + 5]]
    assert grades == [["0", "69"], ["1", "28"], ["2", "23"], ["all", "120"]]
    assert [line.split()[0] for line in lines[places[2] + 1 : places[2] + 3]] == ["a", "b"]
    table = [line.split()[-3:] for line in lines[places[3] + 1 : places[3] + 4]]
    assert sum(int(count) for row in table for count in row) == 15
    assert " the lowest grade can only be overrated, the highest only underrated, by a second person too" in lines
    assert " * the 95 % interval, each for itself, excludes 0; studentised bootstrap over topics" in lines
    assert any(line.startswith(" significance on nDCG@10 (paired t, Holm, alpha 0.05): ") for line in lines)


def test_the_envelope_holds_bias_groups_overrating_and_decisions(cli, trusted):
    found = envelope(cli(*trusted, "-m", "nDCG@10", "--json", "--alpha", "0.2"))["result"]
    (systems,) = found["consequences"]
    for row in systems["systems"]:
        low, high = row["ci"]
        assert row["bias"] == pytest.approx(row["means"][1] - row["means"][0])
        assert row["excludes_zero"] == (low > 0 or high < 0)
    assert [(group["group"], group["runs"]) for group in systems["groups"]] == [
        ("a", ["s0", "s1", "s2"]),
        ("b", ["s3", "s4", "s5"]),
    ]
    assert systems["group_differences"][0]["difference"] == systems["groups"][0]["above_others"]["difference"]
    assert systems["decisions"]["alpha"] == 0.2
    assert sum(map(sum, systems["decisions"]["counts"])) == systems["decisions"]["pairs"] == 15
    assert [row["grade"] for row in found["overrating"]] == [0, 1, 2, None]
    assert found["overrating"][0]["overrated"] == pytest.approx(8 / 69)


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
def test_the_tables_about_a_model_have_every_form(cli, trusted, form):
    out = cli(*trusted, "--format", form).out
    assert ("above others" in out) == (form != "csv")
    assert out.count("Cohen") == 1


def test_labels_without_ids_are_refused_or_mapped(cli, morning):
    (morning / "labels.jsonl").write_text('{"id":"r1","grade":2}\n{"id":"r2","grade":0}\n')
    result = cli("agree", "a1.qrels", "--llm", "labels.jsonl")
    assert result.code == 3
    assert result.err == (
        "cranfield: error E306: labels.jsonl:1: record has no topic and document id\n"
        "  hint: pass --map requests.jsonl as written by 'judge requests'\n"
    )
    (morning / "requests.jsonl").write_text(
        '{"id":"r1","topic":"q0","doc":"d0"}\n{"id":"r2","topic":"q1","doc":"d1"}\n'
    )
    mapped = cli("agree", "a1.qrels", "--llm", "labels.jsonl", "--map", "requests.jsonl")
    assert mapped.out.startswith(" 2 assessors · 2 pairs judged twice")
    useless = cli("agree", "a1.qrels", "--llm", "a2.qrels", "--map", "requests.jsonl")
    assert (useless.code, useless.out) == (2, "")
    assert useless.err == (
        "cranfield: error E244: a2.qrels: --map has no effect on labels that are not JSON lines\n"
        "  hint: such labels name topic and document themselves: leave --map out\n"
    )


def test_a_file_of_any_layout_is_read(cli, folder):
    head = "topicID\tworkerID\tdocID\tgold\tlabel\n"
    lines = [
        "1\tw1\td\t-1\t0",
        "1\tw2\td\t-1\t0",
        "2\tw1\te\t-1\t-2",
        "2\tw2\te\t-1\t1",
        "2\tw1\tf\t-1\t2",
        "2\tw2\tf\t-1\t1",
    ]
    (folder / "labels.txt").write_text(head + "\n".join(lines) + "\n")
    columns = ("--columns", "topic=topicID,assessor=workerID,doc=docID,grade=label")
    assert " 2 assessors · 2 pairs judged twice · grades 0–2\n" in cli("agree", "labels.txt", *columns).out
    assert " · grades -2–2\n" in cli("agree", "labels.txt", *columns, "--negative", "category").out
    missing = cli("agree", "labels.txt", *columns, "--negative", "category", "--missing", "-2", "--missing", "0")
    assert " · 1 pair judged twice · grades 1–2\n" in missing.out


def test_hostile_names_stay_in_their_cells(cli, folder):
    names = ["=cmd|' /C calc'!A0", "a\x1b[31m\nb|<b>&%_$"]
    rows = [{"topic": f"t{n}", "doc": f"d{n}", "assessor": who, "grade": n % 2} for n in range(4) for who in names]
    rows += [{"topic": "t9", "doc": "d9", "assessor": "検索 ✓", "grade": 1}, rows[0] | {"assessor": "検索 ✓"}]
    (folder / "raw.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = cli("agree", "raw.jsonl")
    assert text.code == 0
    assert "\x1b" not in text.out
    assert r"a\x1b[31m\nb|<b>" in text.out
    assert "\x1b" not in cli("agree", "raw.jsonl", "--format", "markdown").out
    assert r"\&\%\_\$" in cli("agree", "raw.jsonl", "--format", "latex").out
    assert [a["name"] for a in envelope(cli("agree", "raw.jsonl", "--json"))["result"]["assessors"]] == [
        *names,
        "検索 ✓",
    ]


def test_output_goes_to_a_file_in_the_form_of_its_ending(cli, morning):
    for name in ("t.md", "t.tex", "t.csv", "t.tsv", "t.jsonl", "t.json", "t.txt", "t.parquet"):
        assert cli("agree", "a1.qrels", "a2.qrels", "-o", name).out == ""
        assert (morning / name).stat().st_size > 200
    assert cli("agree", "a1.qrels", "a2.qrels", "-o", "a1.qrels").code == 2


def test_the_same_seed_prints_the_same_bytes(cli, morning):
    one, other = (cli("agree", "raw.jsonl", "--json", "--seed", "5").out for _ in range(2))
    assert one == other
    assert one != cli("agree", "raw.jsonl", "--json", "--seed", "6").out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a1.qrels"], 2, "E221: agreement needs two assessors, got 1 (a1)"),
        (["a1.qrels", "a1.qrels"], 2, "E206: two assessors are called 'a1': a1.qrels, a1.qrels"),
        (["a1.qrels", "nowhere.qrels"], 4, "E101: nowhere.qrels: no such file"),
        (["a1.qrels", "other.qrels"], 3, "E222: none of 121 pairs was judged by two assessors"),
        (["a1.qrels", "runs/s0.run"], 2, "E112: runs/s0.run: looks like a run (6 columns), expected qrels"),
        (["lab.db"], 3, "E406: lab.db: is not a lab"),
        (
            ["a1.qrels", "twice.qrels"],
            3,
            "E109: twice.qrels:2: topic 'q0', document 'd0' has grade 2 here and 1 at line 1",
        ),
        (["blank.csv"], 3, "E119: blank.csv:3: the assessor is empty"),
        (["x=raw.jsonl"], 2, "E121: raw.jsonl: holds 2 assessors, who cannot all be called 'x'"),
        (["raw.jsonl", "-m", "AP"], 2, "E200: -m has no effect without --runs"),
        (["raw.jsonl", "--alpha", "0.1"], 2, "E200: --alpha has no effect without --runs"),
        (["raw.jsonl", "--groups", "groups.tsv"], 2, "E244: --groups has no effect without --runs"),
        (
            ["raw.jsonl", "--groups", "groups.tsv", "--runs", "runs/*.run"],
            2,
            "E244: --groups has no effect without the labels of people and of one model",
        ),
        (["raw.jsonl", "--map", "x"], 2, "E200: --map has no effect without --llm"),
        (["raw.jsonl", "--weights", "cubic"], 2, "E213: --weights: 'cubic' is unknown"),
        (["raw.jsonl", "--self"], 3, "E222: no assessor judged a pair twice"),
        (
            ["subtopics.qrels", "a1.qrels"],
            3,
            "E115: subtopics.qrels: column 2 holds subtopics 1…2, agreement needs one",
        ),
    ],
)
def test_mistakes_are_named(cli, morning, arguments, code, said):
    (morning / "other.qrels").write_text("q99 0 d0 1\n")
    (morning / "twice.qrels").write_text("q0 0 d0 1\nq0 0 d0 2\n")
    (morning / "subtopics.qrels").write_text("q0 1 d0 1\nq0 2 d0 2\n")
    (morning / "blank.csv").write_text("topic,doc,assessor,grade\nt,d,ann,1\nt,e,,1\n")
    (morning / "groups.tsv").write_text("s0\tx\n")
    with sqlite3.connect("lab.db") as store:
        store.execute("create table t (x)")
    store.close()
    result = cli("agree", *arguments)
    assert result.code == code
    assert f"cranfield: error {said}" in result.err
    assert "\n  hint: " in result.err or said[:4] in ("E101", "E119", "E121", "E222")


def test_a_name_can_be_given_to_each_file(cli, morning):
    out = cli("agree", "ann=a1.qrels", "bob=a2.qrels").out
    assert "     ann 0       61" in out


def test_standard_input_is_read(cli, morning, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((morning / "raw.jsonl").read_bytes())))
    assert cli("agree", "-").out == cli("agree", "raw.jsonl").out
