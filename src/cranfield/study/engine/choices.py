"""Keyword arguments of every study beside its own options, for type checkers and the stub of `cranfield.study`."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from cranfield.align.policy import Policy, PolicyChoices
from cranfield.read.accepted import GroupsLike
from cranfield.tables.source import Grades
from cranfield.workers import Progress


class WorkChoices(TypedDict, total=False):
    """The workers and the output folder, which do not change any number."""

    jobs: int | None
    cluster: Any  # an address, or a Client of Dask
    folder: str | os.PathLike[str] | None
    progress: Progress | None


class EngineChoices(WorkChoices, total=False):
    """What every study takes."""

    seed: int
    reading: Mapping[str, Any] | None  # keyword options of readers


class StudyChoices(EngineChoices, PolicyChoices, total=False):
    """What every study of a collection takes: which runs, and how they are evaluated."""

    policy: Policy | None
    keep: str | Sequence[str]
    sample: int | None
    groups: GroupsLike | None
    grades: Grades
