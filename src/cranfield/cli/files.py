"""The files that a command reads and writes: no file may be both read and written, or written twice."""

import os
import stat
from collections.abc import Sequence
from typing import Any

import click

from cranfield.errors import PolicyError
from cranfield.whole_files import is_file, output_file, refuse_redirection, same_file

_HINT = "choose another name"
_BY_NUMBER = ("/dev/", "/proc/")  # names of files that are open, standard output among them


class UsedFiles:
    """The files of one command; options and arguments register them while they are read.

    >>> files = UsedFiles()
    >>> files.reads("qrels.txt")
    >>> files.writes("-o", "./qrels.txt")
    >>> files.check()
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E211: -o ./qrels.txt would overwrite an input
      hint: choose another name
    """

    def __init__(self) -> None:
        self.read: list[str] = []  # paths, globs, NAME=path, or - for standard input
        self.recorded: list[str] = []  # paths that settings name: nothing in them stands for anything else
        self.written: list[tuple[str, str]] = []  # the option that names it, and the path
        self.folders: list[tuple[str, str]] = []

    def reads(self, path: str) -> None:
        """A file that is read; whatever stands for files in an argument will do."""
        self.read.append(path)

    def reads_recorded(self, path: str) -> None:
        """A file that is read because settings name it."""
        self.recorded.append(path)

    def writes(self, option: str, path: str) -> None:
        """A file that is written; standard output (`-`) is none."""
        if path != "-":
            self.written.append((option, path))

    def writes_into(self, option: str, folder: str) -> None:
        """A folder that files are written into."""
        self.writes(option, folder)
        self.folders.append((option, folder))

    def check(self) -> None:
        """Refuse to write over what is read, and to write two things into one file."""
        sources = self._expanded()
        self._check_standard_output(sources)
        for number, (option, path) in enumerate(self.written):
            if not _can_be_lost(path):
                continue
            if any(same_file(path, source) or _inside(path, source) for source in sources):
                raise PolicyError("E211", f"{option} {path} would overwrite an input", hint=_HINT)
            for other, also in self.written[:number]:
                if same_file(path, also):
                    raise PolicyError("E211", f"{other} and {option} would both write {path}", hint=_HINT)

        if self.folders:
            self._check_folders(sources)

    def _check_folders(self, sources: Sequence[str]) -> None:
        """Refuse to write beside what is read; a study leaves the settings in its folder as they are."""
        from cranfield.study.engine.result import SETTINGS

        for option, folder in self.folders:
            if any(_inside(source, folder) and os.path.basename(source) != SETTINGS for source in sources):
                raise PolicyError("E211", f"{option} {folder} would overwrite an input", hint=_HINT)

    def _check_standard_output(self, sources: Sequence[str]) -> None:
        """Refuse a redirection of standard output to what is read, or to what an option writes."""
        if (out := output_file()) is None:
            return
        refuse_redirection(sources)
        for option, path in self.written:
            if not path.startswith(_BY_NUMBER) and is_file(out, path):
                raise PolicyError("E211", f"standard output and {option} would both write {path}", hint=_HINT)

    def _expanded(self) -> list[str]:
        """Every single file; a glob that matches nothing, and standard input for two of them, are refused."""
        if not self.read:
            return self.recorded
        from cranfield.read.sources.paths import expand

        return [*(str(item.path) for item in expand(self.read)), *self.recorded]


class InputPath(click.Path):
    """The value of an argument or option that names files to be read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # click's types
        """Register the file with the command."""
        path = super().convert(value, param, ctx)
        if (files := files_of(ctx)) is not None:
            files.reads(str(path))
        return path


class OutputPath(click.Path):
    """The value of an option that names a file to be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # click's types
        """Register the file with the command."""
        path = super().convert(value, param, ctx)
        if (files := files_of(ctx)) is not None and param is not None:
            files.writes(param.opts[0], str(path))
        return path


class OutputFolder(click.Path):
    """The value of an option that names a folder to write into."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # click's types
        """Register the folder with the command."""
        path = super().convert(value, param, ctx)
        if (files := files_of(ctx)) is not None and param is not None:
            files.writes_into(param.opts[0], str(path))
        return path


def files_of(ctx: click.Context | None) -> UsedFiles | None:
    """The files of the command that is being read, unless it is only completed."""
    files = getattr(None if ctx is None or ctx.resilient_parsing else ctx.obj, "files", None)
    return files if isinstance(files, UsedFiles) else None


def _can_be_lost(path: str) -> bool:
    """Whether writing there replaces something: a terminal or a pipe may be read and written at once."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True  # not there yet


def _inside(path: str, folder: str) -> bool:
    """Whether a file is one of those in a folder that is read."""
    return os.path.isdir(folder) and os.path.exists(path) and same_file(os.path.dirname(os.path.realpath(path)), folder)
