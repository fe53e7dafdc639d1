"""`cranfield report`: the page, the folder, the envelope, and what is refused."""

import json
import re

import jsonschema
import pytest

QRELS = "\n".join(f"q{n} 0 d{d} {(n + d) % 3}" for n in range(8) for d in range(6)) + "\n"


@pytest.fixture
def collection(folder):
    """Eight topics and three runs, each of which lists unjudged documents."""
    (folder / "qrels.txt").write_text(QRELS)
    for at, name in enumerate(("bm25", "dense", "third")):
        lines = [
            f"q{n} Q0 {'d' if d < 5 else f'x{at}-'}{(d * (at + 1) + n) % 9} {d + 1} {20 - d} {name}"
            for n in range(8)
            for d in range(6)
        ]
        (folder / f"runs/{name}.run").write_text("\n".join(dict.fromkeys(lines)) + "\n")
    return folder


REPORT = ("report", "-q", "qrels.txt", "runs/*.run", "--duplicates", "first")


def test_the_page_is_written_and_its_first_paragraph_printed(cli, collection):
    done = cli(*REPORT, "--sections", "scores")
    assert done.code == 0
    assert "has the highest nDCG@10 of 3 runs" in done.out
    assert done.out.rstrip().endswith("the page: report.html")
    page = (collection / "report.html").read_text()
    sentence = done.out.strip().splitlines()[0].strip()
    assert sentence in page


def test_two_runs_of_a_command_give_equal_bytes_that_name_command_inputs_versions_policies_and_seed(cli, collection):
    """REP-3."""
    cli(*REPORT, "--seed", "7", "-o", "one.html")
    page = (collection / "one.html").read_text()
    cli(*REPORT, "--seed", "7", "-o", "one.html")
    assert (collection / "one.html").read_text() == page
    assert "--seed 7 -o one.html</pre>" in page
    assert len(re.findall(r"\b[0-9a-f]{64}\b", page)) >= 4
    assert all(word in page for word in ("cranfield 0", "numpy", "ties=trec", "<dt>seed</dt><dd>7</dd>"))


def test_a_stamp_says_when_it_was_made(cli, collection):
    cli(*REPORT, "--sections", "scores", "--stamp", "-o", "one.html")
    assert re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", (collection / "one.html").read_text())


def test_the_envelope_names_the_files_and_fits_its_schema(cli, collection):
    done = cli(*REPORT, "--json", "-o", "out/")
    data = json.loads(done.out)
    jsonschema.validate(data, json.loads(cli("report", "--json-schema").out))
    files = data["result"]["files"]
    assert all((collection / name).is_file() for name in files)
    assert any(name.endswith("leaderboard.tex") for name in files)


def test_sections_are_chosen_by_name_and_a_misspelt_one_is_refused(cli, collection):
    cli(*REPORT, "--sections", "scores,missing", "-o", "one.html")
    assert re.findall(r'<section id="(\w+)"', (collection / "one.html").read_text()) == ["scores", "missing"]
    done = cli(*REPORT, "--sections", "score")
    assert done.code == 2
    assert "scores" in done.err


def test_what_has_no_effect_or_no_place_is_refused_before_anything_is_read(cli, collection):
    (collection / "qrels.txt").write_text("not to be read\n")
    assert "add --docs FILE" in cli(*REPORT, "--with-text").err
    assert cli(*REPORT, "--json", "-o", "-").code == 2
    assert cli(*REPORT, "-o", "nowhere/one.html").code == 4


def test_a_misspelt_baseline_is_refused(cli, collection):
    assert "did you mean bm25?" in cli(*REPORT, "--baseline", "bm52").err


def test_groups_of_topics_are_a_section(cli, collection):
    (collection / "groups.txt").write_text("".join(f"q{n} {'odd' if n % 2 else 'even'}\n" for n in range(8)))
    cli(*REPORT, "--by", "groups.txt", "--sections", "groups", "-o", "one.html")
    assert "even" in (collection / "one.html").read_text()


def test_one_run_has_a_report_without_a_comparison(cli, collection):
    done = cli("report", "-q", "qrels.txt", "runs/bm25.run", *REPORT[4:], "-o", "one.html")
    assert done.code == 0
    page = (collection / "one.html").read_text()
    assert '<section id="comparison"' not in page
    assert '<section id="missing"' in page


def test_a_page_goes_to_standard_output(cli, collection):
    assert cli(*REPORT, "--sections", "scores", "-o", "-").out.startswith("<!doctype html>")
