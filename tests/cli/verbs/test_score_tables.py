"""`--scores`: statistics on scores that were computed elsewhere (compare, study power, stability, swap)."""

import json

import pytest

TABLE = "model,question,quality,latency\n" + "".join(
    f"{run},q{n},{0.5 + 0.03 * n + lift + 0.01 * (n % 3)},{100 + n}\n"
    for run, lift in (("old", 0.0), ("new", 0.1), ("mid", 0.05))
    for n in range(8)
)
COMPARE = ("compare", "-q", "--scores", "t.csv", "--baseline", "old")


@pytest.fixture
def table(folder):
    """Three models, eight questions, two metrics."""
    (folder / "t.csv").write_text(TABLE)
    return folder


def test_compare_takes_scores_in_place_of_judgments_and_runs(cli, table):
    result = cli(*COMPARE, "--lower-is-better", "latency")
    assert result.code == 0
    assert "quality · 8 topics · paired t, two-sided · Holm over 2 comparisons" in result.out
    assert "scores were given, not computed here · higher is better: quality · lower is better: latency" in result.out
    found = json.loads(cli(*COMPARE, "--json", "-m", "quality").out)
    assert found["audit"]["given"] == {"quality": "higher is better"}
    assert [(entry["role"], entry["name"]) for entry in found["inputs"]] == [("scores", "t.csv")]
    assert {row["measure"] for row in found["result"]["pairs"]} == {"quality"}


def test_conditions_are_checked_on_given_scores(cli, table):
    asked = ("--require", "quality >= 0.5", "--require", "not worse(quality)", "--fail-if", "drop(quality) > 5%")
    assert cli(*COMPARE, *asked, "--junit", "j.xml").code == 0
    assert (table / "j.xml").read_text().count("<testcase") == 3
    failed = cli(*COMPARE, "--require", "quality >= 0.7 for old")
    assert (failed.code, " FAILED  quality >= 0.7 for old" in failed.out) == (1, True)
    assert cli(*COMPARE, "--require", "quality >= 0.5", "--require", "missing == 0").code == 0


def test_files_are_runs_and_may_be_named(cli, table):
    for name in ("old", "new"):
        rows = [line.split(",", 1)[1] for line in TABLE.splitlines() if line.startswith(("model", name))]
        (table / f"{name}.csv").write_text("\n".join(rows) + "\n")
    result = cli(
        "compare", "-q", "--scores", "old.csv", "--scores", "late=new.csv", "--baseline", "old", "-m", "quality"
    )
    assert (result.code, " late " in result.out) == (0, True)
    against = cli("compare", "-q", "--scores", "new.csv", "--against", "old.csv", "-m", "quality")
    assert (against.code, "+0.1000" in against.out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("compare", "qrels.txt", "runs/bm25.run", "--scores", "t.csv"), 2, "scores were given, and judgments or runs"),
        (("compare", "--scores", "t.csv", "u.csv"), 2, "repeat --scores before each table"),
        (("compare", "--scores", "t.csv", "--ties", "trec9"), 2, "--ties needs rankings, and --scores holds none"),
        (("compare", "--scores", "t.csv", "--estimate", "prior"), 2, "--estimate needs rankings"),
        (("compare", "--scores", "t.csv", "--require", "lower(quality) > 0"), 2, "need rankings"),
        (("compare", "--scores", "t.csv", "--require", "ties == 0"), 2, "ties are counted in rankings"),
        (("compare", "--scores", "t.csv", "--require", "AP > 0"), 2, "there are no scores of AP"),
        (("compare", "--scores", "t.csv", "-m", "qualty"), 2, "did you mean quality?"),
        (("compare", "--scores", "t.csv", "--lower-is-better", "lat"), 2, "there are no scores of 'lat'"),
        (("compare", "--scores", "u.csv"), 4, "did you mean t.csv?"),
        (("compare", "--lower-is-better", "AP", "qrels.txt", "runs/bm25.run"), 2, "no effect without --scores"),
        (("compare",), 2, "missing argument 'QRELS'"),
        (("compare", "qrels.txt"), 2, "missing argument 'RUNS...'"),
        (("study", "reduction", "--scores", "t.csv"), 2, "reduction needs judgments and rankings"),
        (("study", "power", "--scores", "t.csv", "--at", "50"), 2, "--at needs judgments and rankings"),
        (("study", "swap", "--scores", "t.csv", "--keep", "ag07"), 2, "--keep needs rankings"),
        (("study", "stability"), 2, "missing argument 'QRELS'"),
    ],
)
def test_what_does_not_fit_is_refused(cli, table, arguments, code, said):
    result = cli(*arguments)
    assert (result.code, said in result.err) == (code, True), result.err


KINDS = {
    "power": ("--boot", "50"),
    "stability": ("--draws", "4", "--sizes", "4"),
    "swap": ("--sets", "20"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_studies_of_scores_equal_those_of_rankings(cli, folder, kind):
    topics = range(8)
    (folder / "q.txt").write_text("".join(f"{t} 0 r{n} 1\n{t} 0 n{n} 0\n" for t in topics for n in range(3)))
    for run in range(3):
        lists = {t: ["r0", "n0", "n1", "r1", "n2", "r2"] for t in topics}
        shifted = {t: [*lists[t][(t + run) % 6 :], *lists[t][: (t + run) % 6]] for t in topics}
        rows = [f"{t} Q0 {d} {r} {9 - r} run{run}\n" for t in topics for r, d in enumerate(shifted[t])]
        (folder / f"run{run}.run").write_text("".join(rows))
    runs = tuple(f"run{run}.run" for run in range(3))
    cli("evaluate", "-q", "q.txt", *runs, "-m", "AP RR", "--per-topic", "--format", "csv", "-o", "t.csv")
    ranked = json.loads(cli("study", kind, "-q", "q.txt", *runs, "-m", "AP RR", *KINDS[kind], "--json").out)
    given = json.loads(cli("study", kind, "-q", "--scores", "t.csv", *KINDS[kind], "--json").out)
    assert given["result"]["rows"] == ranked["result"]["rows"]
    assert given["audit"]["given"] == {"AP": "higher is better", "RR": "higher is better"}


def test_a_study_of_scores_is_made_again_from_its_settings(cli, table):
    first = cli(
        "study", "power", "-q", "--scores", "t.csv", "--lower-is-better", "latency", "--boot", "50", "-o", "made"
    )
    assert first.code == 0
    assert cli("study", "--from", "made/study.json").out == first.out
    (table / "t.csv").write_text(TABLE.replace("0.5,", "0.6,"))
    changed = cli("study", "--from", "made/study.json")
    assert (changed.code, "t.csv: is not what the study was made from" in changed.err) == (3, True)
