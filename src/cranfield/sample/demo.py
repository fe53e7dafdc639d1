"""The demo: a collection written to a folder, evaluated, and shown on a page."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.evaluate import evaluate
from cranfield.missing.holes import holes
from cranfield.missing.result import Holes
from cranfield.sample.program import called
from cranfield.sample.simulated import FOLDER, SimulatedFiles, write_simulated
from cranfield.study.simulated.named_systems import POOL, SYSTEMS, SimulatedCollection, generate
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.words import counted
from cranfield.whole_files import make_folder
from cranfield.write import write_table

MEASURES = ("nDCG@10", "nDCG'@10", "AP", "RR")
MARKER = "cranfield-demo.json"  # says that the folder is ours and may be written again
SEED = 7
LEAD = (
    "A simulated collection: topics, documents, grades and rankings are drawn from a stated model. Only the first "
    f"{POOL} documents of {' and '.join(s.name for s in SYSTEMS if s.pooled)} were judged; documents that only other "
    "systems found are not judged."
)


@dataclass(frozen=True, eq=False)
class Demo:
    """The files of a demo, and the scores computed from them."""

    directory: Path  # where the files are
    qrels: Path  # the judgments
    runs: tuple[Path, ...]  # the runs
    topics: Path  # the topics
    page: Path  # the report
    scores: Scores  # of the runs
    holes: Holes  # what the judgments that are missing could change
    simulated: SimulatedFiles | None = None  # the files of a simulated collection, if asked for

    @property
    def commands(self) -> tuple[str, ...]:
        """Three commands to try on the files."""
        program = called()
        qrels, runs = quote(self.qrels.as_posix()), f"{quote((self.directory / 'runs').as_posix())}/*.run"
        return (
            f"{program} evaluate {qrels} {runs} -m nDCG@10 --per-topic",
            f"{program} holes {qrels} {runs} -m nDCG@10",
            f"{program} check {qrels} {runs}",
        )

    def ranges(self, screen: Screen = PAPER) -> str:
        """The possible range of each score, and how sure the order of the runs is, as printed."""
        sheet = self.holes.sheet("ranges")
        verdicts = self.holes.verdicts("all")
        certain = sum(verdict.status == "certain" for verdict in verdicts)
        said = [f"{certain} of {len(verdicts)} orders of two runs are certain, whatever the other judgments are"]
        best = [verdict for verdict in verdicts if verdict.a == verdicts[0].a and verdict.flips]
        if best:
            first = min(best, key=lambda verdict: verdict.flips or 0)
            said.append(f"{counted(first.flips or 0, 'unjudged document')} can reverse {first.a} – {first.b}")
        audit = self.holes.audit
        above = {*audit.footer(self.holes.scores.cutoff), audit.policy_line()}  # stands below the scores
        return replace(sheet, notes=(*said, *(note for note in sheet.notes if note not in above))).text(screen)

    def __repr__(self) -> str:
        return f"Demo in {self.directory}: {len(self.runs)} runs, {len(self.scores.topics)} topics"


def build_demo(directory: str | Path = "cranfield-demo", force: bool = False, simulate: bool = False) -> Demo:
    """Write the demo collection into a folder, evaluate it, and write the page `scores.html`.

    Args:
        directory: made if it does not exist; one that was made by an earlier call is written again.
        force: also write into a folder that holds other files (those stay).
        simulate: also write a collection whose truth is known completely, in the folder `simulated`.

    >>> import tempfile, warnings
    >>> import cranfield as cf
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # about missing judgments: the point of the demo
    ...     demo = cf.build_demo(folder)
    >>> demo.scores.runs
    ('lexical', 'lexical-tuned', 'letters', 'title', 'vector', 'hybrid')
    """
    folder = Path(directory)
    _claim(folder, force)
    collection = generate(seed=SEED)
    written = list(_written(collection, folder))
    simulated = write_simulated(folder / FOLDER, SEED) if simulate else None
    files = [*written, *(simulated.files if simulated else ())]
    marker = {
        "made_by": "cranfield demo",
        "seed": SEED,
        "files": [path.relative_to(folder).as_posix() for path in files],
    }
    (folder / MARKER).write_text(json.dumps(marker, indent=1) + "\n", encoding="utf-8")
    qrels, topics, *runs = written
    scores = evaluate(qrels, [str(path) for path in runs], MEASURES)
    places = {path.stem: str(path) for path in runs}
    best_first = [places[run] for run in scores.sorted().runs]
    demo = Demo(
        directory=folder,
        qrels=qrels,
        runs=tuple(runs),
        topics=topics,
        page=folder / "scores.html",
        scores=scores,
        holes=holes(qrels, best_first, MEASURES[0]),
        simulated=simulated,
    )
    measures = " ".join(f"-m {quote(name)}" for name in MEASURES)
    command = f"cranfield evaluate {quote(qrels.as_posix())} {quote((folder / 'runs').as_posix())}/*.run {measures}"
    page = scores.sorted().to_html("cranfield demo", LEAD, command)
    demo.page.write_text(page, encoding="utf-8", newline="\n")
    return demo


def _claim(folder: Path, force: bool) -> None:
    """Make the folder; a folder with other files is refused."""
    make_folder(folder)
    if not force and not (folder / MARKER).exists() and any(folder.iterdir()):
        raise PolicyError(
            "E219",
            f"{folder} is not empty and was not made by 'cranfield demo'",
            hint=f"name another directory; {setting('force', True)} writes the demo's files beside what is there",
        )


def _written(collection: SimulatedCollection, folder: Path) -> Iterator[Path]:
    """Write the files: qrels, topics, then one file for each run."""
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
