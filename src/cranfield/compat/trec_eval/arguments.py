"""The command line of trec_eval."""

import os
from collections.abc import Mapping, Sequence
from getopt import GetoptError, gnu_getopt
from typing import Literal, NamedTuple, TypeAlias

from cranfield.compat.trec_eval.numerals import LARGEST, whole
from cranfield.compat.trec_eval.quit import Quit
from cranfield.compat.trec_eval.reader import JUDGMENT_FORMATS, RESULT_FORMATS

Version: TypeAlias = Literal[9, 10]
CHOICE = "CRANFIELD_TREC_EVAL"
NAMES = {9: "9.0.7", 10: "10.0-rc3"}  # what the programs call themselves
USAGE = "Usage: trec_eval [-h] [-q] [-m measure[.params]] [-c] [-n] [-l <num>] [-J] [-N <num>] [-M <num>] \
[-R rel_format] [-T results_format] rel_info_file results_file\n"

_LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure=": "m",
    "complete_rel_info_wanted": "c",
    "nosummary": "n",
    "level_for_rel=": "l",
    "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R",
    "Results_format=": "T",
    "Output_old_results_format": "o",
    "Debug_level=": "D",
    "Zscore=": "Z",
}


class TrecOptions(NamedTuple):
    """What the command line asks for."""

    version: Version = 10
    per_topic: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    level: int = 1
    max_docs: int | None = None
    num_docs: int = LARGEST
    measures: tuple[str, ...] = ()
    judgment_format: str = "qrels"
    result_format: str = "trec_results"
    qrels: str = ""
    run: str = ""
    zscores: str | None = None
    explain: bool = False
    wants: Literal["evaluation", "help", "version"] = "evaluation"


def parse(arguments: Sequence[str]) -> TrecOptions:
    """Read a command line; the flags are trec_eval's, and `--as 9|10` and `--explain` are ours.

    >>> options = parse(["-q", "-mP.5,10", "-l2", "qrels", "run", "--as", "9"])
    >>> options.version, options.per_topic, options.measures, options.level, options.run
    (9, True, ('P.5,10',), 2, 'run')
    """
    try:
        pairs, files = gnu_getopt(list(arguments), "hvqm:cnl:JN:M:R:T:oD:Z:", [*_LONG, "as=", "explain"])
    except GetoptError as problem:
        raise Quit(1, f"trec_eval: {problem.msg}\n{USAGE}") from None
    letters = {f"--{name.rstrip('=')}": f"-{letter}" for name, letter in _LONG.items()}
    given = [(letters.get(flag, flag), value) for flag, value in pairs]
    last = dict(given)
    version = _version(last.get("--as", os.environ.get(CHOICE) or "10"))
    if "-h" in last or "-v" in last:
        return TrecOptions(version, wants="help" if "-h" in last else "version")
    if len(files) != 2:
        raise Quit(1, USAGE)
    return TrecOptions(
        version=version,
        per_topic="-q" in last,
        summary="-n" not in last,
        complete="-c" in last,
        judged_only="-J" in last,
        level=_number(last.get("-l", "1")),
        max_docs=_number(last["-M"]) if "-M" in last else None,
        num_docs=_number(last["-N"]) if "-N" in last else LARGEST,
        measures=_measures(given),
        judgment_format=_format(last.get("-R", "qrels"), JUDGMENT_FORMATS, "rel_info"),
        result_format=_format(last.get("-T", "trec_results"), RESULT_FORMATS, "results"),
        qrels=files[0],
        run=files[1],
        zscores=last.get("-Z"),
        explain="--explain" in last,
    )


def _measures(given: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(value for flag, value in given if flag == "-m")


def _number(text: str) -> int:
    return whole(text.encode())


def _version(text: str) -> Version:
    if text not in ("9", "10"):
        raise Quit(2, f"trec_eval: there is no version {text!r} here, only 9 and 10\n")
    return 9 if text == "9" else 10


def _format(name: str, known: Mapping[str, object], noun: str) -> str:
    if name not in known:
        raise Quit(2, f"trec_eval: unknown {noun} format '{name}'\n")
    return name
