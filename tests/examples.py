"""Runs what a page shows, in an empty directory, and finds out what was really printed.

    ```console             lines after `$ ` are commands of one shell; the lines below each are what it prints
    ```python              is executed; a ```text block right below it is what it prints
    ```pycon               a session with `>>>`
    ```text title="x.run"  (any language) a file that the page shows, written before what follows is run

A line `…` in an output stands for any lines. It cannot hide a failure: the command must then end with code 0, or
`echo $?` must be the next one.

`cranfield demo` and `build_demo` take frozen rankings, because those of the standard library differ from one Python to
the next.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.sample.library.frozen import frozen_world

BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<language>\w+)(?P<rest>[^\n`]*)\n(?P<body>.*?)^(?P=fence) *$", re.DOTALL | re.MULTILINE
)
TITLE = re.compile(r'title="([^"]+)"')
END = "=-=-= end of command, code"
PROGRAMS = Path(__file__).parent / "sample/library/bin"  # cranfield, with frozen rankings


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    language: str
    title: str
    body: str
    follows: bool  # nothing but blank lines stand between it and the block before


@dataclass(frozen=True)
class Outcome:
    """What was shown and what was printed."""

    line: int
    source: str
    shown: str
    printed: str
    hidden_failure: bool = False  # it failed, and the page leaves out what it printed

    @property
    def right(self) -> bool:
        """Whether they agree, blanks at the ends of lines apart."""
        if self.hidden_failure:
            return False
        shown = [line.rstrip() for line in self.shown.strip("\n").splitlines()]
        printed = [line.rstrip() for line in self.printed.strip("\n").splitlines()]
        return agree(shown, printed)


def agree(shown: list[str], printed: list[str]) -> bool:
    """Whether lines are equal, `…` standing for any number of them.

    >>> agree(["a", "…", "c"], ["a", "b", "b", "c"]), agree(["a"], ["a", "b"]), agree(["…"], [])
    (True, False, True)
    """
    if not shown:
        return not printed
    if shown[0] == "…":
        return any(agree(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and agree(shown[1:], printed[1:])


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found, end = [], 0
    for match in BLOCK.finditer(text):
        title = TITLE.search(match["rest"])
        follows = not text[end : match.start()].strip()
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(line, match["language"], title[1] if title else "", match["body"], follows))
        end = match.end()
    return found


def run_page(text: str, folder: Path) -> Iterator[Outcome]:
    """Do what the page does, block after block."""
    names: dict[str, Any] = {"__name__": "__main__"}  # what the page's Python has defined
    page = blocks(text)
    for number, block in enumerate(page):
        if block.title:
            target = folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.body, encoding="utf-8")
        elif block.language == "console":
            yield from _console(block, folder)
        elif block.language == "python":
            after = page[number + 1] if number + 1 < len(page) else None
            shown = after.body if after and after.follows and after.language == "text" and not after.title else ""
            yield Outcome(block.line, block.body, shown, _python(block.body, names, folder))
        elif block.language == "pycon":
            yield from _session(block, names, folder)


def _console(block: Block, folder: Path) -> Iterator[Outcome]:
    """The commands of a block share a shell, so that `cd` and `$?` mean what they say."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.body.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and commands[-1][0].endswith("\\") and not commands[-1][1]:
            commands[-1] = (f"{commands[-1][0]}\n{line}", [])
        else:
            commands[-1][1].append(line)
    script = "".join(f"{command}\ncode=$?; printf '\\n{END} %s\\n' $code; (exit $code)\n" for command, _ in commands)
    tools = os.pathsep.join([str(PROGRAMS), str(Path(sys.executable).parent), os.environ["PATH"]])
    fixed = {"COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, **fixed, "PATH": tools},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    printed = re.findall(rf"(.*?)\n{END} (\d+)\n", done.stdout.decode(), re.DOTALL)
    following = [command for command, _ in commands[1:]] + [""]
    for (command, shown), (output, code), after in zip(commands, printed, following, strict=True):
        hidden = code != "0" and "…" in shown and after != "echo $?"
        yield Outcome(block.line, command, "\n".join(shown), output, hidden)


def _python(source: str, names: dict[str, Any], folder: Path) -> str:
    out = io.StringIO()
    frozen = patch("cranfield.sample.demo.this_library", frozen_world)
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), frozen:
        try:
            exec(compile(source, "<page>", "exec"), names)  # the page's own example
        except Exception:
            return out.getvalue() + traceback.format_exc()
    return out.getvalue()


def _session(block: Block, names: dict[str, Any], folder: Path) -> Iterator[Outcome]:
    test = doctest.DocTestParser().get_doctest(block.body, names, "page", None, block.line)
    report = io.StringIO()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    with contextlib.chdir(folder):
        doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    yield Outcome(block.line, block.body, "", report.getvalue())
