"""The audit of every result: the policies, counts, versions and inputs behind its numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from cranfield.arrays import Bools, EqualByContent
from cranfield.tables.words import counted
from cranfield.versions import installed

HIGHER, LOWER = "higher is better", "lower is better"


@dataclass(frozen=True, eq=False, repr=False)
class Audit(EqualByContent):
    """Counts, policies and inputs of one evaluation.

    `topics_left_out` counts the judged topics that were left out on request.
    `judged_at_k[run][k]` is judged ÷ retrieved within the first *k* documents, averaged over the topics with a list.
    `without_relevant[measure]` counts the topics without a relevant document at the level of that measure.
    `single_precision_ties[run]` counts neighbours whose scores differ in double precision but not in single: there
    trec_eval 9 (`ties=trec9`) orders by document id.
    `tie_groups_with_effect` counts the groups of equal scores of which some order changes a value (None: not counted).
    `tie_methods[measure]` says, of `ties=expected`, `best` or `worst`, in how many lists a value was found by formula
    (`exact`), by going through all orders (`enumeration`) or from random ones (`sampling`); lists in which no order
    changes the value are not counted. `tie_standard_errors[run][measure]` is that of a mean from random orders.
    `folded[run]` counts the rows left out because another chunk stands for their document, `self_matches[run]` those of
    documents with the id of their topic.
    `shared_names[run]` is the tag, or other name, of a run that is named after its file because other runs have it too.
    """

    topics_in_mean: int = 0
    topics_left_out: int = 0
    topics_scored: Mapping[str, int] = field(default_factory=dict)
    topics_missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    topics_extra: Mapping[str, Sequence[str]] = field(default_factory=dict)
    topics_without_relevant: Sequence[str] = ()
    without_relevant: Mapping[str, int] = field(default_factory=dict)
    tie_groups: int = 0
    tie_groups_by_run: Mapping[str, int] = field(default_factory=dict)
    tie_groups_at_cutoff: int = 0
    tie_groups_with_effect: int | None = None
    tie_groups_with_effect_by_run: Mapping[str, int] = field(default_factory=dict)
    tie_methods: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    tie_standard_errors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    single_precision_ties: Mapping[str, int] = field(default_factory=dict)
    duplicates: int = 0
    duplicates_by_run: Mapping[str, int] = field(default_factory=dict)
    folded: Mapping[str, int] = field(default_factory=dict)
    self_matches: Mapping[str, int] = field(default_factory=dict)
    negative_grades: int = 0
    repeated_judgments: int = 0
    infinite_scores: int = 0
    undefined: Mapping[str, int] = field(default_factory=dict)
    judged_at_k: Mapping[str, Mapping[int, float | None]] = field(default_factory=dict)
    policies: Mapping[str, Any] = field(default_factory=dict)  # the values of Policy, of several types
    inputs: Sequence[Mapping[str, Any]] = ()  # role, name, rows, sha256
    shared_names: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    given: Mapping[str, str] = field(default_factory=dict)  # of scores computed elsewhere: measure -> what is better

    def __repr__(self) -> str:
        lines = [*self.footer(10), self.policy_line(), ", ".join(f"{name} {at}" for name, at in self.versions.items())]
        read = counted(len(self.inputs), "input")
        return "\n".join(["Audit", *(f" {line}" for line in (*lines, f"{read}; as_dict() has all of it") if line)])

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as in the JSON envelope (policies and inputs have their own places there)."""
        told = asdict(replace(self, policies={}, inputs=()))
        return {name: value for name, value in told.items() if name not in ("policies", "inputs")}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Audit":
        """The inverse of `as_dict`; fields of later versions are ignored."""
        known = {f.name for f in fields(cls)}
        judged = {
            run: {int(k): share for k, share in shares.items()} for run, shares in data.get("judged_at_k", {}).items()
        }
        return cls(**{name: value for name, value in data.items() if name in known} | {"judged_at_k": judged})

    def computed_with(self, *packages: str) -> "Audit":
        """The same audit with the versions of further packages that were used.

        >>> list(Audit(versions={"cranfield": "1"}).computed_with("scipy").versions)
        ['cranfield', 'scipy']
        """
        return replace(self, versions={**self.versions, **{name: installed(name) for name in packages}})

    def of_topics(self, topics: Sequence[str], runs: Sequence[str], scored: Bools, empty: Mapping[str, int]) -> "Audit":
        """The audit of scores on some of the topics.

        `scored[run, topic]` says which of them count, and `empty` how many have no relevant document for each measure.

        >>> import numpy as np
        >>> audit = Audit(topics_in_mean=3, topics_missing={"bm25": ["q1", "q3"]})
        >>> audit.of_topics(["q1"], ["bm25"], np.array([[True]]), {}).topics_missing
        {'bm25': ['q1']}
        """
        here = set(topics)
        missing = {run: [topic for topic in lost if topic in here] for run, lost in self.topics_missing.items()}
        counts = scored.sum(axis=1).tolist()
        return replace(
            self,
            topics_in_mean=max(counts, default=0),
            topics_scored=dict(zip(runs, counts, strict=True)),
            topics_missing={run: lost for run, lost in missing.items() if lost},
            topics_without_relevant=[topic for topic in self.topics_without_relevant if topic in here],
            without_relevant={name: min(count, empty.get(name, 0)) for name, count in self.without_relevant.items()},
            undefined={},
        )

    @property
    def averaged(self) -> str:
        """The word for the values of a table: mean, weighted mean or median."""
        if "weights" in self.policies:
            return "weighted mean"
        return "median" if self.policies.get("average") == "median" else "mean"

    def policy_line(self) -> str:
        """The policies at the foot of a table: the five that always matter, and others that are not the default."""
        always = ("ties", "topic_set", "no_relevant", "negative", "unjudged")
        usual = {
            "duplicates": "error",
            "rel": 1,
            "depth": None,
            "average": "macro",
            "ci": "none",
            "standardize": "none",
            "weights": None,
            "drop_self": False,
            "fold": None,
            "fold_by": "max",
        }
        if self.given:
            return self._given_line()
        said = [*always, *(name for name, value in usual.items() if self.policies.get(name, value) != value)]
        return " ".join(
            f"{name.replace('_', '-')}={_short(self.policies[name])}" for name in said if name in self.policies
        )

    def _given_line(self) -> str:
        """That scores were given, and which direction is better."""
        ways = {way: [name for name, each in self.given.items() if each == way] for way in (HIGHER, LOWER)}
        one = next((way for way, names in ways.items() if len(names) == len(self.given)), None)
        said = [one] if one else [f"{way}: {', '.join(names)}" for way, names in ways.items()]
        return " · ".join(["scores were given, not computed here", *said])

    def missing_notes(self) -> list[str]:
        """Notes on topics for which runs have no list."""
        missing = {run: topics for run, topics in self.topics_missing.items() if topics}
        if len(missing) > 3:
            return [f"topics missing in {len(missing)} runs, {self.fate_of_missing}"]
        return [f"{run}: {len(ids)} missing, {self.fate_of_missing} ({_some(ids)})" for run, ids in missing.items()]

    @property
    def fate_of_missing(self) -> str:
        """What became of topics for which a run has no list."""
        if self.policies.get("topic_set") == "intersection":
            return "left out"
        return "scored as empty lists" if self.policies.get("no_relevant") == "one" else "scored 0"

    def without_relevant_notes(self) -> list[str]:
        """Notes on topics without relevant documents, at each level in use."""
        excluded = self.policies.get("no_relevant") == "exclude"
        counts = {m: n for m, n in self.without_relevant.items() if n and (not excluded or m in self.undefined)}
        fate = "left out" if excluded else "scored 1" if self.policies.get("no_relevant") == "one" else "scored 0"
        together = len(set(counts.values())) == 1 and not excluded
        return [
            ("" if together else f"{', '.join(m for m in counts if counts[m] == n)}: ")
            + f"{n} without relevant documents, {fate}"
            for n in dict.fromkeys(counts.values())
        ]

    def undefined_notes(self) -> list[str]:
        """Notes on values that a definition leaves undefined, or that a given table does not hold."""
        said = self.without_relevant if self.policies.get("no_relevant") == "exclude" else {}
        rest = {name: count for name, count in self.undefined.items() if not said.get(name)}
        if self.given:
            return [f"{name}: {counted(count, 'score')} missing" for name, count in rest.items()]
        return [f"{name}: undefined for {counted(count, 'ranking')}" for name, count in rest.items()]

    def _tied_values(self, cutoff: int) -> str:
        if self.tie_groups_with_effect is None:  # scores of an earlier version
            return f"{self.tie_groups_at_cutoff:,} across rank {cutoff}"
        return f"{self.tie_groups_with_effect:,} can change a value"

    def _random_order_notes(self) -> list[str]:
        """Which values come from random orders of documents with equal scores, and how sure they are."""
        notes = []
        for measure, methods in self.tie_methods.items():
            if not (sampled := methods.get("sampling", 0)):
                continue
            orders, ties = f"1,000 random orders in {counted(sampled, 'list')}", self.policies.get("ties")
            errors = [own[measure] for own in self.tie_standard_errors.values() if measure in own]
            precision = f", standard error of the mean at most {max(errors):.4f}" if errors else ""
            notes.append(
                f"{measure}: {orders}{precision}" if ties == "expected" else f"{measure}: the {ties} of {orders}"
            )
        return notes

    def cleaning_notes(self) -> list[str]:
        """How many rows were left out on request.

        >>> Audit(policies={"drop_self": True}, self_matches={"bm25": 2}).cleaning_notes()
        ['self-matches left out 2']
        """
        said = [f"chunks folded {sum(self.folded.values()):,}"] if self.policies.get("fold") is not None else []
        dropped = f"self-matches left out {sum(self.self_matches.values()):,}"
        return [*said, *([dropped] if self.policies.get("drop_self") else [])]

    def name_notes(self) -> list[str]:
        """Which runs are named after their files, and why.

        >>> Audit(shared_names={"a": "indri", "b": "indri"}).name_notes()
        ["2 runs share the name 'indri', so they are named after their files"]
        """
        counts = Counter(self.shared_names.values())
        if len(counts) > 1:
            return [f"{counted(counts.total(), 'run')} share {len(counts)} names, so they are named after their files"]
        return [
            f"{counted(count, 'run')} {'share' if count > 1 else 'shares'} the name {name!r}, "
            f"so {'they are' if count > 1 else 'it is'} named after {'their files' if count > 1 else 'its file'}"
            for name, count in counts.items()
        ]

    def footer(self, cutoff: int) -> list[str]:
        """The lines under a table of means."""
        chosen = f" of {self.topics_in_mean + self.topics_left_out:,} judged" if self.topics_left_out else ""
        first = [f"{counted(self.topics_in_mean, 'topic')} in the {self.averaged}{chosen}", *self.missing_notes()]
        first += [*self.without_relevant_notes(), *self.undefined_notes()]
        if self.given:
            return [" · ".join(first)]
        second = [
            f"ties: {counted(self.tie_groups, 'group')}, {self._tied_values(cutoff)}",
            f"duplicates {self.duplicates:,}",
            f"negative grades {self.negative_grades:,}",
        ]
        second += self.cleaning_notes()
        if self.infinite_scores:
            second.append(f"infinite scores {self.infinite_scores:,}")
        if extra := sum(self.single_precision_ties.values()):
            second.append(f"{counted(extra, 'neighbour')} tied in single precision only (see ties=trec9)")
        return [" · ".join(first), " · ".join([*second, *self._random_order_notes()]), *self.name_notes()]


def _short(value: object) -> object:
    """A policy in one word; a map of ids is counted."""
    return counted(len(value), "id") if isinstance(value, Mapping) else value


def _some(ids: Sequence[str], most: int = 5) -> str:
    return ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
