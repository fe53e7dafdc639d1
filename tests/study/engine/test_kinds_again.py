"""Studies of measures: made again from their settings, and by two processes, they are the same byte for byte."""

import json
from typing import Any

import pytest

from cranfield import study
from cranfield.errors import InputError
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
KINDS: dict[str, dict] = {
    "swap": {"sets": 30, "sizes": [2, 4], "predict": 8},
    "power": {"boot": 40, "at": [40], "difference": 0.1},
    "correlation": {"boot": 30, "few": [2], "coefficient": "tau-ap"},
    "grid": {"step": 0.5},
    "parameters": {"last": [5, 10]},
    "topheavy": {"ranks": 4},
    "efficiency": {"boot": 20},
    "decide": {"draws": 50, "pairs": 2},
}


@pytest.fixture
def files(tmp_path):
    """The small collection and some latencies as files: what can be read again."""
    qrels, runs = small(topics=8)
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items())
    )
    for name, lists in runs.items():
        rows = [f"{t} Q0 {d} 0 {score!r} {name}\n" for t, docs in lists.items() for d, score in docs.items()]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    times = [
        {"run": name, "topic": t, "latency_ms": 5 + 3 * len(docs)}
        for name, lists in runs.items()
        for t, docs in lists.items()
    ]
    (tmp_path / "times.jsonl").write_text("".join(json.dumps(row) + "\n" for row in times))
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("kind", KINDS)
def test_a_study_is_made_again_byte_for_byte(kind, files):
    data = ["AP", "P@5"] if kind == "topheavy" else [files / "qrels.txt", sorted(files.glob("*.run")), ["AP", "P@5"]]
    data = [data] if kind == "topheavy" else data
    options = {**KINDS[kind], **({"latencies": str(files / "times.jsonl")} if kind == "efficiency" else {})}
    getattr(study, kind)(*data, **options, jobs=1, folder=files / "one")
    getattr(study, kind)(*data, **options, jobs=2, folder=files / "two")
    study.repeat(files / "one" / "study.json", folder=files / "three")
    one = contents(files / "one")
    assert one == contents(files / "two") == contents(files / "three")
    assert any(name.endswith(".png") for name in one)
    assert " ".join(one["table.txt"].decode().split()[:3])


def test_a_changed_file_of_an_option_is_another_study(files):
    data = [files / "qrels.txt", sorted(files.glob("*.run")), ["AP"]]
    options: dict[str, Any] = {"latencies": str(files / "times.jsonl"), "boot": 20}
    study.efficiency(*data, **options, folder=files / "one")
    before = contents(files / "one")
    text = (files / "times.jsonl").read_text()
    (files / "times.jsonl").write_text(text.replace('"latency_ms": ', '"latency_ms": 1', 1))
    with pytest.raises(InputError, match="E232") as caught:
        study.repeat(files / "one", folder=files / "two")
    assert caught.value.path == str(files / "times.jsonl")
    assert not (files / "two").exists()
    with pytest.raises(InputError, match="holds another study: inputs differ"):
        study.efficiency(*data, **options, folder=files / "one")
    assert contents(files / "one") == before


def test_changed_groups_are_another_study(files):
    data = [files / "qrels.txt", sorted(files.glob("*.run")), ["AP"]]
    (files / "groups.tsv").write_text("r0\tus\nr1\tus\nr2\tthem\n")
    study.reduction(*data, levels=[50], draws=2, groups=files / "groups.tsv", folder=files / "one")
    (files / "groups.tsv").write_text("r0\tus\nr1\tthem\nr2\tthem\n")
    with pytest.raises(InputError, match="E232"):
        study.repeat(files / "one")
