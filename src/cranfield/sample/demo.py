"""The demo: a collection written to a folder, evaluated, compared, and shown on a page.

The collection is the standard library and six real rankers (`library`), or a simulated one with complete truth
(`simulated`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.extras import installed
from cranfield.errors.wording import setting
from cranfield.measures.evaluate import evaluate
from cranfield.missing.holes import holes
from cranfield.missing.result import Holes
from cranfield.read import read_topics
from cranfield.sample.library.files import LibraryFiles, write_library
from cranfield.sample.library.world import DEPTH_OF_POOL, POOLED, POOLED_ON, LibraryWorld, this_library
from cranfield.sample.overview import closest, overview
from cranfield.sample.program import called
from cranfield.sample.simulated import FOLDER, LEAD, SEED, SimulatedFiles, write_named_systems, write_simulated
from cranfield.stats.comparison.compare import compare
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.words import counted
from cranfield.whole_files import make_folder

if TYPE_CHECKING:
    from cranfield.judging.lab import Lab

MEASURES = ("nDCG@10", "nDCG'@10", "AP", "RR")
BASELINE = "bm25"
JUDGED_BY = "judged by a language model, no person"
MARKER = "cranfield-demo.json"  # says that the folder is ours and may be written again
FOLDER_BY_DEFAULT = "cranfield-demo"


@checked_methods
@dataclass(frozen=True, eq=False)
class Demo:
    """The files of a demo, and what was computed from them."""

    directory: Path  # where the files are
    qrels: Path  # the judgments
    runs: tuple[Path, ...]  # the runs
    topics: Path  # the topics
    page: Path  # the report
    scores: Scores  # of the runs
    holes: Holes  # what the judgments that are missing could change
    library: LibraryFiles | None = None  # the files of the standard library as a collection
    comparison: Comparison | None = None  # of its runs with bm25
    simulated: SimulatedFiles | None = None  # the files of a simulated collection, if asked for

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the collection."""
        return self.library.all if self.library else (self.qrels, self.topics, *self.runs)

    @property
    def question(self) -> tuple[str, str]:
        """The two runs whose order the fewest unjudged documents can reverse, or the best two."""
        verdicts = self.holes.verdicts("all")
        pair = closest(verdicts) or verdicts[0]
        return pair.a, pair.b

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands to try on the files."""
        program, folder = called(), quote(self.directory.as_posix())
        qrels, runs = quote(self.qrels.as_posix()), f"{quote((self.directory / 'runs').as_posix())}/*.run"
        if self.simulated:
            return (
                f"{program} evaluate {qrels} {runs} -m nDCG@10 --per-topic",
                f"{program} holes {qrels} {runs} -m nDCG@10",
                f"{program} check {qrels} {runs}",
                *self.simulated.commands,
            )
        two = " ".join(quote((self.directory / "runs" / f"{run}.run").as_posix()) for run in self.question)
        all_runs = quote(f"{self.directory.as_posix()}/runs/*.run")
        where = "" if self.directory == Path(FOLDER_BY_DEFAULT) else f" {folder}"
        room = installed("judge")
        return (
            f"{program} holes {qrels} {two} -m nDCG@10 --next 10",
            f"{program} agree {folder}/judgments.jsonl --runs {all_runs} -m nDCG@10",
            f"{program} demo{where} --serve" if room else f"{program} check {qrels} {runs}",
        )

    def sheet(self) -> Sheet:
        """The table that is printed first."""
        if self.library is None or self.comparison is None:
            return self.scores.sorted().sheet()
        pooled = f"the first {DEPTH_OF_POOL} of {', '.join(POOLED)} on Python {POOLED_ON}"
        pooled = f"{JUDGED_BY}: {pooled}"
        return overview(self.scores, self.holes, self.comparison, (pooled, self.library.line))

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

    def lab(self) -> "Lab":
        """The lab of the demo, `lab.db` in its folder: judged pairs, and a queue that decides the open question.

        It is made once; afterwards it is opened as it is, with what people judged in it.
        """
        from cranfield.sample.room import demo_lab

        return demo_lab(self)

    def __repr__(self) -> str:
        return f"Demo in {self.directory}: {len(self.runs)} runs, {len(self.scores.topics)} topics"


def build_demo(directory: str | Path = FOLDER_BY_DEFAULT, force: bool = False, simulate: bool = False) -> Demo:
    """Write the demo collection into a folder, evaluate and compare its runs, and write a page about them.

    Documents are the docstrings of the standard library of this Python, which are read and not executed; topics and
    grades come with the package, and the six rankers are run.

    Args:
        directory: made if it does not exist; one that was made by an earlier call is written again.
        force: also write into a folder that holds other files (those stay).
        simulate: write a simulated collection instead, and in the folder `simulated` one with its complete truth.

    >>> import tempfile, warnings
    >>> import cranfield as cf
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # about missing judgments: the point of the demo
    ...     demo = cf.build_demo(folder, simulate=True)
    >>> demo.scores.runs
    ('lexical', 'lexical-tuned', 'letters', 'title', 'vector', 'hybrid')
    """
    folder = Path(directory)
    claim(folder, force)
    return _simulated(folder) if simulate else library_demo(folder, this_library())


def library_demo(folder: Path, world: LibraryWorld) -> Demo:
    """The demo on a library."""
    files = write_library(world, folder)
    page = folder / ("report.html" if installed("charts") else "scores.html")
    _mark(folder, [*files.all, page], **files.result())
    scores = evaluate(files.qrels, [str(path) for path in files.runs], MEASURES, ci="t")
    scores = replace(scores, audit=replace(scores.audit, inputs=(*scores.audit.inputs, files.as_input())))
    found = _holes(scores, files.qrels, files.runs)
    demo = Demo(
        directory=folder,
        qrels=files.qrels,
        runs=files.runs,
        topics=files.topics,
        page=page,
        scores=scores,
        holes=replace(found, audit=replace(found.audit, inputs=(*found.audit.inputs, files.as_input()))),
        library=files,
        comparison=compare(scores, measures=MEASURES[:1], baseline=BASELINE),
    )
    if page.name == "report.html":
        _write_report(demo)
    else:
        _write_page(demo, f"Documents: {files.line}. The pool was {JUDGED_BY}.")
    return demo


def _simulated(folder: Path) -> Demo:
    written = list(write_named_systems(folder))
    simulated = write_simulated(folder / FOLDER)
    page = folder / "scores.html"
    _mark(folder, [*written, *simulated.files, page], seed=SEED)
    qrels, topics, *runs = written
    scores = evaluate(qrels, [str(path) for path in runs], MEASURES)
    demo = Demo(
        directory=folder,
        qrels=qrels,
        runs=tuple(runs),
        topics=topics,
        page=page,
        scores=scores,
        holes=_holes(scores, qrels, runs),
        simulated=simulated,
    )
    _write_page(demo, LEAD)
    return demo


def _holes(scores: Scores, qrels: Path, runs: Sequence[Path]) -> Holes:
    places = {path.stem: str(path) for path in runs}
    return holes(qrels, [places[run] for run in scores.sorted().runs], MEASURES[0])


def _write_report(demo: Demo) -> None:
    from cranfield.reporting.page.report import report

    command = f"cranfield demo {quote(demo.directory.as_posix())}"
    topics = read_topics(demo.topics)
    twice = demo.library.judgments if demo.library and demo.library.judged_twice else None
    found = report(
        *(demo.scores, demo.comparison, demo.holes),
        lab=twice,
        topics=topics,
        title=f"cranfield demo, {JUDGED_BY}",
        command=command,
    )
    found.write(demo.page)


def _write_page(demo: Demo, lead: str) -> None:
    measures = " ".join(f"-m {quote(name)}" for name in MEASURES)
    runs = f"{quote((demo.directory / 'runs').as_posix())}/*.run"
    command = f"cranfield evaluate {quote(demo.qrels.as_posix())} {runs} {measures}"
    page = demo.scores.sorted().to_html("cranfield demo", lead, command)
    demo.page.write_text(page, encoding="utf-8", newline="\n")


def claim(folder: Path, force: bool) -> None:
    """Make the folder; a folder with other files is refused."""
    make_folder(folder)
    if not force and not (folder / MARKER).exists() and any(folder.iterdir()):
        raise PolicyError(
            "E219",
            f"{folder} is not empty and was not made by 'cranfield demo'",
            hint=f"name another directory; {setting('force', True)} writes the demo's files beside what is there",
        )
    _remove_files_of_last_time(folder)


def _remove_files_of_last_time(folder: Path) -> None:
    """Remove what the marker says that a demo wrote, so that the runs of two collections do not meet."""
    try:
        names = json.loads((folder / MARKER).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):  # there is none, or its content has changed
        return
    inside = folder.resolve()
    for path in (folder / str(name) for name in names):
        if path.resolve().is_relative_to(inside) and path.is_file():
            path.unlink()


def _mark(folder: Path, files: Sequence[Path], **more: object) -> None:
    """Say that the folder is ours, and what was written."""
    names = [path.relative_to(folder).as_posix() for path in files]
    marker = {"made_by": "cranfield demo", **more, "files": names}
    (folder / MARKER).write_text(json.dumps(marker, indent=1) + "\n", encoding="utf-8")
