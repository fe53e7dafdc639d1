"""Two small files, and trec_eval called on files."""

from dataclasses import dataclass

import pytest

from cranfield.cli import main

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 c 0\n"
RUN = "1 Q0 b 1 3 sys\n1 Q0 a 2 2 sys\n2 Q0 a 1 9 sys\n2 Q0 x 2 8 sys\n"


@dataclass(frozen=True)
class Ended:
    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[list[str]]:
        """The printed lines: name, topic, value."""
        return [[part.strip() for part in line.split("\t")] for line in self.out.decode().splitlines()]


@pytest.fixture
def trec_eval(tmp_path, capfdbinary, monkeypatch):
    """Call the command with flags and the text of two files."""
    monkeypatch.delenv("CRANFIELD_TREC_EVAL", raising=False)
    monkeypatch.chdir(tmp_path)

    def call(*flags, qrels: str | bytes = QRELS, run: str | bytes = RUN) -> Ended:
        for name, content in (("qrels", qrels), ("run", run)):
            (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        code = main(["trec_eval", *flags, "qrels", "run"])
        out, err = capfdbinary.readouterr()
        return Ended(code, out, err.decode())

    return call
