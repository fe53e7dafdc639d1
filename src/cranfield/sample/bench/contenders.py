"""The programs that are compared: ours, called in several ways, and the other packages that are installed."""

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.sample.bench import programs
from cranfield.sample.bench.files import Files

OURS = "cranfield"  # the one that all others are compared with
MEASURES = {  # trec_eval's name -> ours
    "map": "AP",
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
    "P_10": "P@10",
    "recall_100": "R@100",
    "bpref": "Bpref",
}
RANX = ("map", "ndcg@10", "mrr", "precision@10", "recall@100", "bpref")  # ranx's names, in the same order
PEERS = {  # name -> distribution
    "pytrec_eval": "pytrec-eval-terrier",
    "ir_measures": "ir-measures",
    "ranx": "ranx",
}


@dataclass(frozen=True)
class Contender:
    """A program: its command, to which the files are appended, and what it calls our measures."""

    name: str
    command: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    wide: bool = False  # prints a column for each measure
    single: bool = False  # takes one run: a process for each

    def commands(self, files: Files) -> list[list[str]]:
        """The processes that evaluate all runs."""
        runs = [str(path) for path in files.runs]
        groups = [[run] for run in runs] if self.single else [runs]
        return [[*self.command, str(files.qrels), *group] for group in groups]


@dataclass(frozen=True)
class Peers:
    """Names of the packages to compare with, and the path of trec_eval, if given."""

    packages: tuple[str, ...] = ()
    trec_eval: str | None = None

    @property
    def versions(self) -> dict[str, str]:
        """Program -> version, of ourselves and of every package that takes part."""
        return {OURS: _version(OURS), **{name: _version(PEERS[name]) for name in self.packages}}


def parse_peers(given: Sequence[str]) -> Peers:
    """`trec_eval=PATH`, `pytrec_eval`, `ir_measures`, `ranx`, separated by commas; `none` for none.

    >>> parse_peers(["none"])
    Peers(packages=(), trec_eval=None)
    """
    packages, path = [], None
    for word in (word.strip() for text in given for word in text.split(",")):
        name, _, value = word.partition("=")
        if name == "trec_eval":
            path = _program(value)
        elif word in PEERS:
            if find_spec(word) is None:
                raise PolicyError("E200", f"{word} is not installed", hint=f"pip install {PEERS[word]}")
            packages.append(word)
        elif word not in ("", "none"):
            known = ", ".join(PEERS)
            raise PolicyError(
                "E213", f"{setting('against')}: {word!r} is unknown", hint=f"trec_eval=PATH, {known}, or none"
            )
    return Peers(tuple(dict.fromkeys(packages)), path)


def installed_peers() -> Peers:
    """Every peer that can be imported, and trec_eval where the environment names it."""
    path = os.environ.get("TREC_EVAL")
    return Peers(tuple(name for name in PEERS if find_spec(name)), _program(path) if path else None)


def ours(threads: int) -> list[Contender]:
    """`cranfield.evaluate` with one thread and, on request, with several; the two verbs."""
    called = ",".join(MEASURES.values())
    jobs = [1, threads] if threads > 1 else [1]
    python = [
        Contender(
            OURS if number < 2 else f"{OURS}, {number} threads",
            (sys.executable, "-c", programs.CRANFIELD, str(number), called),
        )
        for number in jobs
    ]
    verb = (sys.executable, "-c", programs.COMMAND)
    wanted = [part for name in MEASURES.values() for part in ("-m", name)]
    kept = {name: name for name in MEASURES.values()}
    return [
        *python,
        Contender(
            "cranfield evaluate", (*verb, "evaluate", "-q", "--per-topic", "--format", "tsv", *wanted), kept, wide=True
        ),
        Contender("cranfield trec_eval", (*verb, "trec_eval", "-q", *_flags()), MEASURES, single=True),
    ]


def theirs(peers: Peers) -> list[Contender]:
    """The peers, each with its own names for the measures."""
    every = {
        "pytrec_eval": (programs.PYTREC_EVAL, dict(MEASURES)),
        "ir_measures": (programs.IR_MEASURES, {name: name for name in MEASURES.values()}),
        "ranx": (programs.RANX, dict(zip(RANX, MEASURES.values(), strict=True))),
    }
    found = [
        Contender(name, (sys.executable, "-c", program, ",".join(names)), names)
        for name, (program, names) in every.items()
        if name in peers.packages
    ]
    if peers.trec_eval:
        found.append(Contender("trec_eval", (peers.trec_eval, "-q", *_flags()), MEASURES, single=True))
    return found


def _flags() -> list[str]:
    """`-m map -m ndcg_cut.10 …`: trec_eval wants a dot before parameters."""
    return [part for name in MEASURES for part in ("-m", re.sub(r"_(\d+)$", r".\1", name))]


def _program(path: str) -> str:
    found = shutil.which(path)
    if found is None:
        raise InputError(
            "E101", "no such program", path=path or "trec_eval", hint=f"write {setting('against', 'trec_eval=PATH')}"
        )
    return os.path.abspath(found)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "?"
