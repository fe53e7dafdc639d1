"""The files that a command reads and writes: no file may be both read and written, or written twice."""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from cranfield.errors import Error, PolicyError
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
        self.recorded: list[str] = []  # paths without patterns, some of them from settings
        self.written: list[tuple[str, str]] = []  # the option that names it, and the path
        self.folders: list[tuple[str, str]] = []

    def reads(self, path: str) -> None:
        """A file that is read: a path, a pattern, or another way to name files in an argument."""
        self.read.append(path)

    def reads_recorded(self, path: str) -> None:
        """A file that is read under exactly that name, in UTF-8 or as settings say."""
        self.recorded.append(path)

    def writes(self, option: str, path: str) -> None:
        """A file that is written; standard output (`-`) is none."""
        if path != "-":
            self.written.append((option, path))

    def writes_into(self, option: str, folder: str) -> None:
        """A folder that files are written into."""
        self.writes(option, folder)
        self.folders.append((option, folder))

    def check(self, encodings: Sequence[str] = ()) -> None:
        """Refuse to write over what is read, to write two things into one file, and an encoding of no file."""
        sources = self._expanded()
        if encodings:
            self._check_encodings(",".join(encodings))
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

    def is_free(self, option: str, path: str) -> bool:
        """Whether an option may write there: no other option does, and nothing there is read."""
        others = [also for other, also in self.written if other != option]
        return not any(same_file(path, each) or _inside(path, each) for each in [*others, *self._sources()])

    def _sources(self) -> list[str]:
        """Every file that is read and can be found."""
        from cranfield.read.sources.paths import expand

        found = [*self.recorded]
        for source in self.read:
            with suppress(Error):
                found += [str(item.path) for item in expand([source])]
        return found

    def _check_encodings(self, said: str) -> None:
        """Refuse an encoding whose pattern names none of the files that are read."""
        from cranfield.errors.names import nearest
        from cranfield.read.sources.content import STDIN
        from cranfield.read.sources.encodings import ROLES, unmatched

        named = [STDIN if path == "-" else path for path in self._named()]
        inside = (os.path.join(at, name) for path in named for at, _, names in os.walk(path) for name in names)
        paths = [*named, *inside]
        if (found := unmatched(said, paths)) is not None:
            pattern, name = found
            near = nearest(pattern, [*ROLES, *map(os.path.basename, paths)])
            hint = f"did you mean {near}={name}?" if near else "the pattern is a path or a name of a file, or a role"
            raise PolicyError("E246", f"--encoding {pattern}={name}: no input has that name", hint=hint)

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
        return [*self._named(), *self.recorded]

    def _named(self) -> list[str]:
        """The files that arguments and options name."""
        if not self.read:
            return []
        from cranfield.read.sources.paths import expand

        return [str(item.path) for item in expand(self.read)]


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
