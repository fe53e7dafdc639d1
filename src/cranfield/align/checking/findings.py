"""What a check found, as text and as data."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from cranfield.align.checking.collection import CollectionRecord
from cranfield.errors import Error, echo, printable
from cranfield.errors.arguments import checked_methods
from cranfield.errors.wording import Wording
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

Severity = Literal["error", "warning", "note"]
Status = Literal["green", "yellow", "red"]
_STATUS: dict[Severity, Status] = {"error": "red", "warning": "yellow", "note": "green"}
_ORDER: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """One finding: `kind` says what it is about, `code` is its entry in the catalogue, if it has one."""

    level: Severity
    kind: str
    message: str
    code: str = ""
    line: int | None = None
    text: str | None = None
    hint: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", Wording(self.message))
        object.__setattr__(self, "hint", Wording(self.hint))

    @classmethod
    def of(cls, error: Error) -> "Finding":
        """An error that a reader raised."""
        return cls(
            level="error",
            kind=error.code,
            message=error.problem,
            code=error.code,
            line=error.line,
            text=error.text,
            hint=error.hint,
        )

    def said(self, say: Callable[[str], str]) -> "Finding":
        """The same, reworded by `say` for Python or the command line."""
        return replace(self, message=say(self.message), hint=say(self.hint))

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        first = " ".join(filter(None, (self.level, self.code, place + printable(self.message))))
        return first if self.text is None else f"{first}\n  {echo(self.text)}"


@dataclass(frozen=True)
class FileReport:
    """One file: what it is, and what was found in it."""

    name: str
    role: str
    guessed: bool
    format: str
    rows: int
    sha256: str | None
    summary: str
    findings: tuple[Finding, ...]

    @property
    def status(self) -> Status:
        """Green: nothing found; yellow: usable, with warnings; red: cannot be used as it is."""
        return status_of(self.findings)

    def __str__(self) -> str:
        role = f"{self.role} ({'guessed' if self.guessed else 'as said'})"
        what = ", ".join(filter(None, (role, self.format, self.summary)))
        head = f"{self.status.upper():<6}  {printable(self.name)}: {what}"
        return "\n".join([head, *_listed(self.findings)])


@checked_methods
@dataclass(frozen=True)
class CheckReport:
    """What was found in each file, and between the files."""

    files: tuple[FileReport, ...]  # what was found in each file
    across: tuple[Finding, ...]  # what was found between files
    collection: CollectionRecord | None = None  # documents, topics and judgments in numbers, if such files were given

    @property
    def status(self) -> Status:
        """The worst of everything."""
        return status_of([finding for file in self.files for finding in file.findings] + list(self.across))

    def said(self, say: Callable[[str], str]) -> "CheckReport":
        """The same, reworded by `say` for Python or the command line."""
        files = [replace(file, findings=tuple(finding.said(say) for finding in file.findings)) for file in self.files]
        return replace(self, files=tuple(files), across=tuple(finding.said(say) for finding in self.across))

    def text(self) -> str:
        """For a terminal; the colours are words."""
        blocks = [str(file) for file in self.files]
        if self.across:
            blocks.append("\n".join([f"{status_of(self.across).upper():<6}  across the files", *_listed(self.across)]))
        if self.collection is not None:
            blocks.append(f"collection: {self.collection}")
        blocks.append(self._verdict())
        return "\n".join(f" {line}".rstrip() for line in "\n\n".join(blocks).splitlines())

    def _verdict(self) -> str:
        colours = Counter(file.status for file in self.files)
        files = ", ".join(f"{colours[name]} {name}" for name in ("green", "yellow", "red") if colours[name])
        meaning = {
            "green": "nothing to repair",
            "yellow": "usable, but look at the warnings",
            "red": "repair the errors",
        }
        return f"{self.status}: {meaning[self.status]} · {counted(len(self.files), 'file')}: {files}"

    __repr__ = text

    def sheet(self) -> Sheet:
        """One row for each finding."""
        rows = [(file.name, finding) for file in self.files for finding in file.findings]
        rows += [("", finding) for finding in self.across]
        names = ("level", "code", "kind", "line", "message", "hint")
        return Sheet(
            (
                Column("file", [name for name, _ in rows]),
                *(Column(name, [getattr(finding, name) for _, finding in rows]) for name in names),
            ),
            notes=(self._verdict(),),
            caption="Findings",
            label="tab:check",
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "status": self.status,
            "files": [asdict(file) | {"status": file.status} for file in self.files],
            "across": [asdict(finding) for finding in self.across],
            "collection": None if self.collection is None else self.collection.to_dict(),
        }

    def to_json(self) -> str:
        """Everything as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def status_of(findings: Iterable[Finding]) -> Status:
    """The colour of the worst finding."""
    levels = {finding.level for finding in findings}
    return next((_STATUS[level] for level in _ORDER if level in levels), "green")


def limited(findings: Sequence[Finding], most: int) -> tuple[Finding, ...]:
    """The findings, errors first, with at most `most` of each kind and a word about the others.

    >>> [str(f) for f in limited([Finding("note", "ties", "a"), Finding("note", "ties", "b")], 1)]
    ['note a', 'note … and 1 more of this kind']
    """
    kept: list[Finding] = []
    for level in _ORDER:
        here = [finding for finding in findings if finding.level == level]
        for kind in dict.fromkeys(finding.kind for finding in here):
            same = [finding for finding in here if finding.kind == kind]
            kept += same[:most]
            if (rest := len(same) - most) > 0:
                kept.append(Finding(level, kind, f"… and {rest:,} more of this kind", same[0].code))
    return tuple(kept)


def _listed(findings: Sequence[Finding]) -> list[str]:
    """Indented; a hint that several findings share stands once, under the last of them."""
    following_hints = [*(finding.hint for finding in findings), ""][1:]
    lines = []
    for finding, following in zip(findings, following_hints, strict=True):
        lines += [f"  {line}" for line in str(finding).splitlines()]
        if finding.hint and finding.hint != following:
            lines.append(f"    hint: {printable(finding.hint)}")
    return lines
