"""The registry of sections: the name, the heading, and the function that makes its blocks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cranfield.errors import PolicyError
from cranfield.errors.names import place
from cranfield.errors.wording import setting
from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.reporting.page.blocks import Block
    from cranfield.reporting.page.material import ReportMaterial

Blocks = Callable[["ReportMaterial"], "Iterable[Block]"]


@dataclass(frozen=True)
class ReportSection:
    """A section of a report.

    Attributes:
        name: by which it is chosen.
        title: its heading.
        number: its place among the sections.
        needs: what there must be for it, in words; empty if it can always be written.
        blocks: makes its content; no content: the section is left out.
    """

    name: str
    title: str
    number: int
    needs: str
    blocks: Blocks


SECTIONS: Final = Registry[ReportSection]("section", "cranfield.reporting.page.sections")


def section(name: str, title: str, *, number: int, needs: str = "") -> Callable[[Blocks], Blocks]:
    """Register the function below as the section of that name."""

    def add(blocks: Blocks) -> Blocks:
        SECTIONS.add(name, ReportSection(name, title, number, needs, blocks), home=blocks.__module__)
        return blocks

    return add


def section_names() -> list[str]:
    """The names of all sections in their order.

    >>> section_names()[:3]
    ['data', 'scores', 'comparison']
    """
    return [each.name for each in sorted(SECTIONS.values(), key=lambda each: each.number)]


def chosen_sections(names: Iterable[str] | None) -> list[ReportSection]:
    """The sections of these names, or all, in the order of the report."""
    known = section_names()
    wanted = known if names is None else [known[place(name, known, "section")] for name in names]
    if not wanted:
        raise PolicyError("E244", "no section was named", hint=setting("sections", ",".join(known[:2])))
    return [SECTIONS[name] for name in known if name in wanted]
