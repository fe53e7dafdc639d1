"""The report as a folder: the page, every table for papers and programs, every chart as a picture, scores and audit."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors.extras import installed
from cranfield.reporting.page.blocks import FigureBlock, TableBlock
from cranfield.whole_files import make_folder, write_whole

if TYPE_CHECKING:
    from cranfield.reporting.page.report import Report

CHARTS = (".svg", ".pdf", ".png", ".json")
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


def write_folder(report: "Report", folder: str, page: bytes) -> list[str]:
    """Write all files (EXP-7); each is complete or absent. Returns their names."""
    names = []
    for name, data in files(report, page):
        place = Path(folder) / name
        make_folder(place.parent)
        write_whole(place, data)
        names.append(os.path.join(folder, *name.split("/")))
    return names


def files(report: "Report", page: bytes) -> Iterator[tuple[str, bytes]]:
    """The name of every file inside the folder, and its bytes."""
    yield "report.html", page
    tables, charts = set[str](), set[str]()
    for block in (block for section in report.sections for block in section.blocks):
        if isinstance(block, TableBlock):
            name, sheet = f"tables/{_free(block.name, tables)}", block.sheet
            forms = {".tex": sheet.latex, ".md": sheet.markdown, ".csv": sheet.csv}
            for ending, form in forms.items():
                end = "" if ending == ".csv" else "\n"
                yield f"{name}{ending}", f"{form()}{end}".encode("utf-8", "backslashreplace")
        elif isinstance(block, FigureBlock):
            name = f"charts/{_free(block.name, charts)}"
            for ending in CHARTS:
                yield f"{name}{ending}", block.figure.rendered(ending)
    if installed("frames"):
        from cranfield.tables.sheets.score_rows import TOPIC, topic_rows
        from cranfield.tables.sheets.sheet import Column, Sheet

        rows = list(zip(*topic_rows(report.material.scores), strict=True))
        columns = tuple(Column(name, list(values)) for name, values in zip(TOPIC, rows, strict=True))
        yield "scores.parquet", Sheet(columns).parquet()
    audit = report.audit
    known = {**audit.as_dict(), "policies": dict(audit.policies), "inputs": [dict(entry) for entry in audit.inputs]}
    yield "audit.json", (json.dumps(known, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


def _free(name: str, used: set[str]) -> str:
    """A name that every system of files takes, and no other table or chart has.

    >>> taken: set[str] = set()
    >>> _free("microscope-../q 1", taken), _free("microscope-../q 1", taken)
    ('microscope-..-q-1', 'microscope-..-q-1-2')
    """
    plain = _ODD.sub("-", name)[:80].strip("-.") or "table"
    found, number = plain, 1
    while found.lower() in used:
        number += 1
        found = f"{plain}-{number}"
    used.add(found.lower())
    return found
