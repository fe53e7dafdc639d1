"""A small collection in an empty directory, and the command called as a person calls it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cranfield.cli import main

QRELS = "301 0 d1 1\n301 0 d2 0\n302 0 d3 2\n302 0 d4 0\n"
BM25 = "301 Q0 d1 1 3.5 bm25\n301 Q0 d2 2 2.5 bm25\n302 Q0 d4 1 1.5 bm25\n302 Q0 d3 2 1.0 bm25\n"
DENSE = "301 Q0 d2 1 0.9 dense\n301 Q0 d1 2 0.8 dense\n"


@dataclass(frozen=True)
class Result:
    """How a command ended, and what it wrote where."""

    code: int
    out: str
    err: str
    raw: bytes


Cli = Callable[..., Result]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The working directory: qrels of two topics, a full run and one that lacks a topic."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    (tmp_path / "runs").mkdir()
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "runs/bm25.run").write_text(BM25)
    (tmp_path / "runs/dense.run").write_text(DENSE)
    return tmp_path


@pytest.fixture
def cli(folder, capsysbinary) -> Cli:
    """The command, called in the folder."""

    def call(*arguments: str) -> Result:
        capsysbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return Result(code, out.decode(errors="replace"), err.decode(), out)

    return call
