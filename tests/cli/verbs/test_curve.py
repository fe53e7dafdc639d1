"""`evaluate --curve`: tables on stdout, charts in files, refusals in one line."""

import csv
import json

import jsonschema
import pytest

HERE = ("evaluate", "qrels.txt", "runs/bm25.run", "runs/dense.run", "-q")


@pytest.mark.parametrize("kind", ["pr", "11pt", "f", "cwl", "cg", "dcg", "ncg", "ndcg"])
def test_every_kind_prints_a_table_with_the_footer(cli, kind):
    result = cli(*HERE, "--curve", kind)
    assert result.code == 0
    assert result.err == ""
    table, notes = result.out.split("\n\n")
    assert {line.split()[0] for line in table.splitlines()} - {"ideal"} == {"run", "bm25", "dense"}
    assert "2 topics in the mean" in notes
    assert "ties=trec" in notes


def test_the_numbers_are_those_of_the_lists(cli):
    # 301: bm25 has the relevant document first, dense second; 302: bm25 has it second, dense has no list
    rows = cli(*HERE, "--curve", "pr@2").out.splitlines()
    assert rows[1].split() == ["bm25", "recall", "0.5000", "1.0000"]
    assert rows[2].split() == ["bm25", "precision", "0.5000", "0.5000"]
    assert rows[4].split() == ["dense", "precision", "0.0000", "0.2500"]


def test_programs_get_every_point(cli, folder):
    assert cli(*HERE, "--curve", "ndcg@7", "-o", "curve.csv").out == ""
    rows = list(csv.DictReader((folder / "curve.csv").read_text().splitlines()))
    assert [(row["run"], int(row["rank"])) for row in rows] == [(r, k) for r in ("bm25", "dense") for k in range(1, 8)]
    topics = cli(*HERE, "--curve", "cg@3", "--per-topic", "--format", "tsv").out.splitlines()
    assert topics[0].split("\t") == ["run", "topic", "rank", "gained", "ideal", "gap"]
    assert len(topics) == 1 + 2 * 2 * 3


@pytest.mark.parametrize(
    ("ending", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!")]
)
def test_a_chart_is_written_to_a_file(cli, folder, ending, start):
    result = cli(*HERE, "--curve", "ndcg", "-o", f"chart.{ending}")
    assert (result.code, result.out) == (0, "")
    data = (folder / f"chart.{ending}").read_bytes()
    assert data.startswith(start)
    if ending in ("svg", "html"):
        assert b"bm25" in data
        assert b"dense" in data


def test_a_chart_as_json_is_a_specification_and_the_envelope_needs_its_option(cli, folder):
    cli(*HERE, "--curve", "pr", "-o", "chart.json")
    assert "vega-lite" in json.loads((folder / "chart.json").read_text())["$schema"]
    cli(*HERE, "--curve", "pr", "--json", "-o", "envelope.json")
    assert json.loads((folder / "envelope.json").read_text())["schema"] == "cranfield/1"


@pytest.mark.parametrize("kind", ["pr", "11pt", "f", "cwl", "cg", "ndcg@3"])
def test_the_envelope_is_valid(cli, kind):
    schema = json.loads(cli("evaluate", "--json-schema").out)
    envelope = json.loads(cli(*HERE, "--curve", kind, "--json").out)
    jsonschema.Draft202012Validator(schema).validate(envelope)
    assert envelope["result"]["curves"]["kind"] == kind.partition("@")[0]
    assert [line["run"] for line in envelope["result"]["curves"]["lines"]] == ["bm25", "dense"]


def test_the_width_of_a_chart_is_one_column_or_two(cli, folder):
    cli(*HERE, "--curve", "pr", "-o", "a.svg", "--width", "one")
    cli(*HERE, "--curve", "pr", "-o", "b.svg")
    assert 'width="8.5cm"' in (folder / "a.svg").read_text()
    assert 'width="17.5cm"' in (folder / "b.svg").read_text()


def test_the_micro_average_of_normalised_gain_is_the_ratio_of_the_means(cli):
    macro = cli(*HERE, "--curve", "ncg@1").out
    micro = cli(*HERE, "--curve", "ncg@1", "--average", "micro").out
    assert macro.splitlines()[1].split() == ["bm25", "0.5000"]  # (1/1 + 0/2) / 2
    assert micro.splitlines()[1].split() == ["bm25", "0.3333"]  # (1 + 0) / (1 + 2)


def test_user_models_are_named_as_measures(cli):
    result = cli(*HERE, "--curve", "cwl@2", "-m", "P@2", "-m", "RBP(p=0.5)")
    assert "P@2 · RBP(p=0.5)" in result.out


def test_the_defaults_of_a_file_do_not_name_models(cli, folder):
    (folder / "cranfield.toml").write_text('[measures]\nnames = ["AP", "nDCG@10"]\n')
    result = cli(*HERE, "--curve", "pr")
    assert result.code == 0
    assert "defaults from cranfield.toml" in result.out
    assert "cwl · RBP" in cli(*HERE, "--curve", "cwl").out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--curve", "roc"), "E213"),
        (("--curve", "ndcg(b=3)"), "E203"),
        (("--curve", "ndcg(gain=3)"), "E204"),
        (("--curve", "ndcg@0"), "E203"),
        (("--curve", "pr", "-m", "AP"), "E200"),
        (("--curve", "cwl", "-m", "nDCG"), "E203"),
        (("--curve", "pr", "--ci", "t"), "E200"),
        (("--curve", "pr", "--fail-if", "AP < 1"), "E200"),
        (("--curve", "pr", "--save", "x.json"), "E200"),
        (("--curve", "pr", "--per-topic", "-o", "x.svg"), "E200"),
        (("--curve", "pr", "--width", "one"), "E200"),
        (("--width", "one"), "E200"),
        (("--curve", "pr", "--average", "micro"), "E244"),
        (("--curve", "pr", "-o", "qrels.txt"), "E211"),
        (("--curve", "pr", "-o", "nowhere/x.svg"), "E120"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line_with_a_hint(cli, folder, options, code):
    before = (folder / "qrels.txt").read_bytes()
    result = cli(*HERE, *options)
    lines = result.err.splitlines()
    assert result.out == ""
    assert lines[0].startswith(f"cranfield: error {code}: ")
    assert all(line.startswith("  ") for line in lines[1:])
    assert result.code in (2, 4)
    assert (folder / "qrels.txt").read_bytes() == before
    assert not (folder / "x.svg").exists()
