"""A study made again from its settings: the same inputs give the same bytes, changed ones are refused."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from cranfield.align.policy import Policy
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import either
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.choices import WorkChoices
from cranfield.study.engine.definition import StudyKind
from cranfield.study.engine.make import make
from cranfield.study.engine.result import SETTINGS, StudyResult
from cranfield.tables.scores import Scores
from cranfield.whole_files import cannot_read

_FOLDER = either("folder=", "-o DIR")
_KINDS = {"kind": str, "options": dict, "seed": int, "measures": list, "inputs": list}

if TYPE_CHECKING:
    from cranfield.read.accepted import QrelsLike, RunsLike


def repeat(
    settings: "StudyResult | Mapping[str, Any] | str | os.PathLike[str]",
    qrels: "QrelsLike | None" = None,
    runs: "RunsLike | None" = None,
    **engine: Unpack[WorkChoices],
) -> StudyResult:
    """Make a study again.

    Args:
        settings: `study.json`, the folder it is in, a result, or its `settings`.
        qrels: the judgments; by default the file that the settings name.
        runs: the runs; by default the files that the settings name.
        engine: `jobs`, `cluster`, `folder` and `progress`, which change no number.

    >>> import cranfield.study as study
    >>> qrels = {f"q{n}": {"a": 1, "b": 0, "c": 1} for n in range(4)}
    >>> runs = {"x": dict.fromkeys(qrels, ["a", "c", "b"]), "y": dict.fromkeys(qrels, ["b", "a"])}
    >>> made = study.reduction(qrels, runs, "AP", levels=[50], draws=3, seed=7)
    >>> repeat(made, qrels, runs).to_csv() == made.to_csv()
    True
    """
    known = settings.settings if isinstance(settings, StudyResult) else settings
    given = known if isinstance(known, Mapping) else read_settings(known)
    if not _are_settings(given):
        raise InputError("E121", "these are not the settings of a study", hint="study.json, its folder, or a result")
    definition = _definition(given)
    options = {**given["options"], "seed": given["seed"], "measures": given["measures"]}
    if "policies" in given:
        chosen = {name: given[name] for name in ("keep", "sample", "groups")}
        files = _files(given) if qrels is None or runs is None else {}
        data = {"qrels": files["qrels"] if qrels is None else qrels, "runs": files["runs"] if runs is None else runs}
        options |= {"policy": Policy(**given["policies"]), **chosen, **data}
        if reading := given.get("reading"):
            options["reading"] = reading
    if "given" in given:
        options["qrels"] = _given_scores(given) if qrels is None else qrels
        if reading := given.get("reading"):
            options["reading"] = reading
    check = _Unchanged(given)
    return make(definition, **options, **engine, expected=check)


class _Unchanged:
    """Checks that the inputs are those from which the settings were made."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def __call__(self, now: Mapping[str, Any]) -> None:
        """Refuse changed inputs, and name them.

        Judgments and runs are compared by the fingerprint of the data, because they may come in another form; a file
        that an option names is compared by its bytes.
        """
        same = now["fingerprint"] == self._given["fingerprint"]
        then = {(entry["role"], entry.get("run", "")): entry["sha256"] for entry in self._given["inputs"]}
        hint = "a study repeats exactly only from the inputs it was made from"
        for entry in now["inputs"]:
            seen = same and entry["role"] in ("qrels", "run", "scores")
            if not seen and then.get((entry["role"], entry.get("run", ""))) != entry["sha256"]:
                raise InputError("E232", "is not what the study was made from", path=entry["name"], hint=hint)
        if not same:
            raise InputError("E232", "the inputs are not those the study was made from", hint=hint)


def read_settings(path: "str | os.PathLike[str]") -> dict[str, Any]:
    """The settings in `study.json`, or in the folder that holds it."""
    place = Path(path) / SETTINGS if os.path.isdir(path) else Path(path)
    try:
        data = json.loads(place.read_bytes())
    except OSError as error:
        raise cannot_read(place, error, f"a study writes it into the folder that {_FOLDER} names") from None
    except ValueError as error:
        raise InputError("E302", f"not valid JSON: {error}", path=place) from None
    except RecursionError:
        raise InputError("E302", "not valid JSON, nested too deeply", path=place) from None
    if not isinstance(data, dict) or not _are_settings(data):
        raise InputError(
            "E302", "these are not the settings of a study", path=place, hint=f"{_FOLDER} writes {SETTINGS}"
        )
    return data


def input_names(settings: Mapping[str, Any]) -> list[str]:
    """The files that settings name: judgments, runs, those of options, and groups.

    >>> input_names({"inputs": [{"role": "qrels", "name": "q.txt", "sha256": ""}], "groups": "groups.tsv"})
    ['q.txt', 'groups.tsv']
    """
    groups = settings.get("groups")
    return [*(entry["name"] for entry in settings["inputs"]), *([groups] if isinstance(groups, str) else [])]


def _are_settings(data: Mapping[str, Any]) -> bool:
    return all(isinstance(data.get(name), kind) for name, kind in _KINDS.items()) and all(
        isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in ("role", "name"))
        for entry in data["inputs"]
    )


def _definition(given: Mapping[str, Any]) -> StudyKind:
    found = STUDIES.find(given["kind"])
    if found is None:
        raise PolicyError("E213", f"there is no study {given['kind']!r}", hint=f"one of {', '.join(STUDIES)}")
    return found


def _given_scores(given: Mapping[str, Any]) -> Scores:
    """Scores that were computed elsewhere, from the files that the settings name."""
    from cranfield.stats.score_tables.read import read_scores

    paths = [entry["name"] for entry in given["inputs"] if entry["role"] == "scores"]
    lower = given["given"]["lower_is_better"]
    return read_scores(
        paths, measures=given["measures"], lower_is_better=lower, **given.get("reading", {}).get("scores", {})
    )


def _files(given: Mapping[str, Any]) -> dict[str, Any]:
    """Judgments and runs, from the files that the settings name, read in the same way."""
    from cranfield.read import read_qrels
    from cranfield.read.options import ReadOptions
    from cranfield.read.sources.runs import Sources, files

    reading = given.get("reading", {})
    qrels = next(entry["name"] for entry in given["inputs"] if entry["role"] == "qrels")
    runs: dict[str, list[str]] = {}
    for entry in given["inputs"]:
        if entry["role"] == "run":
            runs.setdefault(entry["name"], []).append(entry["run"])
    options = ReadOptions(**reading.get("runs", {}))
    parts = [files([path], options, names[0] if len(names) == 1 else None) for path, names in runs.items()]
    return {
        "qrels": read_qrels(qrels, **reading.get("qrels", {})),
        "runs": Sources(tuple(member for part in parts for member in part.members)),
    }
