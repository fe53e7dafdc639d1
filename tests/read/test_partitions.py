"""Directories of partitions: when one is a dataset, how many runs it is, and what they are called."""

import pickle

import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import Error
from cranfield.read.objects import as_runs, as_sources
from cranfield.read.options import ReadOptions
from cranfield.read.sources.runs import files

LINES = {topic: f"{topic} Q0 d1 1 2.5 dense\n{topic} Q0 d2 2 1.5 dense\n" for topic in ("301", "302", "303")}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def frame(*topics: str, **more: object) -> pl.DataFrame:
    rows = {"topic": topics, "doc": ["d1"] * len(topics), "score": [1.0] * len(topics)}
    return pl.DataFrame({**rows, **more})


def refused(code: str, source: object) -> str:
    with pytest.raises(Error) as caught:
        as_runs(source)
    assert caught.value.code == code
    return str(caught.value)


def test_part_files_of_whole_topics_are_one_run(here):
    write(here / "dense/part-00000.run", LINES["301"] + LINES["302"])
    write(here / "dense/part-00001.run", LINES["303"])
    write(here / "whole.run", "".join(LINES.values()))
    assert as_runs("dense") == as_runs("whole.run") == cf.read_runs("dense")
    assert [member.label for member in as_sources("dense").members] == ["dense/part-00000.run", "dense/part-00001.run"]


def test_a_directory_of_other_files_is_a_mistake_as_ever(here):
    write(here / "runs/bm25.run", LINES["301"])
    assert refused("E102", "runs").startswith("E102: runs: is a directory, expected a file\n  hint: use 'runs/*'")
    write(here / "mixed/part-0.run", LINES["301"])
    write(here / "mixed/notes/a.txt", "x")
    refused("E102", "mixed")
    (here / "empty").mkdir()
    refused("E102", "empty")


@pytest.mark.parametrize("name", ["partial.run", "participant1.run", "parts.txt"])
def test_a_name_that_only_begins_like_a_partition_is_none(here, name):
    write(here / "runs" / name, LINES["301"])
    refused("E102", "runs")


def test_marks_and_hidden_files_are_left_alone(here):
    write(here / "dense/part-0.run", LINES["301"])
    write(here / "dense/_SUCCESS", "")
    write(here / "dense/.part-0.run.crc", "x")
    write(here / "dense/_temporary/part-1.run", "x")
    assert as_runs("dense")["dense"].topics == ("301",)


def test_folders_name_the_runs(here):
    write(here / "runs/run=a/part-0.run", LINES["301"])
    write(here / "runs/run=b%2Fc/topics=1/part-0.run", LINES["301"])
    write(here / "runs/run=b%2Fc/topics=2/part-0.run", LINES["302"])
    runs = as_runs("runs/")
    assert {name: run.topics for name, run in runs.items()} == {"a": ("301",), "b/c": ("301", "302")}
    assert runs["a"].source.name == "runs/"


def test_tags_tell_runs_apart_that_lie_in_the_same_folder(here):
    write(here / "all/part-0.run", LINES["301"])
    write(here / "all/part-1.run", LINES["301"].replace("dense", "bm25"))
    assert list(as_runs("all")) == ["dense", "bm25"]
    refused("E125", files(["all"], ReadOptions(name_by="file")))  # now both are called `all`


def test_a_parquet_dataset_is_called_by_its_directory(here):
    (here / "dense").mkdir()
    frame("301").write_parquet(here / "dense/0.parquet")
    frame("302").write_parquet(here / "dense/1.parquet")
    assert as_runs("dense")["dense"].topics == ("301", "302")
    assert list(as_runs("mine=dense")) == list(as_runs({"mine": "dense"})) == ["mine"]


def test_a_run_column_says_which_rows_are_one_run(here):
    (here / "log").mkdir()
    frame("301", "301", run=["a", "b"]).write_parquet(here / "log/0.parquet")
    frame("302", run=["a"]).write_parquet(here / "log/1.parquet")
    assert {name: run.topics for name, run in as_runs("log").items()} == {"a": ("301", "302"), "b": ("301",)}


def test_a_topic_in_two_partitions_is_an_error_that_names_both(here):
    write(here / "dense/part-0.run", LINES["301"])
    write(here / "dense/part-1.run", LINES["302"] + LINES["301"])
    message = refused("E125", "dense")
    assert message == (
        "E125: dense: topic '301' is in two partitions: dense/part-0.run, dense/part-1.run\n"
        "  hint: if the files are runs of their own, use 'dense/*'"
    )
    with pytest.raises(Error) as caught:
        cf.evaluate({"301": {"d1": 1}}, "dense", "AP")
    assert str(caught.value) == message
    write(here / "dense/part-1.run", LINES["302"])
    write(here / "dense/part-2.run", LINES["302"])
    with pytest.raises(Error, match="E125: dense: topic '302'"):  # nobody judged it, and it is split all the same
        cf.evaluate({"301": {"d1": 1}}, "dense", "AP")


def test_two_named_runs_cannot_have_one_name(here):
    write(here / "runs/run=a/part-0.run", LINES["301"])
    write(here / "runs/run=b/part-0.run", LINES["302"])
    assert "holds 2 runs, which cannot all be called 'x'" in refused("E121", "x=runs")


def test_an_error_in_a_partition_names_its_file(here):
    write(here / "dense/part-0.run", LINES["301"])
    write(here / "dense/part-1.run", "302 Q0 d1 1 abc dense\n")
    assert refused("E106", "dense").startswith("E106: dense/part-1.run:1: score 'abc' is not a number")


def test_a_source_finds_its_file_from_another_directory_and_calls_it_as_before(here, tmp_path, monkeypatch):
    write(here / "a.run", LINES["301"])
    sources = as_sources(["a.run", "b.run"]).members
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    there, missing = (pickle.loads(pickle.dumps(source)) for source in sources)
    (run,) = there.open()
    assert (run.name, run.source.name) == ("dense", "a.run")
    with pytest.raises(Error) as caught:
        missing.open()
    assert str(caught.value) == "E101: b.run: no such file\n  hint: did you mean a.run?"
