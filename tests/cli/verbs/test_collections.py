"""Issue 15, point 8: `--collection NAME=QRELS:RUNS`, one table of runs by collections with their mean."""

import json

import jsonschema
import numpy as np
import pytest

import cranfield as cf
from cranfield.cli.options.collections import CollectionPaths

RNG = np.random.default_rng(4)
SIZES = {"news": 5, "web": 3}
HELD = {"news": ("bm25", "dense", "splade"), "web": ("bm25", "dense", "title")}
NEWS, WEB = "news=news/qrels.txt:news/*.run", "web=web/qrels.txt:web/bm25.run,web/dense.run,web/title.run"


@pytest.fixture(autouse=True)
def collections(folder):
    """Two collections with the same topic ids, two common runs, and one more run each."""
    for name, size in SIZES.items():
        (folder / name).mkdir()
        topics = [f"q{n}" for n in range(size)]
        rows = [f"{topic} 0 d{n} {RNG.integers(0, 3)}\n" for topic in topics for n in range(5)]
        (folder / name / "qrels.txt").write_text("".join(rows))
        for run in HELD[name]:
            rows = [
                f"{topic} Q0 d{n} {rank} {9 - rank} {run}\n"
                for topic in topics
                for rank, n in enumerate(RNG.permutation(5), 1)
            ]
            (folder / name / f"{run}.run").write_text("".join(rows))
    return folder


def test_a_collection_is_scored_as_if_it_were_alone_and_the_mean_counts_both_alike(cli):
    found = json.loads(cli("evaluate", "--collection", NEWS, "--collection", WEB, "-m", "nDCG@5", "--json").out)
    rows = {(row["run"], row["group"]): row for row in found["result"]["scores"]}
    alone = {name: cf.evaluate(f"{name}/qrels.txt", f"{name}/*.run", "nDCG@5").by_run() for name in SIZES}
    for name, size in SIZES.items():
        for run in HELD[name]:
            assert rows[run, name]["mean"] == alone[name][run]["nDCG@5"]
            assert rows[run, name]["topics"] == size
    for run in ("bm25", "dense"):
        own = [alone[name][run]["nDCG@5"] or 0.0 for name in SIZES]
        assert rows[run, None]["mean"] == pytest.approx(sum(own) / 2)
    assert rows["splade", None]["mean"] is None
    assert found["result"]["missing"] == {"splade": ["web"], "title": ["news"]}
    assert [entry["role"] for entry in found["inputs"]] == ["qrels", *["run"] * 3, "qrels", *["run"] * 3]


def test_missing_cells_are_dashes_and_are_named(cli):
    text = cli("evaluate", "--collection", NEWS, "--collection", WEB, "-m", "AP").out
    assert " AP · 2 collections · 8 topics" in text
    assert " splade has no topic in web, and so no mean of collections." in text
    line = next(line for line in text.splitlines() if line.startswith(" title"))
    assert line.split()[1] == line.split()[3] == "–"
    lone = cli("evaluate", "--collection", "a=news/qrels.txt:news/splade.run", "--collection", WEB, "-m", "AP").out
    assert (
        " no run is in every collection by its name, so that there is no mean of collections: splade lacks web;" in lone
    )


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_the_envelope_is_what_the_schema_says(cli, verb):
    found = json.loads(cli(verb, "--collection", NEWS, "--collection", WEB, "-m", "AP", "--json").out)
    jsonschema.validate(found, json.loads(cli(verb, "--json-schema").out))


def test_compare_is_stratified_by_collection(cli):
    result = json.loads(
        cli("compare", "--collection", NEWS, "--collection", WEB, "-m", "AP", "--baseline", "bm25", "--json").out
    )["result"]
    pairs = {pair["run"]: pair for pair in result["mean_of_groups"]}
    parts = []
    for name in SIZES:
        scores = cf.evaluate(f"{name}/qrels.txt", f"{name}/*.run", "AP")
        parts.append(scores["dense", "AP"] - scores["bm25", "AP"])
    variances = [part.var(ddof=1) / len(part) for part in parts]
    mean = sum(part.mean() for part in parts) / 2
    assert pairs["dense"]["difference"] == pytest.approx(mean)
    assert pairs["dense"]["statistic"] == pytest.approx(mean / (np.sqrt(sum(variances)) / 2))
    assert pairs["splade"]["difference"] is None
    assert [part["group"] for part in result["groups"]] == ["news", "web"]


def test_conditions_name_collections_and_a_missing_cell_fails(cli):
    wanted = ["--require", "AP >= 0 for [bd]*", "--require", "AP >= 0 in news", "--require", "AP >= 0 for bm25 in *"]
    found = cli("evaluate", "--collection", NEWS, "--collection", WEB, "-m", "AP", *wanted)
    assert found.code == 1
    assert " passed  AP >= 0 for [bd]*: mean of collections: smallest is" in found.out
    assert " FAILED  AP >= 0 in news: AP is undefined for title" in found.out
    assert " passed  AP >= 0 for bm25 in web: smallest is" in found.out


def test_the_file_of_defaults_may_name_the_collections(cli, folder):
    (folder / "cranfield.toml").write_text(
        '[collections]\nnews = "news/qrels.txt:news/*.run"\n'
        'web = {qrels = "web/qrels.txt", runs = ["web/bm25.run", "web/dense.run"]}\n'
    )
    found = cli("evaluate", "-m", "AP")
    assert " AP · 2 collections · 8 topics" in found.out
    assert " defaults from cranfield.toml" in found.out
    plain = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP")
    assert "collection" not in plain.out
    assert "defaults from" not in plain.out
    assert " web · AP · " in cli("compare", "-m", "AP").out


@pytest.mark.parametrize(
    "text", ["web = 3", 'web = "qrels.txt"', 'web = {qrels = "q"}', 'web = {qrels = "q", runs = [], more = 1}']
)
def test_a_collection_that_cannot_be_read_is_said_with_the_file(cli, folder, text):
    (folder / "cranfield.toml").write_text(f"[collections]\n{text}\n")
    found = cli("evaluate", "-m", "AP")
    assert found.code == 2
    assert "cranfield.toml: [collections] web" in found.err


@pytest.mark.parametrize(
    ("text", "name", "qrels", "runs"),
    [
        (r"w=C:\q.txt:D:\r\*.run", "w", r"C:\q.txt", (r"D:\r\*.run",)),
        ("w=C:/q.txt:r.run,D:/x.run", "w", "C:/q.txt", ("r.run", "D:/x.run")),
        ("w=q.txt:bm25=a.run,b.run", "w", "q.txt", ("bm25=a.run", "b.run")),
        (r"w=q.txt:C:\r.run", "w", "q.txt", (r"C:\r.run",)),
        ("my web=q:r", "my web", "q", ("r",)),
    ],
)
def test_a_colon_of_a_drive_is_no_colon_between_judgments_and_runs(text, name, qrels, runs):
    assert CollectionPaths.of(text) == (name, qrels, runs)


def test_a_colon_in_the_name_of_a_file_that_exists_is_part_of_it(folder):
    (folder / "q:1.txt").write_text("q1 0 d1 1\n")
    assert CollectionPaths.of("w=q:1.txt:r.run")[1:] == ("q:1.txt", ("r.run",))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--collection", "web"], 2, "E242: --collection 'web' cannot be read"),
        (["--collection", "web=q.txt"], 2, "write NAME=QRELS:RUNS"),
        (["--collection", NEWS, "--collection", NEWS], 2, "there are two collections 'news'"),
        (["--collection", "a=nowhere.txt:news/*.run"], 4, "nowhere.txt: no such file"),
        (["--collection", "a=news/qrels.txt:news/*.rnu"], 4, "'news/*.rnu': no file matches"),
        (["qrels.txt", "runs/bm25.run", "--collection", NEWS], 2, "collections were given, and judgments or runs too"),
        (["--collection", NEWS, "--by", "x.tsv"], 2, "--by and --collection exclude each other"),
        (["--collection", NEWS, "-o", "news/bm25.run", "--format", "csv"], 2, "would overwrite an input"),
        ([], 2, "missing argument 'QRELS'"),
        (["qrels.txt"], 2, "missing argument 'RUNS...'"),
    ],
)
def test_what_cannot_be_is_said_in_one_error(cli, arguments, code, said):
    found = cli("evaluate", "-m", "AP", *arguments)
    assert found.code == code
    assert said in found.err
    assert found.err.count("error E") == 1


def test_names_of_topics_that_become_equal_are_refused():
    one = ({"b/c": {"d": 1}}, {"r": {"b/c": ["d"]}})
    other = ({"c": {"d": 1}}, {"r": {"c": ["d"]}})
    with pytest.raises(cf.InputError, match="two collections have a topic 'a/b/c'"):
        cf.evaluate_collections({"a": one, "a/b": other}, "RR")


def test_the_chart_of_collections_is_drawn_with_missing_cells(cli, folder):
    assert cli("evaluate", "--collection", NEWS, "--collection", WEB, "-m", "AP", "-o", "chart.svg").code == 0
    assert "mean of collections" in (folder / "chart.svg").read_text()
