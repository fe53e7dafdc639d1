"""Studies are resumed, repeated and shared out without a trace in the result."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.random_streams import stream
from cranfield.study.engine.journal import NAME, Journal
from cranfield.whole_files import UNFINISHED
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
COMMAND = [sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())"]
OPTIONS: dict[str, Any] = {"levels": [100, 50, 10], "draws": 12, "seed": 7}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def made(folder: Path, **options) -> dict[str, bytes]:
    """The files of a study of the small collection."""
    study.reduction(*small(), ["AP", "BprefN"], folder=folder, **{**OPTIONS, **options})
    return contents(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    return made(tmp_path_factory.mktemp("whole") / "study")


# --- the folder --------------------------------------------------------------------------------------------------


def test_a_folder_holds_settings_tables_charts_and_journal(whole):
    assert set(whole) == {
        "study.json",
        "table.txt",
        "reduction.csv",
        "draws.csv",
        "runs.csv",
        NAME,
        *(f"{name}.{ending}" for name in ("agreement", "score") for ending in ("svg", "png", "json")),
    }
    settings = json.loads(whole["study.json"])
    assert (settings["kind"], settings["seed"], settings["measures"]) == ("reduction", 7, ["AP", "BprefN"])
    assert settings["options"]["levels"] == [100, 50, 10]
    assert set(settings["versions"]) == {"cranfield", "python", "numpy", "scipy"}
    text = whole["table.txt"].decode()
    assert "Mean score over runs and topics" in text
    assert "Kendall τ-b at 10 %, best first" in text
    assert whole["agreement.png"].startswith(b"\x89PNG")


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study.reduction(*small(), ["AP"], **OPTIONS)
    assert list(tmp_path.iterdir()) == []


def test_processes_change_nothing(tmp_path, whole):
    assert made(tmp_path / "one", jobs=1) == whole
    assert made(tmp_path / "two", jobs=2) == whole
    assert made(tmp_path / "five", jobs=5) == whole


def test_making_it_again_in_its_folder_does_no_work(tmp_path, whole, monkeypatch):
    made(tmp_path)

    def work(*_):
        raise AssertionError("it is in the journal")

    monkeypatch.setattr("cranfield.study.kinds.fewer_judgments.reduction.Reduction.work", work)
    assert made(tmp_path) == whole


@pytest.mark.parametrize("units", [0, 11])
@pytest.mark.parametrize("torn", [b"0", b'00000000 {"unit":3,"found":{', b"garbage\nand more\n"])
def test_a_journal_that_was_cut_anywhere_is_gone_on_with(tmp_path, whole, units, torn):
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.json").write_bytes(whole["study.json"])
    lines = whole[NAME].splitlines(keepends=True)
    (folder / NAME).write_bytes(b"".join(lines[: units + 1]) + torn)
    with pytest.warns(cf.DataWarning, match=f"W130: .* units kept: {units}"):
        assert made(folder) == whole


@pytest.mark.parametrize("cut", [1, 30, 1000])
def test_a_journal_that_was_cut_at_any_byte_is_gone_on_with(tmp_path, whole, cut):
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.json").write_bytes(whole["study.json"])
    (folder / NAME).write_bytes(whole[NAME][:cut])
    with pytest.warns(cf.DataWarning, match="W130"):
        assert made(folder) == whole


def test_what_is_in_the_journal_is_not_done_again(tmp_path, whole, monkeypatch):
    from cranfield.study.kinds.fewer_judgments.reduction import Reduction

    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.json").write_bytes(whole["study.json"])
    (folder / NAME).write_bytes(b"".join(whole[NAME].splitlines(keepends=True)[:9]))  # the first, and eight units
    done = []
    usual = Reduction.work
    monkeypatch.setattr(
        Reduction,
        "work",
        lambda self, m, unit, seed: done.append(unit["draw"]) or usual(self, m, unit, seed),  # type: ignore[func-returns-value, redundant-expr]  # the stubs know less
    )
    assert made(folder) == whole
    assert done == [8, 9, 10, 11]


@pytest.mark.parametrize(
    ("other", "differ"), [({"seed": 8}, "seed"), ({"draws": 13}, "options"), ({"rel": 2}, "measures, policies")]
)
def test_a_folder_of_another_study_is_left_alone(tmp_path, other, differ):
    before = made(tmp_path)
    with pytest.raises(cf.InputError, match="E231") as caught:
        made(tmp_path, **other)
    assert f"holds another study: {differ} differ" in str(caught.value)
    assert contents(tmp_path) == before


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(cf.InputError, match="E231"):
        made(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_other_inputs_are_another_study(tmp_path):
    made(tmp_path)
    qrels, runs = small(seed=2)
    with pytest.raises(cf.InputError, match="fingerprint differ"):
        study.reduction(qrels, runs, ["AP", "BprefN"], folder=tmp_path, **OPTIONS)


@pytest.mark.skipif(os.name == "nt", reason="files are not locked there")
def test_two_processes_do_not_work_in_one_folder(tmp_path):
    code = f"import pathlib, cranfield.study.engine.journal as j; j.Journal(pathlib.Path({str(tmp_path)!r}), 'x')"
    journal = Journal(tmp_path, "x")
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "E231" in second.stderr
    assert "another process is at work in this folder" in second.stderr
    journal.close()
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_journal_of_another_study_is_refused(tmp_path):
    Journal(tmp_path, "x").close()
    with pytest.raises(cf.InputError, match="its journal belongs to another study"):
        Journal(tmp_path, "y")


@pytest.mark.parametrize(
    "array", [np.array([0.1, np.nan, -np.inf]), np.zeros((0, 3)), np.array(5), np.eye(2, dtype=bool)]
)
def test_arrays_come_back_from_the_journal_as_they_were(tmp_path, array):
    journal = Journal(tmp_path, "x")
    journal.add(0, {"a": array})
    journal.close()
    again = Journal(tmp_path, "x")
    again.close()
    back = again.found[0]["a"]
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")


# --- interruption --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A collection on disk that is studied for a second or two."""
    folder = tmp_path_factory.mktemp("files")
    qrels, runs = small(topics=15, runs=12, judged=150)
    rows = [f"{topic} 0 {doc} {grade}\n" for topic, docs in qrels.items() for doc, grade in docs.items()]
    (folder / "qrels.txt").write_text("".join(rows))
    for name, lists in runs.items():
        lines = [
            f"{topic} Q0 {doc} 0 {score:.6f} {name}\n" for topic, docs in lists.items() for doc, score in docs.items()
        ]
        (folder / f"{name}.run").write_text("".join(lines))
    return folder


def arguments(folder: str, *more: str) -> list[str]:
    runs = [f"r{number}.run" for number in range(12)]
    chosen = ["-m", "AP", "-m", "nDCG@10", "-m", "RankEff", "--levels", "ag07", "--draws", "60", "--seed", "3"]
    return ["study", "reduction", "qrels.txt", *runs, *chosen, "-o", folder, *more]


@pytest.fixture(scope="module")
def uninterrupted(files) -> dict[str, bytes]:
    done = subprocess.run([*COMMAND, *arguments("whole")], cwd=files, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, NOTES)
    return contents(files / "whole")


NOTES = "cranfield: whole: tables, charts and study.json written\n"


@pytest.mark.skipif(os.name == "nt", reason="signals are another data there")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_study_resumes_to_the_same_bytes(files, uninterrupted, how, jobs):
    place = files / f"{how.name}{jobs}"
    process = subprocess.Popen(
        [*COMMAND, *arguments(place.name, "--jobs", jobs)], cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not (place / NAME).exists() or (place / NAME).read_bytes().count(b"\n") < 4:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(how)
    out, err = process.communicate(timeout=30)
    assert process.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL)
    assert (out, err) == (b"", b"interrupted\n" if how is signal.SIGINT else b"")
    assert (place / NAME).read_bytes().count(b"\n") < 61
    assert "reduction.csv" not in contents(place)
    if how is signal.SIGINT:
        assert not [name for name in contents(place) if name.endswith(UNFINISHED)]
    done = subprocess.run([*COMMAND, *arguments(place.name)], cwd=files, capture_output=True, check=False)
    assert done.returncode == 0
    assert contents(place) == uninterrupted


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_processes_end_with_the_one_that_started_them(files):
    process = subprocess.Popen([*COMMAND, *arguments("orphans", "--jobs", "3")], cwd=files, stderr=subprocess.DEVNULL)
    beginning = time.monotonic() + 60
    children: list[Any] = []
    while len(children) < 3:
        assert process.poll() is None
        assert time.monotonic() < beginning
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while any(_alive(child) for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _alive(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# --- repetition --------------------------------------------------------------------------------------------------


def test_a_study_repeats_exactly_from_its_settings(files, uninterrupted, monkeypatch):
    monkeypatch.chdir(files)
    again = study.repeat("whole/study.json", folder="again", jobs=2)
    assert contents(files / "again") == uninterrupted
    assert study.repeat(files / "whole").to_json() == again.to_json()
    assert again.settings == json.loads(uninterrupted["study.json"])


def test_a_study_repeats_from_objects_too():
    data = small()
    first = study.reduction(*data, ["AP"], **OPTIONS, keep="first-quartile", topic_set="intersection")
    assert study.repeat(first, *data).to_csv() == first.to_csv()
    assert study.repeat(json.loads(json.dumps(first.settings)), *data, jobs=2).to_json() == first.to_json()


def test_changed_inputs_are_not_the_same_study(files, monkeypatch):
    monkeypatch.chdir(files)
    study.reduction("qrels.txt", ["r0.run", "r1.run"], ["AP"], draws=2, folder="changed")
    text = (files / "r1.run").read_text()
    (files / "r1.run").write_text(text.replace("\nq1 Q0 d", "\nq1 Q0 e", 1))
    try:
        with pytest.raises(cf.InputError, match="E232") as caught:
            study.repeat("changed")
        assert caught.value.path == "r1.run"
    finally:
        (files / "r1.run").write_text(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "E302"),
        ("[]", "E302"),
        ('{"kind": "reduction"}', "E302"),
        ("[" * 100_000, "E302: .* nested too deeply"),
        ('{"kind": [], "options": {}, "seed": 0, "measures": [], "inputs": []}', "E302"),
    ],
)
def test_settings_that_are_none_are_refused(tmp_path, text, code):
    (tmp_path / "study.json").write_text(text)
    with pytest.raises(cf.InputError, match=code):
        study.repeat(tmp_path)
    with pytest.raises(cf.InputError, match="E101"):
        study.repeat(tmp_path / "nowhere.json")


# --- forms ---------------------------------------------------------------------------------------------------------


def test_a_result_has_every_form():
    made = study.reduction(*small(), ["AP", "BprefN"], **OPTIONS)
    assert made.table().columns[:5] == ["level", "judged", "judged_share", "measure", "coefficient"]
    assert made.to_markdown().startswith("**Kendall τ-b with the full order")
    assert "\\caption{Kendall" in made.to_latex()
    assert made.to_csv().splitlines()[0].startswith("level,judged,judged_share,measure,coefficient,agreement")
    assert "<caption" in made._repr_html_()
    data = json.loads(made.to_json())
    assert (data["command"], data["audit"]["seed"], len(data["result"]["rows"])) == ("study", 7, 6)
    assert made.plot().description.startswith("Kendall τ-b with the full order, by judgments kept (%): AP from ")
    assert made.plot("score", width="two", title="All of it").title == "All of it"
    with pytest.raises(cf.PolicyError, match="there is no chart 'pie'"):
        made.plot("pie")
    with pytest.raises(cf.PolicyError, match="there is no table 'pie'"):
        made.table("pie")


def test_progress_is_told():
    steps = []
    study.reduction(*small(), ["AP"], **OPTIONS, progress=lambda *step: steps.append(step))
    assert [step for step in steps if step[2] == 12] == [("", number, 12) for number in range(12)]


def test_streams_belong_to_their_names():
    keys = [(), (1,), ("1",), (1, 2), (12,), ("1", "2"), ("12",), ("", "12"), (1, "q"), ("q", 1), ("é",)]
    first = {key: stream(3, *key).integers(2**63) for key in keys}  # type: ignore[arg-type]  # options of several types
    assert len(set(first.values())) == len(keys)
    assert stream(3, 1, "q").integers(2**63) == first[1, "q"]
    assert stream(4, 1, "q").integers(2**63) != first[1, "q"]


@pytest.mark.parametrize("inputs", [(), ({"q": {"d": 1}},), ({}, {}, "AP", "more")])
def test_a_study_needs_judgments_and_runs(inputs):
    with pytest.raises(cf.Error):
        study.reduction(*inputs)


def test_there_is_no_other_study():
    with pytest.raises(AttributeError):
        study.alchemy  # type: ignore[attr-defined]  # noqa: B018  # asked for on purpose
    assert "reduction" in dir(study)
