"""Command lines made at random, each in a process of its own: whatever is asked, the command ends as it should.

    python -m tests.fuzz.commands --calls 50 --seed 1        so many calls
    python -m tests.fuzz.commands --seconds 600              as many as fit

The invariant of every call: a documented exit code; no traceback and no warning of another package; whoever fails says
why and leaves no result, whole or in part; memory and time stay within bounds, since the inputs are small.
"""

import argparse
import os
import random
import re
import resource
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import click

from cranfield.cli import main
from cranfield.cli.group import group
from cranfield.whole_files import UNFINISHED

MEMORY = 2 << 30  # bytes; not of address space, of which the engine that draws charts reserves very much
SECONDS = 120  # a guard against what never ends, not a measurement
PYTHON = re.compile(
    r"""\b[a-z_]{2,}=(["'\[{]|[-\d])|\b(None|True|False)\b|\bcf\.|\b(cranfield|study)\.[a-z_]+\(|<class """
)
CODES = {0, 1, 2, 3, 4, 5}
VERBS = ("evaluate", "compare", "check", "convert", "agree", "holes", "pool", "measures", "study", "trec_eval")
RUN = "".join(f"{t} Q0 d{(7 * r + t) % 9} {r} {9 - r} {{0}}\n" for t in range(1, 6) for r in range(1, 7))
QRELS = "".join(f"{t} 0 d{d} {(t * d) % 3}\n" for t in range(1, 6) for d in range(9))
FILES = {
    "q.txt": QRELS,
    "q2.txt": QRELS.replace(" 2\n", " 1\n"),
    "a.run": RUN.format("a"),
    "b.run": RUN.format("b").replace("d1", "d8x").replace("d3", "d1"),
    "c.run": RUN.format("c")[: len(RUN) // 2],
    "broken.run": "1 Q0 d1 1\n\0\n",
    "high.txt": "1 0 d1 1000000\n1 0 d2 9007199254740991\n2 0 d3 1\n",
    "empty": "",
    "run.csv": "topic,doc,score\n1,d1,2\n2,d2,1\n",
    "run.jsonl": '{"topic":"1","doc":"d1","score":1}\n' + "[" * 3000 + "\n",
    "deep.json": "[" * 100_000,
    "bom.run": "\ufeff" + RUN.format("x"),
    "topics.tsv": "1\tone\n2\ttwo\n",
    "cranfield.toml": "",
}
NUMBERS = ("0", "-1", "1", "2", "10", "1000", "99999999999", "99999999999999999999", "1e400", "nan", "0.5", "-0.0")
WORDS = ("", "x", "AP", "nDCG@10", "a,b", "100,50", "*", "é", "1,,2", "all", "@q.txt", "=", "a=b", "\x1b[31m", "utf-16")
OUTPUTS = ("out.csv", "out.tsv", "out.md", "out.json", "out.jsonl", "out.txt", "out", "nowhere/out.csv", "a.run")
GOOD = {"convert": ["a.run"], "pool": ["a.run", "b.run", "c.run"], "agree": ["q.txt", "q2.txt"]}  # of other verbs
NOT_ALONE = {"--help", "-h", "--load", "--cluster", "--version", "--completion"}


class Outcome(NamedTuple):
    """How a call ended, and what is wrong with that."""

    arguments: tuple[str, ...]
    code: int
    said: str
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"cranfield {shlex.join(self.arguments)}\n  ended with {self.code}: {'; '.join(self.wrong)}\n  {self.said}"
        )


def options_of(command: click.Command) -> list[click.Option]:
    """What a verb takes."""
    known = [each for each in command.params if isinstance(each, click.Option)]
    return [each for each in known if not NOT_ALONE & {*each.opts}]


def call_of(chance: random.Random) -> tuple[str, ...]:
    """A call: mostly good files, some options, each with a value that fits or not."""
    context = click.Context(group)
    verb = chance.choice(VERBS)
    words = [verb]
    command = group.get_command(context, verb)
    if verb == "study":
        assert isinstance(command, click.Group)
        words.append(chance.choice(command.list_commands(context)))
        command = command.get_command(context, words[-1])
    assert command is not None
    good = GOOD.get(verb, ["q.txt", "a.run", "b.run"])
    strange = [*FILES, "nowhere.run", "."]
    files = [chance.choice(strange) if chance.random() < 0.15 else name for name in good[: chance.choice((2, 3, 3))]]
    words += [] if verb == "measures" else files
    words += ["-o", chance.choice(OUTPUTS)] if verb == "convert" else []
    if verb == "trec_eval":
        flags = ("-q", "-c", "-l", "-M", "-m", "-N", "-o", "-n", "-J", "-Z", "-D", "-U")
        return (
            *words[:1],
            *chance.sample([*flags, *NUMBERS, "all_trec", "P.5,nan", "iprec_at_recall.nan"], 2),
            *words[1:3],
        )
    known = options_of(command)
    for each in chance.sample(known, min(len(known), chance.choice((0, 1, 1, 2, 3)))):
        words.append(chance.choice(each.opts))
        if not (each.is_flag or each.count):
            words.append(_value(each, chance))
    return tuple(words)


def _value(option: click.Option, chance: random.Random) -> str:
    if option.name in ("path", "folder", "save", "junit", "summary", "output") or "-o" in option.opts:
        return chance.choice(OUTPUTS)
    if isinstance(option.type, click.Choice) and chance.random() < 0.8:
        return str(chance.choice(list(option.type.choices)))
    return chance.choice((*NUMBERS, *NUMBERS, *WORDS, *FILES))


def outcome(arguments: tuple[str, ...]) -> Outcome:
    """What became of a call, in a copy of this process and a folder of its own."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "here")
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_bytes(text.encode())
        out, err = Path(place, "out"), Path(place, "err")
        child = os.fork()
        if child == 0:
            _child(arguments, folder, out, err)
        status = os.wait4(child, 0)[1]
        code = os.waitstatus_to_exitcode(status)
        said = err.read_text("utf-8", "replace")
        return Outcome(arguments, code, said[-600:], tuple(_wrong(arguments, code, out.read_bytes(), said, folder)))


def _child(arguments: tuple[str, ...], folder: Path, out: Path, err: Path) -> None:
    """The call itself; never returns."""
    code = 99
    try:
        os.chdir(folder)
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        signal.alarm(SECONDS)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _wrong(arguments: tuple[str, ...], code: int, out: bytes, said: str, folder: Path) -> Iterator[str]:
    if code == -signal.SIGALRM:
        yield f"not done after {SECONDS} s"
    elif code not in CODES:
        yield "no documented exit code"
    if "Traceback" in said or "Warning:" in said:
        yield "a foreign word"
    if code in (2, 3, 4) and (python := spoken(said) or spoken(out.decode("utf-8", "replace"))):
        yield f"speaks Python: {python!r}"
    if code in (2, 3, 4) and not said:
        yield "failed without a reason"
    if code in (2, 3, 4) and out and not out.startswith(b'{"schema": '):
        yield "failed with a result"
    made = {path.name for path in folder.iterdir()} - FILES.keys()
    if left := [name for name in made if name.endswith(UNFINISHED)]:
        yield f"unfinished files: {left}"
    reports = {value for option, value in pairwise(arguments) if option in ("--junit", "--summary")}  # of errors, too
    if code in (2, 3, 4) and any((folder / name).is_file() for name in made - reports):
        yield f"failed, and left {sorted(made)}"
    written = set() if code else {name for name in OUTPUTS if arguments.count(name) == 1}  # twice: an input too
    kept = [(name, text) for name, text in FILES.items() if name not in written]
    if changed := [name for name, text in kept if (folder / name).read_bytes() != text.encode()]:
        yield f"inputs changed: {changed}"


def spoken(said: str) -> str:
    """The first words that only Python understands; the notation of measures, in brackets, is for everybody.

    >>> spoken('hint: duplicates="first" keeps one'), spoken("try nDCG(dcg='jk')@10 or --rel 2")
    ('duplicates="', '')
    """
    found = PYTHON.search(re.sub(r"(?<=\w)\([^()]*\)", "", said))
    return found[0] if found else ""


def outcomes(seed: int) -> Iterator[Outcome]:
    """Calls without end; the same ones for the same seed."""
    for number in range(sys.maxsize):
        yield outcome(call_of(random.Random(f"{seed}-{number}")))


def repeated(endless: Callable[[int], Iterator[Outcome]], what: str) -> int:
    """Take as many outcomes as the command line asks for, and print those that are wrong."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--calls", type=int, default=sys.maxsize)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    until, bad, number = time.monotonic() + wanted.seconds, 0, 0
    for number, found in enumerate(endless(wanted.seed), start=1):
        if found.wrong:
            bad += 1
            print(found, flush=True)
        if number >= wanted.calls or time.monotonic() > until:
            break
    print(f"{number} {what}: {bad} ended as they should not", flush=True)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(repeated(outcomes, "command lines made at random"))
