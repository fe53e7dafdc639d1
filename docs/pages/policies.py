"""The choices that shape a number."""

import inspect

from cranfield.align.policy import CHOICES, NAMES, Policy
from docs.markup import table, written


def page() -> str:
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
        table(("Python", "command line", "values", "default", "meaning"), rows),
    ]
    return written(parts)


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
