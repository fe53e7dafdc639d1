"""Export a lab under a named rule: the file, and beside it how its grades came about."""

import json
import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from cranfield.errors import PolicyError
from cranfield.errors.wording import either, setting
from cranfield.judging.exporting.choice import ChosenGrade, ExportCounts, chosen_grades
from cranfield.judging.exporting.export_rules import RAW, rule_named
from cranfield.judging.exporting.practice import meta_of
from cranfield.judging.exporting.raw import rendered_raw
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.exporting.tables import disputed_rows, qrels_of
from cranfield.judging.records import PEOPLE
from cranfield.read.sources.adaptive_mark import SIDE_FILE, marked
from cranfield.registry import one_of
from cranfield.tables.qrels import Qrels
from cranfield.tables.source import Source
from cranfield.write.sink import ending, put
from cranfield.write.text import lines
from cranfield.write.write import WRITERS, render, target

DISPUTED = ".disputed.tsv"
INCLUDABLE = ("llm",)
_REAL = ("qrels-jsonl", "qrels-csv")  # formats that a mean may be written to
PARTIAL = 5  # exit code: a partial result was written


@dataclass(frozen=True)
class RenderedExport:
    """The bytes of an export and of the file beside it."""

    data: bytes
    format: str
    counts: ExportCounts
    meta: dict[str, Any]  # a JSON object
    disputed: tuple[tuple[str, str, str], ...]  # topic, document, grades

    @property
    def meta_file(self) -> bytes:
        """The bytes of `FILE.meta.json`."""
        return (json.dumps(self.meta, ensure_ascii=False, indent=1) + "\n").encode()

    @property
    def disputed_file(self) -> bytes:
        """The bytes of `FILE.disputed.tsv`."""
        return lines("\t".join(row) for row in (("topic", "document", "grades"), *self.disputed))


@dataclass(frozen=True)
class Exported:
    """What was exported: the counts of pairs, and the files that were written.

    Attributes:
        rule: how grades came about.
        otherwise: the rule for pairs whose assessors differ and that no adjudicator settled.
        counts: of pairs, and what became of them.
        open_as: the grade of pairs that no assessor could or did judge; None if they are left out.
        files: the paths that were written: the file itself, then those beside it.
        disputed: topic, document and grades of each pair without a winner, which is left out.
        adaptive: whether some pairs were chosen by looking at judgments, so that sampling estimators refuse the file.
    """

    rule: str
    otherwise: str
    counts: ExportCounts
    open_as: int | None
    files: tuple[str, ...]
    disputed: tuple[tuple[str, str, str], ...]
    adaptive: bool

    @property
    def exit(self) -> int:
        """The exit code of a command that wrote it: 5, if disputed pairs were left out."""
        return PARTIAL if self.disputed else 0

    def line(self) -> str:
        """The export in one line."""
        counts, fate = self.counts, "omitted" if self.open_as is None else f"written as {self.open_as}"
        parts = [f"{counts.judged:,} judged"]
        if counts.disputed:
            parts.append(f"{counts.disputed:,} without a winner (omitted)")
        parts.append(f"{counts.cannot:,} cannot judge ({fate})")
        parts.append(f"{counts.open + counts.later:,} open ({fate})")
        if counts.partly:
            parts.append(f"{counts.partly:,} judged by fewer assessors than asked for")
        rule = f"{self.rule}, otherwise {self.otherwise}" if self.rule == "adjudicated" else self.rule
        return f"{counts.pairs:,} pairs: {' · '.join(parts)}   rule: {rule}"

    def __str__(self) -> str:
        return self.line()

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "rule": self.rule,
            "otherwise": self.otherwise,
            "open": self.open_as,
            "counts": vars(self.counts),
            "files": list(self.files),
            "disputed": [dict(zip(("topic", "document", "grades"), row, strict=True)) for row in self.disputed],
            "adaptive": self.adaptive,
        }


def export_snapshot(
    lab: LabSnapshot,
    path: "str | os.PathLike[str]",
    rule: str = "adjudicated",
    otherwise: str = "majority",
    open_as: int | None = None,
    include: Collection[str] = (),
    format: str | None = None,
    complete: bool = False,
) -> Exported:
    """Write a lab to a file, and beside it `FILE.meta.json` and, if pairs are disputed, `FILE.disputed.tsv`."""
    made = rendered_export(lab, rule, otherwise, open_as, include, format, complete, ending=ending(path))
    name = os.fspath(path)
    files = [name]
    if name != "-":
        put(made.meta_file, f"{name}{SIDE_FILE}", compress=False)
        files.append(f"{name}{SIDE_FILE}")
        if made.disputed or os.path.exists(f"{name}{DISPUTED}"):  # one of an earlier export would mislead
            put(made.disputed_file, f"{name}{DISPUTED}", compress=False)
            files.append(f"{name}{DISPUTED}")
    put(made.data, name, compress="parquet" not in made.format)
    return Exported(
        rule=rule,
        otherwise=otherwise,
        counts=made.counts,
        open_as=open_as,
        files=tuple(files),
        disputed=made.disputed,
        adaptive=bool(made.meta["adaptive"]),
    )


def rendered_export(
    lab: LabSnapshot,
    rule: str = "adjudicated",
    otherwise: str = "majority",
    open_as: int | None = None,
    include: Collection[str] = (),
    format: str | None = None,
    complete: bool = False,
    *,
    ending: str = "",
) -> RenderedExport:
    """The bytes of an export; the format is that of the name, or of the ending, or TREC qrels (raw: JSON lines)."""
    _check(rule, otherwise, open_as, include, complete)
    if rule == RAW:
        chosen, counts = chosen_grades(lab.pairs, "max", "max", include)
        kind = format or ending.removeprefix(".") or "jsonl"
        written = kind.removeprefix("raw-")
        data = rendered_raw([pair.of_kinds({*PEOPLE, *include}) for pair in lab.pairs], written)
        disputed: tuple[tuple[str, str, str], ...] = ()
        written = f"raw-{written}"
    else:
        chosen, counts = chosen_grades(lab.pairs, rule, otherwise, include, complete=complete)
        data, written = _qrels_data(chosen, rule, otherwise, open_as, format, ending)
        disputed = tuple(disputed_rows(chosen))
    meta = meta_of(lab, counts, rule=rule, otherwise=otherwise, open_as=open_as, include=include, format=written)
    meta["complete"] = complete
    return RenderedExport(data, written, counts, meta, disputed)


def exported_qrels(
    lab: LabSnapshot,
    rule: str = "adjudicated",
    otherwise: str = "majority",
    open_as: int | None = None,
    include: Collection[str] = (),
    complete: bool = False,
) -> Qrels:
    """The grades under a rule as qrels, which carry the mark of pairs chosen by looking at judgments."""
    _check(rule, otherwise, open_as, include)
    if rule == RAW:
        raise PolicyError("E244", "raw judgments are no qrels", hint="lab.judgments() gives all of them")
    chosen, _ = chosen_grades(lab.pairs, rule, otherwise, include, complete=complete)
    made = qrels_of(chosen, open_as, whole=_whole(rule, otherwise), sampled=True)
    source = Source(lab.facts.get("name", ""), "lab", lab.hash, lines=False, metadata=marked(list(lab.chosen_by)))
    return replace(made, source=source)


def _qrels_data(
    chosen: list[ChosenGrade], rule: str, otherwise: str, open_as: int | None, format: str | None, ending: str
) -> tuple[bytes, str]:
    whole = _whole(rule, otherwise)
    plain = qrels_of(chosen, open_as, whole=whole)
    to = target(plain, ending, format)
    if not whole and to.name not in _REAL:
        problem = f"{to.name} holds whole grades, and {rule if not rule_named(rule).whole else otherwise} gives others"
        raise PolicyError(
            "E118", problem, hint=f"write JSONL or CSV: {either('a path such as qrels.jsonl', '-o qrels.jsonl')}"
        )
    held = WRITERS[to.name].holds
    sampled = "probability" in held or "stratum" in held
    return render(qrels_of(chosen, open_as, whole=whole, sampled=True) if sampled else plain, to), to.name


def _whole(rule: str, otherwise: str) -> bool:
    """Whether all grades are those of assessors."""
    return rule_named(rule).whole and (rule != "adjudicated" or rule_named(otherwise, "otherwise").whole)


def _check(rule: str, otherwise: str, open_as: int | None, include: Collection[str], complete: bool = False) -> None:
    if rule != RAW:
        rule_named(rule)
        rule_named(otherwise, "otherwise")
    if open_as is not None and open_as >= 0:
        hint = "-1 means pooled but not judged; 0 would be a judgment that no assessor made"
        raise PolicyError("E244", f"{setting('open_as', open_as)} must be negative", hint=hint)
    if open_as is not None and rule == RAW:
        raise PolicyError("E244", f"{setting('open_as', open_as)} has no effect on raw judgments", hint="leave it out")
    if complete and rule == RAW:
        raise PolicyError("E244", "complete has no effect on raw judgments", hint="leave it out")
    for each in include:
        one_of("include", each, INCLUDABLE)
