"""Write the reference pages from the registries: `python docs/generate.py`.

The pages are checked in; a test makes sure that writing them again changes nothing.
"""

import inspect
from collections.abc import Iterable
from pathlib import Path

import click

import cranfield.measures
import cranfield.read
import cranfield.write
from cranfield.align.policy import CHOICES, NAMES, Policy
from cranfield.cli.group import VERBS, group
from cranfield.errors import CATALOGUE
from cranfield.measures.definition import FAMILIES
from cranfield.measures.pages import MeasurePage, by_family
from cranfield.read.definition import FORMATS

FOLDER = Path(__file__).parent / "reference"
REGISTRIES = (cranfield.measures, cranfield.read, cranfield.write)  # importing them fills the registries
NOTE = "<!-- written by docs/generate.py -->"
ROLES = {
    "run": "Runs",
    "qrels": "Judgments",
    "topics": "Topics",
    "documents": "Documents",
    "pool": "Pools",
    "estimate": "Label probabilities",
    "efficiency": "Latencies",
    "intents": "Intent probabilities",
}
KINDS = {
    "E1": "Files and objects",
    "E2": "Measures, names and options",
    "E3": "Damaged or unusual files",
    "E4": "The judging store",
    "E7": "Faults of cranfield",
    "W1": "Notes: the result stands",
}


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    return {
        "measures.md": measures(),
        "formats.md": formats(),
        "errors.md": errors(),
        "policies.md": policies(),
        "cli.md": command_line(),
    }


def measures() -> str:
    """All measures: a table for each family, then a section for each measure."""
    parts = [
        "# Measures",
        "A measure is written `NAME`, `NAME@k`, `NAME(parameter=value)` or `NAME(parameter=value)@k`. A prime, as in "
        "`nDCG'@10`, leaves the unjudged documents out of the list before anything is computed. Aliases are found in "
        "any letter case; those of trec_eval carry their cut-off as `P_10` or `ndcg_cut.10`.",
        "`cranfield measures NAME` prints these pages in a terminal, `--bibtex` their references.",
    ]
    for family, listed in by_family().items():
        if family != "own":
            parts += [f"## {family.capitalize()}: {FAMILIES[listed[0].family]}", _overview(listed)]
            parts += [page.to_markdown(level=3) for page in listed]
    return _page(parts)


def _overview(listed: Iterable[MeasurePage]) -> str:
    rows = [(f"[{page.name}](#{_anchor(page.name)})", ", ".join(page.aliases), page.title) for page in listed]
    return _table(("measure", "aliases", "what it is"), rows)


def _anchor(heading: str) -> str:
    """The anchor that the site gives a heading."""
    return "".join(character for character in heading.lower() if character.isalnum() or character in "-_")


def formats() -> str:
    """All formats, by what they hold."""
    parts = [
        "# File formats",
        "The format of a file is told by its ending, then by its first 50 lines; `--format-in` names it where that is "
        "not enough, and `cranfield convert` turns one into another. Every text file may be packed with gzip, bzip2, "
        "xz or zstd. A line that begins with `#` is a comment in files of white-space separated columns.",
    ]
    for role, heading in ROLES.items():
        rows = [
            (
                f"`{name}`",
                "yes" if item.writable else "no",
                " ".join(f"`{ending}`" for ending in item.endings),
                _code(item.sample),
                item.description,
            )
            for name, item in sorted(FORMATS.items())
            if item.role == role
        ]
        if rows:
            parts += [f"## {heading}", _table(("name", "written", "endings", "a line", "what it is"), rows)]
    return _page(parts)


def errors() -> str:
    """All codes of errors and notes."""
    parts = [
        "# Errors and notes",
        "Every message names its code; `cranfield --explain E105` prints what stands here. In Python the code is "
        "`error.code`, the place `error.path` and `error.line`, the remedy `error.hint`.",
        "Exit codes: 0 done; 1 a condition of `--fail-if` was met, or `check` found errors; 2 wrong usage; 3 invalid "
        "data; 4 a file is missing; 5 a partial result was written; 70 a fault of cranfield; 130 interrupted.",
    ]
    for start, heading in KINDS.items():
        rows = [
            (f"<a id='{code.lower()}'></a>{code}", kind.title, kind.explanation, str(kind.exit))
            for code, kind in sorted(CATALOGUE.items())
            if code.startswith(start)
        ]
        if rows:
            parts += [f"## {heading}", _table(("code", "what", "why", "exit"), rows)]
    return _page(parts)


def policies() -> str:
    """The choices that shape a number."""
    described = _attributes(inspect.getdoc(Policy) or "")
    rows = [
        (
            f"`{name}`",
            f"`--{name.replace('_', '-')}`" if name in CHOICES else {"rel": "`-l`", "depth": "`-M`"}[name],
            ", ".join(f"`{value}`" for value in CHOICES.get(name, ())) or "a number",
            f"`{getattr(Policy, name)}`",
            described[name],
        )
        for name in NAMES
    ]
    parts = [
        "# Policies",
        "Every choice that shapes a number has one name, one default, and is recorded in the result. With all defaults "
        "the means are those of `trec_eval -c`, version 10.",
        _table(("Python", "command line", "values", "default", "meaning"), rows),
    ]
    return _page(parts)


def _attributes(document: str) -> dict[str, str]:
    """Name -> description, from the `Attributes:` of a docstring."""
    found: dict[str, str] = {}
    name = ""
    for line in document.partition("Attributes:\n")[2].splitlines():
        if line.startswith("    ") and not line.startswith("     "):
            name, _, text = line.strip().partition(": ")
            found[name] = text
        elif line.startswith("     "):
            found[name] += " " + line.strip()
        else:
            break
    return found


def command_line() -> str:
    """The help page of every verb."""
    context = click.Context(group, info_name="cranfield", **group.context_settings)
    parts = [
        "# Command line",
        "Results go to standard output; notes, progress and errors to standard error. `--json` prints one envelope, "
        "whose schema is printed by `--json-schema`.",
        f"```text\n{group.get_help(context).rstrip()}\n```",
    ]
    for name, what in VERBS.items():
        command = group.get_command(context, name)
        own = _help(command, context) if command else ""
        guide = "[The guide](../how-to/use-as-trec_eval.md) shows how to use it."
        text = f"{what.capitalize()}. {guide}" if name == "trec_eval" else f"```text\n{own.rstrip()}\n```"
        parts += [f"## cranfield {name}", text]
    return _page(parts)


def _help(command: click.Command, parent: click.Context) -> str:
    return command.get_help(click.Context(command, parent, command.name, **command.context_settings))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in lines)


def _code(sample: str) -> str:
    return f"`{sample.replace('|', '&#124;')}`".replace("\t", "⇥")


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join([NOTE, *parts]) + "\n"


def write() -> None:
    """Write all pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
