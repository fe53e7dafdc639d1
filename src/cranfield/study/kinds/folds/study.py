"""`folds`: how good a tuned system is on topics that it was not tuned on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import parse
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.paired.definition import TESTS
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.folds.held_out import HeldOut
from cranfield.study.kinds.folds.splits import fixed_roles, folds_of, read_labels, refuse_leaks, roles_of, worded
from cranfield.study.kinds.folds.tuning import TunedSystem, Tuner, systems_of
from cranfield.tables.side.matching import match_names


@define(
    "folds",
    "how good is the tuned system on topics it was not tuned on",
    examples=(
        "cranfield study folds qrels.txt grid/*.run -m AP",
        "cranfield study folds qrels.txt grid/*.run -m nDCG@10 --folds 10 --baseline ql",
        "cranfield study folds qrels.txt grid/*.run --nested --families topics.tsv",
    ),
)
@dataclass(frozen=True)
class Folds(Study[Collection]):
    """Choose the setting of each system on some topics, and score it on the others.

    Runs called `NAME:param=value` are the settings of the system NAME. The topics are split into folds at random; for
    each fold every system takes the setting with the best mean on the other folds (the first of equals), and is scored
    on this one. The scores of all folds together are the held-out score, and the best mean of a setting on all topics
    minus that is the optimism of tuning on the test topics.
    """

    folds: int = option(
        5, "parts into which the topics are split", metavar="K", check=lambda k: k >= 2, rule="a whole number from 2"
    )
    repeats: int = option(
        10, "random splits of the topics", metavar="N", check=lambda n: n >= 1, rule="a whole number from 1"
    )
    nested: bool = option(False, "keep one more fold apart, which picks the system")
    families: str | None = option(
        None, "topic and family on each line; topics of a family stay together", metavar="FILE", file=True
    )
    roles: str | None = option(
        None, "topic and role on each line: train, validation or test", metavar="FILE", file=True
    )
    tune_on: str | None = option(None, "measure that chooses the settings", usual="each for itself", metavar="NAME")
    baseline: str | None = option(None, "system with which the others are compared", metavar="NAME")
    test: str = option("t", "test of the held-out scores", metavar="NAME", names=TESTS, besides=("none",))
    adjust: str = option("holm", "correction for many comparisons", metavar="NAME", names=CORRECTIONS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nested and self.roles is None and self.folds < 3:
            raise PolicyError(
                "E240",
                f"{setting('folds', self.folds)} is too few for three roles",
                hint=f"{setting('folds', 3)}, or more",
            )

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each random split."""
        self._tuner(data)
        self._roles(data, 0, 0)
        for path in filter(None, (self.families, self.roles)):
            match_names(read_labels(path, "TOPIC LABEL"), data.topics, "topic", path=path)
        names = [system.name for system in systems_of(data.runs)]
        if self.baseline is not None and self.baseline not in names:
            raise PolicyError("E205", f"baseline {self.baseline!r} is not among the systems: {', '.join(names)}")
        return [{"repeat": repeat} for repeat in range(1 if self.roles else self.repeats)]

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The choices and held-out scores of one split."""
        return self._tuner(data).tuned(self._roles(data, unit["repeat"], seed))

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Held-out score, chosen settings and optimism of each system, and whether the systems differ."""
        roles = self._roles(data, 0, seed)
        held = HeldOut(
            self._tuner(data),
            chosen=np.stack([each["chosen"] for each in found]),
            tuned=np.stack([each["tuned"] for each in found]),
            tested=np.stack([each["tested"] for each in found]),
            held=np.stack([each["held"] for each in found]),
            picked=np.stack([each["picked"] for each in found]),
            split=worded(roles, self.nested) + (", families kept together" if self.families else ""),
            test=self.test,
            adjust=self.adjust,
            baseline=self.baseline,
            seed=seed,
        )
        return held.findings()

    def _tuner(self, data: Collection) -> Tuner:
        """The tuner: each measure chooses its own settings, or one measure chooses for all."""
        names = [str(measure) for measure in data.measures]
        column = np.arange(len(names))
        if self.tune_on is not None:
            wanted = str(parse(self.tune_on))
            if wanted not in names:
                raise PolicyError(
                    "E223", f"{setting('tune_on', wanted)} is not measured", hint=f"one of {', '.join(names)}"
                )
            column = np.full(len(names), names.index(wanted))
        return Tuner(data, self._systems(data), column)

    def _systems(self, data: Collection) -> tuple[TunedSystem, ...]:
        return systems_of(data.runs)

    def _roles(self, data: Collection, repeat: int, seed: int) -> Ints:
        """`[fold, topic]` of one split, without leaks."""
        families = self._families()
        if self.roles is not None:
            labels = read_labels(self.roles, f"{setting('roles', 'FILE')} has lines of TOPIC ROLE")
            roles = fixed_roles(data.topics, labels, self.roles)
        else:
            fold = folds_of(data.topics, families, self.folds, seed, "folds", repeat)
            roles = roles_of(fold, self.folds, self.nested)
        refuse_leaks(roles, data.topics, families)
        return roles

    def _families(self) -> Mapping[str, str]:
        return (
            {}
            if self.families is None
            else read_labels(self.families, f"{setting('families', 'FILE')} has lines of TOPIC FAMILY")
        )
