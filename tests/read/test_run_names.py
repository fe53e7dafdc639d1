"""Names of runs: the tag if no other run has it, else the file, else folder and file."""

from pathlib import Path

import pytest

import cranfield as cf
from cranfield.read.sources.run_names import distinct_names
from cranfield.tables.source import Source

QRELS = "1 0 a 1\n1 0 b 0\n"
FIRST = "1 Q0 a 1 2.0 indri\n1 Q0 b 2 1.0 indri\n"
LATER = "1 Q0 b 1 2.0 indri\n1 Q0 a 2 1.0 indri\n"


@pytest.fixture
def eight(tmp_path, monkeypatch):
    """Eight runs with one tag, of which the last finds the relevant document first."""
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("runs").mkdir()
    names = [f"s{number}" for number in range(8)]
    for name in names:
        Path(f"runs/{name}.run").write_text(FIRST if name == "s7" else LATER)
    return names


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Two files of one name in two folders."""
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    for folder, order in (("v1", "ab"), ("v2", "ba")):
        Path(folder).mkdir()
        rows = "".join(f"1,{document},{2 - rank}\n" for rank, document in enumerate(order))
        Path(folder, "results.csv").write_text(f"topic,doc,score\n{rows}")
    return ["v1/results.csv", "v2/results.csv"]


def names(labels, paths, **options):
    return distinct_names(labels, [Source(path, **options) for path in paths])


def test_a_tag_that_no_other_run_has_stays():
    assert names(["a", "b"], ["x.run", "y.run"]) == ["a", "b"]


def test_only_runs_that_share_a_tag_are_named_after_their_files():
    assert names(["indri", "indri", "bm25"], ["x.run", "y.run", "z.run"]) == ["x", "y", "bm25"]


def test_the_name_of_a_file_that_is_the_tag_of_another_run_is_not_taken_twice():
    assert names(["t", "t", "x"], ["f/x.run", "f/y.run", "f/z.run"]) == ["f/x", "y", "z"]


def test_as_many_folders_as_needed_tell_runs_apart():
    paths = ["/p/a/x/r.csv", "/p/b/x/r.csv"]
    assert names(["r", "r"], paths) == ["a/x/r.csv", "b/x/r.csv"]


def test_files_of_one_stem_in_one_folder_keep_their_endings():
    assert names(["r", "r"], ["v/r.csv", "v/r.tsv"]) == ["r.csv", "r.tsv"]


def test_runs_of_a_file_that_holds_several_keep_their_tags():
    assert names(["bm25", "dense", "bm25"], ["v1.csv", "v1.csv", "v2.csv"]) == ["v1/bm25", "dense", "v2"]


@pytest.mark.parametrize("path", ["", "-", "<file>"])
def test_runs_without_a_file_are_refused(path):
    with pytest.raises(cf.PolicyError, match="E206: two runs are called 'a'"):
        names(["a", "a"], [path, path])


def test_one_file_given_twice_is_refused(eight):
    with pytest.raises(cf.PolicyError, match=r"E206: two runs are called 'indri': runs/s1\.run, runs/s1\.run"):
        cf.evaluate("qrels.txt", ["runs/s1.run", "runs/s1.run"], "AP")


def test_names_given_by_hand_stay(eight):
    assert list(cf.read_runs("indri=runs/s1.run", "runs/s2.run")) == ["indri", "s2"]
    with pytest.raises(cf.PolicyError, match="E206: two runs are called 'x'"):
        cf.read_runs("x=runs/s1.run", "x=runs/s2.run")
    renamed = cf.read_run("runs/s1.run").renamed("indri")
    assert cf.evaluate("qrels.txt", [renamed, cf.read_run("runs/s2.run")], "AP").runs == ("indri", "s2")


def test_eight_runs_with_one_tag_are_named_after_their_files(eight):
    scores = cf.evaluate("qrels.txt", "runs/*.run", "AP")
    assert scores.runs == tuple(eight)
    assert scores.audit.shared_names == dict.fromkeys(eight, "indri")
    assert "8 runs share the name 'indri', so they are named after their files" in repr(scores)
    assert list(cf.read_runs("runs/*.run")) == eight
    assert cf.compare(scores, baseline="s7", test="none").scores.runs == tuple(eight)


def test_files_of_one_name_are_named_after_their_folders(results):
    assert cf.evaluate("qrels.txt", results, "AP").runs == ("v1/results", "v2/results")
    assert list(cf.read_runs("v*/results.csv")) == ["v1/results", "v2/results"]
    assert list(cf.read_runs("v*/results.csv", name_by="file")) == ["v1/results", "v2/results"]


def test_holes_pools_and_studies_name_the_runs_alike(eight):
    assert cf.holes("qrels.txt", "runs/*.run", "AP").scores.runs == tuple(eight)
    assert cf.holes("qrels.txt", "runs/*.run", "AP").candidates.runs == tuple(eight)
    chosen = cf.pool("runs/*.run", depth=1)
    assert chosen.candidates.runs == tuple(eight)
    assert "8 runs share the name 'indri'" in repr(chosen)


def test_a_range_is_that_of_the_run_with_the_name(eight):
    """The runs are read again for it."""
    scores = cf.evaluate("qrels.txt", "runs/*.run", "AP")
    assert scores.bounds("AP")["run"].to_list() == eight
    possible = cf.evaluate("qrels.txt", "runs/*.run", "AP", unjudged="bounds").possible
    assert possible is not None
    assert possible.low[:, 0].tolist() == [0.5] * 7 + [1.0]
