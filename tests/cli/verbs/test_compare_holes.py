"""`cranfield compare`: the column "holes could flip it?"."""

import json
import sys
from io import BytesIO, TextIOWrapper

import jsonschema
import pytest

from cranfield.cli.schemas.compare import compare_schema

TOPICS = range(12)


@pytest.fixture
def collection(folder):
    """`sure` beats `base`; `open` is worse by what was judged, but much of it was not."""
    (folder / "q.txt").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n" for t in TOPICS))
    lists = {"base": "ba", "sure": "ab", "open": "xy"}
    first = {"base": "ba", "sure": "ba", "open": "xa"}  # the first topic differs from the others
    (folder / "lists").mkdir()
    for name, documents in lists.items():
        rows = [
            f"{t} Q0 {document} {rank} {-rank} {name}\n"
            for t in TOPICS
            for rank, document in enumerate(first[name] if t == 0 else documents, 1)
        ]
        (folder / "lists" / f"{name}.run").write_text("".join(rows))
    return folder


BASELINE = ("compare", "-q", "q.txt", "lists/*.run", "--baseline", "base", "-m", "nDCG@2")


def test_the_table_says_whether_holes_could_flip_it(cli, collection):
    lines = cli(*BASELINE).out.splitlines()
    assert lines[2].endswith("holes could flip it?")
    rows = {line.split()[0]: line for line in lines[3:6]}
    assert rows["base"].endswith("–")
    assert "no   Δ ∈ [+" in rows["sure"]
    assert "yes  Δ ∈ [−" in rows["open"]
    assert "‡ open: significant as judged, yet " in lines[7]
    assert lines[7].endswith(" unjudged documents could reverse it.")


def test_the_last_line_says_how_to_go_on(cli, collection):
    assert cli(*BASELINE).out.splitlines()[-1] == " next: cranfield holes q.txt lists/*.run -m nDCG@2 --next 20"
    every = [f"lists/{name}.run" for name in ("base", "open", "sure")]
    out = cli("compare", "-q", "q.txt", *every, "-m", "nDCG@2").out
    assert out.splitlines()[-1] == " next: cranfield holes q.txt lists/*.run -m nDCG@2 --next 20"
    two = cli("compare", "-q", "q.txt", *every[:2], "-m", "RBP(p=0.8)").out
    assert two.splitlines()[-1].startswith(
        " next: cranfield holes q.txt lists/base.run lists/open.run -m 'RBP(p=0.8)' "
    )


def test_nothing_is_left_to_judge_where_nothing_could_flip(cli, collection):
    out = cli("compare", "-q", "q.txt", "lists/base.run", "lists/sure.run", "-m", "nDCG@2").out
    assert "no   Δ ∈ [+" in out
    assert "next:" not in out


def test_it_can_be_left_out(cli, collection):
    out = cli(*BASELINE, "--no-holes").out
    assert "holes" not in out
    assert "universe" not in out
    assert "‡ open 4.2 % judged, base 100.0 %: a difference may come from unjudged documents." in out


def test_saved_scores_have_no_rankings_and_the_footer_says_so(cli, collection):
    cli("evaluate", "-q", "q.txt", "lists/base.run", "-m", "nDCG@2", "--save", "main.json")
    result = cli("compare", "-q", "q.txt", "lists/open.run", "--against", "main.json", "-m", "nDCG@2")
    assert result.code == 0
    assert "holes could flip it?" not in result.out
    assert "what unjudged documents could change is not shown: main.json holds scores and no rankings" in result.out
    assert "next:" not in result.out


def test_measures_without_bounds_have_no_column_and_the_footer_says_so(cli, collection):
    result = cli(*BASELINE, "--ties", "expected")
    assert (result.code, "holes could flip it?" in result.out) == (0, False)
    assert "what unjudged documents could change is not shown: " in result.out
    out = cli(*BASELINE, "-m", "GAP").out
    assert out.count("holes could flip it?") >= 1


def test_the_universe_is_a_choice(cli, collection):
    assert "universe=open:3: " in cli(*BASELINE, "--universe", "open:3").out
    wrong = cli(*BASELINE, "--universe", "everything")
    assert wrong.code == 2
    assert "--universe" in wrong.err


def test_json_has_the_ranges_and_follows_its_schema(cli, collection):
    result = json.loads(cli(*BASELINE, "--json").out)["result"]
    jsonschema.validate(result, compare_schema())
    pairs = {pair["run"]: pair for pair in result["pairs"]}
    assert (pairs["sure"]["flip"], pairs["open"]["flip"]) == ("no", "yes")
    assert pairs["open"]["possible_low"] < 0 < pairs["open"]["possible_high"]
    plain = json.loads(cli(*BASELINE, "--json", "--no-holes").out)["result"]
    jsonschema.validate(plain, compare_schema())
    assert "flip" not in plain["pairs"][0]


def test_notes_about_files_are_printed_once(cli, collection):
    path = collection / "lists" / "open.run"
    path.write_text(path.read_text().replace("0 Q0 x 1 -1 open", "0 Q0 x 1 inf open", 1))
    assert cli(*[part for part in BASELINE if part != "-q"]).err.count("infinite") == 1


def test_a_run_of_standard_input_is_read_once_and_has_ranges_too(cli, collection, monkeypatch):
    data = (collection / "lists" / "open.run").read_bytes()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data)))
    out = cli("compare", "-q", "q.txt", "lists/base.run", "-", "-m", "nDCG@2", "--baseline", "base").out
    assert "yes  Δ ∈ [" in out


def test_estimates_have_two_probabilities_on_these_and_on_new_topics(cli, collection):
    out = cli(*BASELINE, "--estimate", "prior", "--draws", "50").out
    assert "P on these topics" in out
    assert "P on new topics" in out
    assert "95 % on new topics" in out
    assert "over 50 completions drawn from the prior" in out
    assert cli(*BASELINE, "--estimate", "prior", "--draws", "50").out == out


def test_estimates_that_cannot_be_made_are_refused(cli, collection):
    cli("evaluate", "-q", "q.txt", "lists/base.run", "-m", "nDCG@2", "--save", "main.json")
    saved = ("compare", "-q", "q.txt", "lists/open.run", "--against", "main.json", "-m", "nDCG@2")
    assert "--estimate needs rankings" in cli(*saved, "--estimate", "prior").err
    assert "--draws has no effect without --estimate" in cli(*BASELINE, "--draws", "50").err
    assert cli(*BASELINE, "--estimate", "prior", "--no-holes").code == 2
