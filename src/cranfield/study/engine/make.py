"""The engine of all studies: settings, units, workers, journal, result."""

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cranfield.arrays.memory import afford_each
from cranfield.errors import InputError, PolicyError
from cranfield.errors.arguments import checked_seed
from cranfield.measures.accepted import none_named
from cranfield.study.data.collection import Collection
from cranfield.study.data.definition import Measures, StudyData
from cranfield.study.data.judged_runs import JudgedRuns
from cranfield.study.data.scores_alone import ScoresAlone
from cranfield.study.data.views import Views
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.definition import Study, StudyKind, Unit, UnitResult
from cranfield.study.engine.journal import HINT, Journal
from cranfield.study.engine.result import SETTINGS, StudyResult, dumped
from cranfield.study.papers.reproduction import PaperStudy
from cranfield.tables.scores import Scores
from cranfield.versions import versions
from cranfield.whole_files import UNFINISHED, cannot_read, cannot_write, make_folder, write_whole
from cranfield.workers import Progress, workers

SCHEMA = "cranfield/1"
REPETITION = 2000  # bytes, at the least


@dataclass(frozen=True, eq=False)
class _Task:
    """The data that every unit needs; sent to each worker once."""

    study: Study[Any]
    data: StudyData
    seed: int


def make(
    definition: StudyKind,
    *inputs: Any,  # qrels, runs, measures; of a study without data: measures
    seed: int = 0,
    jobs: int | None = None,
    cluster: Any = None,  # an address, or a Client of Dask
    folder: "str | os.PathLike[str] | None" = None,
    progress: Progress | None = None,
    reading: Mapping[str, Any] | None = None,  # keyword options of readers
    expected: Callable[[Mapping[str, Any]], None] = lambda settings: None,
    **options: Any,  # of the study, of its runs (keep, sample, groups), and the fields of Policy
) -> StudyResult:
    """Make a study.

    Args:
        definition: the kind.
        inputs: qrels, runs and measures, as `evaluate` takes them; measures alone if no data are read.
        seed: of every random step.
        jobs: processes; by default one for each core, one for small work. They change nothing but the time.
        cluster: the address of a Dask scheduler, or a `distributed.Client`.
        folder: where settings, tables and charts are written, and the journal from which an interrupted study
            resumes; without one nothing is written.
        progress: called with (what, number, of how many) before each step.
        reading: keyword options by which files were read, recorded so that `repeat` can read them in the same way.
        expected: called with the settings before the work begins; may refuse them.
        options: those of the study; `keep`, `sample` and `groups`, which choose runs; policies such as `ties`.
    """
    own = {name: value for name, value in options.items() if name in definition.parameters}
    rest = {name: value for name, value in options.items() if name not in own}
    seed = checked_seed(seed)
    study = definition.study(**own)
    workers(jobs, cluster, [])  # a choice that cannot be followed is refused before anything is read
    given = _given(definition, inputs, rest)
    working = _working(study, given)
    data = _study_data(definition, working, given, rest, seed, jobs, progress)
    settings = _settings(definition, study, data, seed, reading)
    expected(settings)
    place = None if folder is None else Path(folder)
    journal = None if place is None else _opened(place, settings)
    try:
        found = _found(_Task(working, data, seed), jobs, cluster, journal, progress)
        findings = working.findings(data, found, seed)
        findings = replace(findings, notes=(*findings.notes, *data.notes))
        result = StudyResult(settings, findings, replace(data.audit, seed=seed, versions=versions("scipy")))
        if place is not None:
            result.write(place)
    finally:
        if journal is not None:
            journal.close()
    return result


def _given(definition: StudyKind, inputs: tuple[Any, ...], rest: dict[str, Any]) -> dict[str, Any]:
    """The inputs by name; inputs that were given as options are removed from the options."""
    wanted = ("measures",) if definition.study.data == "measures" else ("qrels", "runs", "measures")
    given = dict(zip(wanted, inputs, strict=False))
    if len(inputs) > len(wanted) or given.keys() & rest.keys():
        problem = f"{definition.name} takes {', '.join(wanted)} by position, and options by name"
        raise PolicyError("E247", problem, hint=f"study.{definition.name.replace('-', '_')}({', '.join(wanted)}, …)")
    return given | {name: rest.pop(name) for name in wanted if name in rest}


def _working(study: Study[Any], given: Mapping[str, Any]) -> Study[Any]:
    """The study, or its form without data if none are given."""
    if given.keys() & {"qrels", "runs"} or (alone := study.without_data()) is None:
        return study
    if not none_named(given.get("measures")):
        raise PolicyError("E244", "measures have no effect without runs", hint="give qrels and runs, or no measure")
    return alone


def _study_data(
    definition: StudyKind,
    study: Study[Any],
    given: dict[str, Any],
    rest: dict[str, Any],
    seed: int,
    jobs: int | None,
    progress: Progress | None,
) -> StudyData:
    if study.data == "measures":
        return Measures.of(**given, **rest)
    if isinstance(scores := given.get("qrels"), Scores):
        if not study.takes_scores:
            kinds = ", ".join(name for name, kind in STUDIES.items() if kind.study.takes_scores)
            problem = f"{definition.name} needs judgments and rankings, and scores were given"
            raise PolicyError("E246", problem, hint=f"scores alone are enough for {kinds}")
        if given.get("runs") is not None:
            raise InputError("E121", "scores were given, and runs too", hint="give the scores alone")
        return ScoresAlone.of_scores(scores, given.get("measures"), **rest)
    if lacking := next((name for name in ("qrels", "runs") if name not in given), None):
        raise InputError("E121", f"{definition.name} needs {lacking}", hint=f"study.{definition.name}(qrels, runs, …)")
    given.setdefault("measures", study.usual)
    if isinstance(study, PaperStudy):
        return Views.of(study.views, **given, **rest, seed=seed, jobs=jobs, progress=progress)
    if study.reads() == "judged runs":
        return JudgedRuns.of(**given, **rest, seed=seed, jobs=jobs, progress=progress)
    return Collection.of(**given, **rest, seed=seed, jobs=jobs, progress=progress)


def _settings(
    definition: StudyKind, study: Study[Any], data: StudyData, seed: int, reading: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Everything that shapes the result, as plain data: the contents of `study.json`."""
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(study).items()}
    files = [
        {"role": name, "name": path, "sha256": _sha256(path)}
        for name, known in definition.parameters.items()
        if (path := known.path(options[name])) is not None
    ]
    return {
        "schema": SCHEMA,
        "kind": definition.name,
        "options": options,
        **data.settings(),
        "seed": seed,
        "inputs": [*(dict(entry) for entry in data.audit.inputs), *files],
        **({"reading": dict(reading)} if reading else {}),
        "fingerprint": data.fingerprint,
        "versions": versions("scipy"),
    }


def _sha256(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None


def _opened(folder: Path, settings: Mapping[str, Any]) -> Journal:
    """The journal of a folder that is new or holds the same study; settings are written before the first unit."""
    import json

    data, there = dumped(settings), folder / SETTINGS
    try:
        make_folder(folder)
        if not there.exists():
            if others := [name for name in sorted(os.listdir(folder)) if not name.endswith(UNFINISHED)]:
                raise InputError(
                    "E231", f"holds {others[0]!r}, which does not belong to a study", path=str(folder), hint=HINT
                )
            write_whole(there, data)
        elif (before := there.read_bytes()) != data:
            try:
                found = json.loads(before)
            except (ValueError, RecursionError):
                found = None
            old = found if isinstance(found, dict) else {}
            differ = [name for name in {**settings, **old} if old.get(name) != settings.get(name)]
            problem = (
                f"holds another study: {', '.join(differ)} differ" if differ else f"{SETTINGS} was written by hand"
            )
            raise InputError("E231", problem, path=str(folder), hint=HINT)
        return Journal(folder, hashlib.sha256(data).hexdigest())
    except OSError as error:
        raise cannot_write(str(folder), error) from None


def _found(
    task: _Task, jobs: int | None, cluster: Any, journal: Journal | None, progress: Progress | None
) -> list[UnitResult]:
    """The result of every unit, in order; units in the journal are not done again."""
    _afford(task)
    units = task.study.units(task.data)
    done: dict[int, UnitResult] = {} if journal is None else dict(journal.found)
    left = [number for number in range(len(units)) if number not in done]
    sizes = [task.study.size(task.data, units[number]) for number in left]
    staff = workers(jobs, cluster, sizes, processes=True)
    with closing(staff.map(_work, task, [units[number] for number in left], sizes)) as results:
        for number in left:
            if progress is not None:
                progress("", number, len(units))
            done[number] = next(results)
            if journal is not None:
                journal.add(number, done[number])
    return [done[number] for number in range(len(units))]


def _afford(task: _Task) -> None:
    """Refuse more repetitions than fit into memory: each is a unit with its result, or a row of draws."""
    afford_each(task.study.repetitions(), REPETITION, "repetitions")


def _work(task: _Task, unit: Unit) -> UnitResult:
    return task.study.work(task.data, unit, task.seed)
