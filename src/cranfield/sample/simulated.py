"""Simulated collections of the demo: the named systems that are evaluated, and one whose truth is known completely."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote

from cranfield.sample.program import called
from cranfield.study.simulated.named_systems import POOL, SYSTEMS, generate
from cranfield.study.simulated.simulator import Simulated, simulate
from cranfield.write import write_table

PRESET = "tiny"
FOLDER = "simulated"
SEED = 7
LEAD = (
    "A simulated collection: topics, documents, grades and rankings are drawn from a stated model. Only the first "
    f"{POOL} documents of {' and '.join(s.name for s in SYSTEMS if s.pooled)} were judged; documents that only other "
    "systems found are not judged."
)


@dataclass(frozen=True, eq=False)
class SimulatedFiles:
    """The files of a simulated collection with its truth."""

    directory: Path
    files: tuple[Path, ...]
    world: Simulated

    @property
    def line(self) -> str:
        """What was written, in one line."""
        judged = len(self.world.qrels) / self.world.model.topics
        return (
            f"{self.directory.as_posix()}: {self.world.model.systems} runs, {self.world.model.topics} topics; "
            f"qrels.txt judges a pool of {judged:.0f} documents per topic, truth.txt all {self.world.model.documents}"
        )

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands that evaluate with the pool, and with the truth."""
        runs = f"{quote((self.directory / 'runs').as_posix())}/*.run"
        return tuple(
            f"{called()} evaluate {quote((self.directory / name).as_posix())} {runs} -m AP"
            for name in ("qrels.txt", "truth.txt")
        )


def write_simulated(folder: Path, seed: int = SEED) -> SimulatedFiles:
    """Draw a small collection with complete truth and write it: judgments, truth, families, runs, and the model."""
    world = simulate(PRESET, seed=seed)
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    return SimulatedFiles(folder, tuple(_with_truth(world, folder, seed)), world)


def write_named_systems(folder: Path, seed: int = SEED) -> Iterator[Path]:
    """Draw the collection of the named systems and write it: qrels, topics, then one file for each run."""
    collection = generate(seed=seed)
    write_table(collection.qrels, folder / "qrels.txt", format="qrels-trec")
    yield folder / "qrels.txt"
    lines = [f"{topic}\t{text}\n" for topic, text in collection.topics.items()]
    (folder / "topics.tsv").write_text("".join(lines), encoding="utf-8", newline="\n")
    yield folder / "topics.tsv"
    (folder / "runs").mkdir(exist_ok=True)
    for run in collection.runs.values():
        path = folder / "runs" / f"{run.name}.run"
        write_table(run, path, format="run-trec")
        yield path


def _with_truth(world: Simulated, folder: Path, seed: int) -> Iterator[Path]:
    for name, table in (("qrels.txt", world.qrels), ("truth.txt", world.truth)):
        write_table(table, folder / name, format="qrels-trec")
        yield folder / name
    families = "".join(f"{run}\t{family}\n" for run, family in world.families.items())
    said = {"preset": PRESET, "seed": seed, "model": asdict(world.model), "contributing": list(world.contributing)}
    for name, text in (("groups.tsv", families), ("model.json", json.dumps(said, indent=1) + "\n")):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        yield folder / name
    for run in world.runs.values():
        path = folder / "runs" / f"{run.name}.run"
        write_table(run, path, format="run-trec")
        yield path
