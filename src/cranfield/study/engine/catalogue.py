"""The kinds of study: the registry, and their questions, known before any of them is imported."""

from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.study.engine.definition import StudyKind

STUDIES: "Registry[StudyKind]" = Registry("study", "cranfield.study.kinds", "cranfield.study.papers")


def questions() -> dict[str, str]:
    """The question of every kind, by its name: what its module declares, read as text, and what was registered since.

    >>> questions()["swap"]
    'how often another topic set would reverse the order'
    """
    written = dict(declared for module in STUDIES.modules() for declared in module.declared())
    return written | {name: kind.question for name, kind in STUDIES.loaded().items()}
