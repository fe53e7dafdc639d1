"""Policies: every choice that shapes a number has one name, one default, and is recorded in the result."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack, get_args, get_origin

from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_class
from cranfield.errors.wording import setting
from cranfield.registry import one_of

if TYPE_CHECKING:
    from cranfield.arrays import Bools, Floats

Ties = Literal["trec", "trec9", "given", "file", "expected", "best", "worst"]
MANY_ORDERS: tuple[Ties, ...] = ("expected", "best", "worst")
TopicSet = Literal["qrels", "intersection", "union"]
NoRelevant = Literal["zero", "exclude", "one", "error"]
COUNTS_AS: dict[NoRelevant, float] = {"zero": 0.0, "one": 1.0}  # what is undefined; the others leave it out, or stop
Negative = Literal["unjudged", "nonrelevant", "error"]
Unjudged = Literal["nonrelevant", "condensed", "bounds", "estimate"]
RANGED: tuple[Unjudged, ...] = ("bounds", "estimate")
Duplicates = Literal["error", "first", "last", "best"]
FoldBy = Literal["max", "first"]
Collapse = Literal["any", "max"]  # how judgments of subtopics become one grade: not a field of `Policy`


class WordChoices(TypedDict, total=False):
    """The fields of `Policy` that are chosen by a word, as keyword arguments."""

    ties: Ties
    topic_set: TopicSet
    no_relevant: NoRelevant
    negative: Negative
    unjudged: Unjudged
    duplicates: Duplicates
    fold_by: FoldBy


class CleaningChoices(TypedDict, total=False):
    """The fields of `Policy` that say what is cleaned, as keyword arguments."""

    drop_self: bool
    fold: str | Mapping[str, str] | None


class PolicyChoices(WordChoices, CleaningChoices, total=False):
    """All fields of `Policy` as keyword arguments, such as `evaluate(qrels, runs, ties="file")`."""

    rel: float
    depth: int | None


@checked_class
@dataclass(frozen=True, eq=False)
class Policy:
    """The choices of one evaluation; the defaults give the means of `trec_eval -c`, version 10, except for its defects.

    `fold` may also be a dict from chunk to document.

    Attributes:
        ties: how a list is ordered. `trec`: score descending in double precision, then document id descending by
            bytes; `trec9`: the same in single precision; `given`: the rank column; `file`: the order of the lines.
            The others look at every order of documents with equal scores: `expected` is the mean of a measure over
            all of them, `best` its best value and `worst` its worst.
        topic_set: which topics are in the mean. `qrels`: every judged topic; one that a run did not answer scores 0,
            and has the residual 1 under RBP; `intersection`: the judged topics a run answered; `union`: also topics
            without any judgment.
        no_relevant: what an undefined value of a topic without relevant documents counts as. `one` is what LightGBM and
            XGBoost do; measures that are defined there, such as P and RR, stay as they are.
        negative: what a grade below 0 means. `unjudged`: pooled, but not judged; `nonrelevant`: grade 0.
        unjudged: what an unjudged document counts as; a prime in a measure's name overrides it. `nonrelevant`: grade 0;
            `condensed`: it is left out of the list; `bounds`: the lowest and the highest possible mean are given
            beside the mean as judged; `estimate`: the expected mean under a prior, with its 5-95 % band, is.
        duplicates: which row is kept if a run lists a document twice for a topic.
        fold_by: which chunk represents its document where `fold` makes one of several: `max`, the one with the
            highest score; `first`, the first one in the file.
        drop_self: leave a document out of the list of the topic that has the same id, as BEIR does.
        fold: chunks become documents before a list is ranked. A regular expression: its first group is the document,
            or, without a group, what it matches is cut off (`#[0-9]+$`); or a file with chunk and document on each
            line. The judgments stay as they are.
        rel: lowest relevant grade of binary measures that do not name their own.
        depth: last rank of every list that counts; lists are cut off there before they are scored.

    >>> Policy(ties="trec9").ties
    'trec9'
    """

    ties: Ties = "trec"
    topic_set: TopicSet = "qrels"
    no_relevant: NoRelevant = "zero"
    negative: Negative = "unjudged"
    unjudged: Unjudged = "nonrelevant"
    duplicates: Duplicates = "error"
    fold_by: FoldBy = "max"
    drop_self: bool = False
    fold: str | Mapping[str, str] | None = None
    rel: float = 1
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, values in CHOICES.items():
            one_of(name, getattr(self, name), values)
        rel: object = self.rel  # which callers may get wrong
        if isinstance(rel, bool) or not isinstance(rel, Real) or not math.isfinite(rel):
            raise PolicyError("E241", f"{setting('rel', self.rel)} is no grade", hint="a number, such as 1")
        if self.depth is not None and not (type(self.depth) is int and 1 <= self.depth <= 2**53):
            from cranfield.errors.ranges import out_of_range

            hint = f"a whole number from 1 to {2**53:,}, or none for all"
            raise out_of_range("depth", self.depth, hint)
        if self.fold is not None:
            from cranfield.align.converting.cleaning import Folding

            Folding.of(self.fold)

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, Policy) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(value for name, value in vars(self).items() if name != "fold"))  # which may be a dict

    def with_(self, **changes: Unpack[PolicyChoices]) -> "Policy":
        """The same policy with some choices changed.

        >>> Policy().with_(ties="file").ties
        'file'
        """
        if unknown := next((name for name in changes if name not in NAMES), None):
            raise PolicyError("E245", f"there is no policy {unknown!r}", hint=f"one of {', '.join(NAMES)}")
        return replace(self, **changes)

    def counted(self, values: "Floats", without_relevant: "Bools | bool") -> "Floats":
        """The values, with `no_relevant` applied to those that are undefined because no document is relevant.

        All other undefined values stay undefined. No other function decides this.

        >>> import numpy as np
        >>> values, without = np.array([np.nan, np.nan, 0.5]), np.array([True, False, False])
        >>> Policy().counted(values, without), Policy(no_relevant="exclude").counted(values, without)
        (array([0. , nan, 0.5]), array([nan, nan, 0.5]))
        >>> Policy(no_relevant="one").counted(values, without)
        array([1. , nan, 0.5])
        """
        if self.no_relevant not in COUNTS_AS:
            return values
        from cranfield.arrays import where_undefined

        return where_undefined(values, COUNTS_AS[self.no_relevant], without_relevant)

    @property
    def cleans(self) -> bool:
        """Whether rows of a run are left out or renamed before it is ranked."""
        return self.drop_self or self.fold is not None

    @property
    def many_orders(self) -> bool:
        """Whether a value is that of all orders inside groups of equal scores, not of one order."""
        return self.ties in MANY_ORDERS

    def require_one_order(self, what: str) -> None:
        """Refuse `ties` that mean many orders if `what` needs one.

        >>> Policy(ties="best").require_one_order("a pool")
        Traceback (most recent call last):
        cranfield.errors.PolicyError: E243: a pool needs one order, and ties="best" stands for many
          hint: one of trec, trec9, given, file
        """
        if self.many_orders:
            orders = ", ".join(name for name in get_args(Ties) if name not in MANY_ORDERS)
            problem = f"{what} needs one order, and {setting('ties', self.ties)} stands for many"
            raise PolicyError("E243", problem, hint=f"one of {orders}")

    @property
    def ranged(self) -> bool:
        """Whether a range of possible values is asked for beside each mean."""
        return self.unjudged in RANGED

    def require_single_values(self, what: str) -> None:
        """Refuse `unjudged` that asks for ranges where `what` needs single values.

        >>> Policy(unjudged="bounds").require_single_values("a study")
        Traceback (most recent call last):
        cranfield.errors.PolicyError: E243: a study needs single values, and unjudged="bounds" asks for ranges
          hint: one of nonrelevant, condensed
        """
        if self.ranged:
            single = ", ".join(name for name in get_args(Unjudged) if name not in RANGED)
            problem = f"{what} needs single values, and {setting('unjudged', self.unjudged)} asks for ranges"
            raise PolicyError("E243", problem, hint=f"one of {single}")

    def require_no_ones(self, what: str) -> None:
        """Refuse `no_relevant="one"`, with which one more relevant document can lower a value from 1 to 0.

        >>> Policy(no_relevant="one").require_no_ones("a range")
        Traceback (most recent call last):
        cranfield.errors.PolicyError: E243: a range is not defined with no_relevant="one"
          hint: one of zero, exclude
        """
        if self.no_relevant == "one":
            problem = f"{what} is not defined with {setting('no_relevant', self.no_relevant)}"
            raise PolicyError("E243", problem, hint="one of zero, exclude")

    def as_dict(self) -> dict[str, Any]:
        """Every choice by name."""
        return asdict(self)


NAMES = tuple(field.name for field in fields(Policy))
CHOICES: dict[str, tuple[str, ...]] = {
    each.name: get_args(each.type) for each in fields(Policy) if get_origin(each.type) is Literal
}


class RowsLeftOut(NamedTuple):
    """How many rows cleaning left out."""

    folded: int = 0  # of documents of which another row was kept
    self_matches: int = 0

    @classmethod
    def total(cls, parts: "Iterable[RowsLeftOut]") -> "RowsLeftOut":
        """The sums."""
        columns = [*zip(*parts, strict=True)]
        return cls(*map(sum, columns)) if columns else cls()


NOTHING = RowsLeftOut()
