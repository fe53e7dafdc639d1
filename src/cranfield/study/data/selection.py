"""Select the runs of a study: the rules of the papers by name, and the runs that each rule dropped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from cranfield.align.joined_run import JoinedRun
from cranfield.arrays import Bools, zero_if_undefined
from cranfield.errors import PolicyError
from cranfield.errors.ranges import out_of_range
from cranfield.errors.wording import setting
from cranfield.measures.grammar import parse
from cranfield.random_streams import stream
from cranfield.registry import Registry, registered
from cranfield.tables.summary import summary
from cranfield.tables.words import counted

DEPTH = 1000  # documents of a full list, of the rule ag07
_SHARE = 95  # per cent of all full lists
KeepRule: TypeAlias = Callable[["Choice", Sequence[JoinedRun]], Bools]


@dataclass(frozen=True)
class SelectionRule:
    """A rule by which runs are kept."""

    name: str
    rule: KeepRule
    by_group: bool = False  # whether it looks at the groups of runs

    @property
    def title(self) -> str:
        """What it keeps: the first line of its docstring."""
        return (self.rule.__doc__ or "").partition("\n")[0]


RULES: Registry[SelectionRule] = Registry("rule")


def selects(name: str, *, aliases: str = "", by_group: bool = False) -> Callable[[KeepRule], KeepRule]:
    """Register a function of this module, of the choice and the runs, as the rule `name`."""

    def register(rule: KeepRule) -> KeepRule:
        RULES.add(name, SelectionRule(name, rule, by_group), aliases.split())
        return rule

    return register


@dataclass(frozen=True)
class Choice:
    """The rules that runs must pass, in order, and how many of the remaining runs are drawn."""

    keep: tuple[str, ...] = ()
    sample: int | None = None
    groups: Mapping[str, str] | None = None  # run -> group
    rel: float = 1
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "keep", tuple(registered("keep", name, RULES) for name in self.keep))
        by_group = next((name for name in self.keep if RULES[name].by_group), None)
        if by_group and self.groups is None:
            raise PolicyError(
                "E244",
                f"{setting('keep', by_group)} needs groups",
                hint=f"{setting('groups', 'FILE')}, lines of RUN GROUP",
            )
        if self.sample is not None and not (type(self.sample) is int and self.sample >= 1):
            raise out_of_range("sample", self.sample, "a whole number from 1")

    def group(self, run: str) -> str:
        """The group of a run; one that is not listed is a group of its own."""
        return (self.groups or {}).get(run, run)

    def of(self, runs: Sequence[JoinedRun]) -> tuple[list[JoinedRun], list[str]]:
        """The runs that pass, and a note for each rule that dropped some."""
        left, notes = list(runs), []
        steps = [(name, RULES[name].rule) for name in self.keep]
        if self.sample is not None:
            steps.append((f"a sample of {self.sample}", _sampled))
        for name, rule in steps:
            passed = rule(self, left)
            if dropped := [run.facts.name for run, fine in zip(left, passed, strict=True) if not fine]:
                notes.append(f"{name}: {counted(len(dropped), 'run')} dropped ({some(dropped)})")
            left = [run for run, fine in zip(left, passed, strict=True) if fine]
        return left, notes


@selects("ag07")
def _full_lists(choice: Choice, runs: Sequence[JoinedRun]) -> Bools:
    """At least 95 % of the documents that full lists of 1000 would hold, and one for every topic (AG07)."""
    passed = []
    for run in runs:
        retrieved = run.hits.retrieved
        most = len(retrieved) * DEPTH
        passed.append(bool(100 * int(retrieved.sum()) >= _SHARE * most and (retrieved >= 1).all()))
    return np.array(passed, dtype=bool)


@selects("first-quartile")
def _above_first_quartile(choice: Choice, runs: Sequence[JoinedRun]) -> Bools:
    """MAP strictly above the first quartile of all runs, by linear interpolation (FFM14)."""
    measure = parse("AP").at_level(choice.rel)
    means = np.array([summary(zero_if_undefined(measure(run.hits)), "mean") for run in runs])
    return np.asarray(means > np.quantile(means, 0.25)) if len(means) else np.ones(0, dtype=bool)


@selects("one-per-group", by_group=True)
def _one_per_group(choice: Choice, runs: Sequence[JoinedRun]) -> Bools:
    """One run of each group, drawn at random (SK08)."""
    members: dict[str, list[str]] = {}
    for run in runs:
        members.setdefault(choice.group(run.facts.name), []).append(run.facts.name)
    drawn = {
        sorted(names)[int(stream(choice.seed, "one-per-group", group).integers(len(names)))]
        for group, names in members.items()
    }
    return np.array([run.facts.name in drawn for run in runs], dtype=bool)


def _sampled(choice: Choice, runs: Sequence[JoinedRun]) -> Bools:
    """The given number of runs, drawn at random; all, if there are no more."""
    names = sorted(run.facts.name for run in runs)
    size = min(len(names), choice.sample or len(names))
    drawn = set(stream(choice.seed, "sample").permutation(names)[:size].tolist())
    return np.array([run.facts.name in drawn for run in runs], dtype=bool)


def some(names: Sequence[str], most: int = 8) -> str:
    """The first names of many.

    >>> some(["a", "b", "c"], most=2)
    'a, b, …'
    """
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
