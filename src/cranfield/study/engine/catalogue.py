"""The registry of the kinds of study, and their questions, which are read without importing the kinds."""

from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.study.engine.definition import StudyKind

STUDIES: "Registry[StudyKind]" = Registry("study", "cranfield.study.kinds", "cranfield.study.papers")


def questions() -> dict[str, str]:
    """The question of every kind, by its name: read from the source of its module, or registered later.

    >>> questions()["swap"]
    'how often another topic set would reverse the order'
    """
    written = dict(declared for module in STUDIES.modules() for declared in module.declared())
    return written | {name: kind.question for name, kind in STUDIES.loaded().items()}
