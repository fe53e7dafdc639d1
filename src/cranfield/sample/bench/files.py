"""The files of a shape: qrels and runs in TREC format, written once into a folder and then reused."""

import sys
from dataclasses import dataclass
from pathlib import Path

from cranfield.errors.extras import need
from cranfield.sample.bench.shapes import Shape

_DONE = "complete"


@dataclass(frozen=True)
class Files:
    """One qrels file, and one file for each run."""

    qrels: Path
    runs: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Bytes of all runs together."""
        return sum(path.stat().st_size for path in self.runs)


def files(shape: Shape, folder: Path, seed: int) -> Files:
    """The files; if they do not exist, a separate process writes them."""
    there = _place(shape, folder, seed)
    if not (there / _DONE).exists():
        need("polars", "cranfield bench")
        import subprocess

        numbers = (shape.runs, shape.topics, shape.depth, shape.judged, seed)
        command = [sys.executable, "-m", "cranfield.sample.bench.files", str(folder), *map(str, numbers)]
        subprocess.run(command, check=True)
    return Files(there / "qrels.txt", tuple(sorted(there.glob("*.run"))))


def write(shape: Shape, folder: Path, seed: int) -> None:
    """Write the files; a marker file shows that all are complete.

    Columns are written by polars, whole blocks at a time: a loop over thirty million lines would take minutes.
    """
    import numpy as np
    import polars as pl

    from cranfield.sample.bench.lists import blocks, judgments, tag

    there = _place(shape, folder, seed)
    there.mkdir(parents=True, exist_ok=True)
    topics, documents, grades = judgments(shape, seed)
    columns = {"topic": np.repeat(topics, shape.judged), "document": documents.ravel(), "grade": grades.ravel()}
    table = pl.DataFrame(columns).select("topic", pl.lit(0), "document", "grade")
    table.write_csv(there / "qrels.txt", separator=" ", include_header=False)
    for run in range(shape.runs):
        with (there / f"{tag(run)}.run").open("wb") as file:
            for block in blocks(shape, run, seed):
                rank = np.tile(np.arange(1, shape.depth + 1), len(block.topics))
                columns = {"topic": np.repeat(block.topics, shape.depth), "document": block.documents.ravel()}
                table = pl.DataFrame({**columns, "rank": rank, "score": block.scores.ravel()})
                lines = table.select("topic", pl.lit("Q0"), "document", "rank", "score", pl.lit(tag(run)).alias("tag"))
                lines.write_csv(file, separator=" ", include_header=False, float_precision=6)
    (there / _DONE).touch()


def _place(shape: Shape, folder: Path, seed: int) -> Path:
    return folder / f"{shape.name}-seed{seed}"


if __name__ == "__main__":
    write(Shape(*map(int, sys.argv[2:6])), Path(sys.argv[1]), int(sys.argv[6]))
