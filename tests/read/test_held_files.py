"""Files that are needed twice are read once, unless they are large."""

from pathlib import Path

import pytest

from cranfield.cli import main
from cranfield.read.objects import as_sources
from cranfield.read.sources.runs import RunFile


@pytest.fixture
def opened(monkeypatch):
    """The files that were opened as whole runs, in order."""
    found: list[str] = []
    read = RunFile.open

    def count(self):
        found.append(Path(self.path).name)
        return read(self)

    monkeypatch.setattr(RunFile, "open", count)
    return found


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 b 1\n")
    for name, order in (("x", "auv"), ("y", "bwa")):
        rows = [f"{t} Q0 {d} {n} {9 - n} {name}\n" for t in "123" for n, d in enumerate(order, start=1)]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    return tmp_path


def test_a_held_file_is_read_once(files, opened):
    sources = as_sources(str(files / "x.run")).held(1 << 20)
    first, second = list(sources.open()), list(sources.open())
    assert first[0] is second[0]
    assert opened == ["x.run"]


def test_files_that_are_too_large_together_are_not_held(files, opened):
    sources = as_sources([str(files / "x.run"), str(files / "y.run")]).held(10)
    assert len(list(sources.open())) == len(list(sources.open())) == 2
    assert opened == ["x.run", "y.run"] * 2


def test_a_comparison_with_ranges_reads_every_run_once(files, opened, capsys):
    names = [str(files / name) for name in ("qrels", "x.run", "y.run")]
    assert main(["compare", *names, "-m", "P@2", "-q"]) == 0
    assert sorted(opened) == ["x.run", "y.run"]
    assert "holes could" in " ".join(capsys.readouterr().out.split())
