"""Issue 15, point 7: `--weights FILE` of evaluate and compare."""

import json

import jsonschema
import pytest

import cranfield as cf


@pytest.fixture(autouse=True)
def collection(folder):
    """Three topics of which the first is asked most; `new` finds it first, `old` the others."""
    topics = ["q1", "q2", "q3"]
    (folder / "qrels.txt").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n" for t in topics))
    for run, good in {"new": "q1", "old": "q2 q3"}.items():
        rows = [(t, "ab" if t in good else "ba") for t in topics]
        lines = [f"{t} Q0 {name} {rank} {9 - rank} {run}\n" for t, order in rows for rank, name in enumerate(order, 1)]
        (folder / f"{run}.run").write_text("".join(lines))
    (folder / "traffic.tsv").write_text("topic\tweight\nq1\t4\nq2\t5\nq3\t1\n")
    (folder / "traffic.csv").write_text("q1,4\nq2,5\nq3,1\n")
    (folder / "traffic.json").write_text('{"q1": 4, "q2": 5, "q3": 1}')
    return folder


RUNS = ("qrels.txt", "new.run", "old.run")


@pytest.mark.parametrize("name", ["traffic.tsv", "traffic.csv", "traffic.json"])
def test_the_mean_by_hand_from_every_form_of_file(cli, name):
    found = json.loads(cli("evaluate", *RUNS, "-m", "RR", "--weights", name, "--json").out)
    means = {row["run"]: row["mean"] for row in found["result"]["scores"]}
    assert means == pytest.approx({"new": (4 + 5 / 2 + 1 / 2) / 10, "old": (4 / 2 + 5 + 1) / 10})
    assert found["policies"]["weights"] == name
    assert [found["inputs"][-1][key] for key in ("role", "name", "rows")] == ["weights", name, 3]
    jsonschema.validate(found, json.loads(cli("evaluate", "--json-schema").out))


def test_the_footer_names_the_weights(cli):
    text = cli("evaluate", *RUNS, "-m", "RR", "--weights", "traffic.tsv").out
    assert " 3 topics in the weighted mean" in text
    assert " weights=traffic.tsv" in text


def test_conditions_are_on_the_weighted_mean(cli):
    weighted = ("evaluate", *RUNS, "-m", "RR", "--weights", "traffic.tsv")
    assert cli(*weighted, "--require", "RR >= 0.75 for old").code == 0
    assert cli(*weighted, "--require", "RR >= 0.75 for new").code == 1
    assert cli(*weighted, "--require", "lower(RR) >= 0").code == 2


def test_compare_tests_the_weighted_difference_and_says_how(cli):
    found = cli("compare", *RUNS, "-m", "RR", "--weights", "traffic.tsv", "--baseline", "old")
    assert "−0.1000" in found.out  # (4 · 0.5 - 5 · 0.5 - 1 · 0.5) / 10
    assert "tests, intervals and d_z are on the differences times the weights of their topics." in found.out
    assert "ranges do not support weights of topics" in found.out
    data = json.loads(cli("compare", *RUNS, "-m", "RR", "--weights", "traffic.tsv", "--json").out)
    jsonschema.validate(data, json.loads(cli("compare", "--json-schema").out))
    refused = cli("compare", *RUNS, "-m", "RR", "--weights", "traffic.tsv", "--test", "wilcoxon")
    assert (refused.code, "--test wilcoxon does not support weights of topics" in refused.err) == (2, True)


def test_saved_weighted_scores_are_a_baseline_of_weighted_scores_alone(cli, folder):
    assert (
        cli("evaluate", "qrels.txt", "old.run", "-m", "RR", "--weights", "traffic.tsv", "--save", "old.json").code == 0
    )
    assert cf.load_scores(folder / "old.json").means[0, 0] == pytest.approx(0.8)
    same = cli("compare", "qrels.txt", "new.run", "-m", "RR", "--weights", "traffic.tsv", "--against", "old.json")
    assert "−0.1000" in same.out
    other = cli("compare", "qrels.txt", "new.run", "-m", "RR", "--against", "old.json")
    assert (other.code, "was averaged in another way" in other.err) == (3, True)


def test_groups_and_given_scores_take_weights(cli, folder):
    (folder / "by.tsv").write_text("q1\thead\nq2\ttail\nq3\ttail\n")
    found = json.loads(cli("evaluate", *RUNS, "-m", "RR", "--by", "by.tsv", "--weights", "traffic.tsv", "--json").out)
    rows = {(row["run"], row["group"]): row["mean"] for row in found["result"]["scores"]}
    assert rows["new", "tail"] == pytest.approx(0.5)
    assert rows["new", None] == pytest.approx(0.75)
    (folder / "s.csv").write_text("run,topic,x\na,q1,1\na,q2,0\na,q3,0\nb,q1,0\nb,q2,0\nb,q3,1\n")
    given = cli("compare", "--scores", "s.csv", "--weights", "traffic.tsv", "--require", "x == 0.4 for a")
    assert " passed  x == 0.4 for a" in given.out


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("q1 4\nq2 -5\nq3 1\n", 3, "E119: w.txt:2: '-5' is no weight of topic 'q2'"),
        ("q1 4\nq2 nan\nq3 1\n", 3, "'nan' is no weight"),
        ("q1 4\nq2 5\n", 3, "1 topic without a weight: q3"),
        ("q1 4\nq1 5\nq2 1\nq3 1\n", 3, "w.txt:2: topic 'q1' has two weights"),
        ("q1 0\nq2 0\nq3 0\n", 3, "no topic has a weight above 0"),
        ("", 3, "the file is empty"),
    ],
)
def test_wrong_weights_are_one_error_with_their_line(cli, folder, text, code, said):
    (folder / "w.txt").write_text(text)
    found = cli("evaluate", *RUNS, "-m", "RR", "--weights", "w.txt")
    assert found.code == code
    assert said in found.err
    assert found.err.count("error E") == 1


@pytest.mark.parametrize("more", [["--curve", "pr"], ["--average", "median"], ["--unjudged", "bounds"]])
def test_what_knows_no_weights_is_refused(cli, more):
    assert cli("evaluate", *RUNS, "-m", "RR", "--weights", "traffic.tsv", *more).code == 2
