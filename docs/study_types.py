"""The types of the kinds of study, written from the registry: a stub, so that callers see the options of each kind."""

from pathlib import Path

import cranfield.study
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.definition import StudyKind, StudyOption

STUB = Path(cranfield.study.__file__).with_suffix(".pyi")
HEAD = '''\
"""The kinds of study as type checkers see them; written by docs/generate.py."""

from collections.abc import Iterable
from typing import Literal, Unpack

from cranfield.measures.accepted import MeasuresLike
from cranfield.read.accepted import QrelsLike, RunsLike
from cranfield.study.engine.choices import EngineChoices, StudyChoices
from cranfield.study.engine.definition import StudyKind
from cranfield.study.engine.repetition import repeat as repeat
from cranfield.study.engine.result import StudyResult
from cranfield.tables.scores import Scores
'''
WIDEST = 120 - 8 - 6
LONGEST = 60  # a default that takes more characters is not written out


def stub() -> str:
    """The whole stub."""
    kinds = sorted(STUDIES.values(), key=lambda kind: kind.name)
    names = "".join(f"{_function(kind)}: {_class(kind)}\n" for kind in kinds)
    return "\n".join([HEAD, *map(_declared, kinds), names])


def _function(kind: StudyKind) -> str:
    return kind.name.replace("-", "_")


def _class(kind: StudyKind) -> str:
    return "_" + "".join(word.capitalize() for word in kind.name.split("-"))


def _declared(kind: StudyKind) -> str:
    """The class of a kind, whose call takes its inputs and its options."""
    reads = kind.study.data != "measures"
    absent = "" if kind.study.needs_data else " = ..."
    scores, needed = (" | Scores", " = ...") if kind.study.takes_scores else ("", absent)
    inputs = [f"qrels: QrelsLike{scores}{absent}", f"runs: RunsLike{needed}"] if reads else []
    named = [f"{name}: {_type(option)} = {_default(option)}" for name, option in kind.parameters.items()]
    choices = "StudyChoices" if reads else "EngineChoices"
    arguments = ["self", *inputs, "measures: MeasuresLike = ...", *(["*", *named] if named else [])]
    lines = [f"        {argument},\n" for argument in (*arguments, f"**choices: Unpack[{choices}]")]
    return (
        f"class {_class(kind)}(StudyKind):\n"
        f"    def __call__(\n{''.join(lines)}"
        f"    ) -> StudyResult:\n        {_docstring(kind)}\n"
    )


def _docstring(kind: StudyKind) -> str:
    return f'"""{kind.title}"""{"" if len(kind.title) <= WIDEST else "  # noqa: E501  # the title is one line"}'


def _type(option: StudyOption) -> str:
    words = (*option.choices, *(word for word in option.facts["also"] if isinstance(word, str)))
    literal = [f"Literal[{', '.join(map(_quoted, words))}]"] if words else []
    if option.choices:
        kinds = literal
    elif option.several:
        kinds = [option.type.__name__, f"Iterable[{option.type.__name__}]", *literal]
    else:
        kinds = [option.type.__name__, *literal]
    return " | ".join([*kinds, *(["None"] if option.optional else [])])


def _default(option: StudyOption) -> str:
    shown = _quoted(option.default) if isinstance(option.default, str) else repr(option.default)
    return shown if len(shown) <= LONGEST and "'" not in shown else "..."


def _quoted(word: str) -> str:
    return f'"{word}"'
