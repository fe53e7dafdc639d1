"""The page of a measure: everything the registry knows about it, in words."""

import json
import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from cranfield.errors.arguments import checked_methods
from cranfield.measures.definition import FAMILIES, Family, MeasureDefinition, MeasureParameter
from cranfield.measures.pages.formulas import in_unicode
from cranfield.measures.pages.references import REFERENCES, Reference
from cranfield.tables.averages import AVERAGES, Average
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.screen import PAPER, Screen

_FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_SENTENCE = re.compile(r"(?<=\.)\s+")
_WIDTH = 96
_JUDGMENTS = {
    "": "one grade per document",
    "subtopics": "a grade for each subtopic of a document",
    "strata": "one grade per sampled document, −1 for the others of its stratum",
    "probabilities": "one grade per sampled document, with its inclusion probability",
}


@dataclass(frozen=True)
class ParameterFact:
    """One parameter: its name, its default, and the values it takes."""

    name: str
    default: Any  # a Python literal
    required: bool
    rule: str
    needs: str

    def __str__(self) -> str:
        usual = "required" if self.required else "not set" if self.default is None else f"default {self.default!r}"
        return "; ".join(filter(None, (usual, self.rule, self.needs and f"has an effect only with {self.needs}")))


@checked_methods
@dataclass(frozen=True)
class MeasurePage:
    r"""The page of one measure: printed it is for a terminal, `to_markdown()` is for a document.

    >>> import cranfield as cf
    >>> page = cf.describe("map")
    >>> page.name, page.formulas[0][:13], page.undefined
    ('AP', '\\mathrm{AP} =', 'Undefined if no document is relevant.')
    """

    name: str  # canonical
    title: str  # what it is, in a line
    family: Family  # the chapter it belongs to
    aliases: tuple[str, ...]  # other names
    formulas: tuple[str, ...]  # in LaTeX
    explanation: str  # the rest of its docstring
    parameters: tuple[ParameterFact, ...]  # name, default and rule of each
    undefined: str  # when it has no value
    unjudged: str  # what an unjudged document does
    looks_at: str  # which ranks of a list
    low: float  # the lowest value
    high: float  # the highest value
    ideal: float | None  # of a perfect list
    average: Average  # how topics are averaged
    residual: str | None  # what unjudged documents could add
    bounds: str  # how bounds are found
    judgments: str  # what judgments it needs
    cites: tuple[str, ...]  # publications
    example: str  # the example of its docstring

    @property
    def summary(self) -> str:
        """The title as a terminal shows it."""
        return _plain(self.title)

    @property
    def references(self) -> tuple[Reference, ...]:
        """Where the measure was defined."""
        return tuple(REFERENCES[key] for key in self.cites)

    @property
    def spellings(self) -> str:
        """How the measure is written: `AP, AP@k; AP' on condensed lists`."""
        cutoff = next((p for p in self.parameters if p.name in ("cutoff", "recall")), None)
        at = {"cutoff": "@k", "recall": "@recall"}.get(cutoff.name, "") if cutoff else ""
        forms = [*([] if cutoff and cutoff.required else [self.name]), *([self.name + at] if at else [])]
        return f"{', '.join(forms)}; {self.name}'{at if cutoff and cutoff.required else ''} on condensed lists"

    @property
    def range(self) -> str:
        """`0 to 1`, with the value of an ideal list where that is always the same."""
        ends = " to ".join(_bound(end) for end in (self.low, self.high))
        return ends if self.ideal is None else f"{ends}; {self.ideal:g} for the best possible list"

    def facts(self) -> list[tuple[str, str]]:
        """The facts under the definition, by name."""
        return [
            ("family", f"{self.family}: {FAMILIES[self.family]}"),
            ("written", self.spellings),
            ("aliases", ", ".join(self.aliases) or "none"),
            *((p.name, str(p)) for p in self.parameters),
            ("judgments", self.judgments),
            ("undefined", self.undefined),
            ("unjudged", self.unjudged),
            ("looks at", self.looks_at),
            ("range", self.range),
            ("average", AVERAGES[self.average]),
            *([("residual", f"{self.residual} says how much it could still grow")] if self.residual else []),
            ("bounds", self.bounds),
            *(("reference", reference.citation) for reference in self.references),
        ]

    def text(self) -> str:
        """The page for a terminal or a notebook; `to_latex` has the formulas as LaTeX source."""
        return page_text(self)

    __repr__ = text

    def to_markdown(self, level: int = 2) -> str:
        """The page as a section of a document; formulas are LaTeX between dollars."""
        parts = [f"{'#' * level} {self.name}", self.title]
        parts += [f"$$\n{formula}\n$$" for formula in self.formulas]
        parts += [self.explanation] if self.explanation else []
        facts = [(name, fact) for name, fact in self.facts() if name != "family"]
        parts.append(
            "\n".join(["| fact | value |", "|---|---|", *(f"| {name} | {_cell(fact)} |" for name, fact in facts)])
        )
        if self.example:
            parts.append(f"```pycon\n{self.example}\n```")
        return "\n\n".join(parts)

    def to_latex(self) -> str:
        """The formulas alone, as LaTeX source."""
        return "\n".join(self.formulas)

    def to_bibtex(self) -> str:
        """The references as BibTeX entries."""
        return "\n\n".join(reference.bibtex for reference in self.references)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; an end of the range that is infinite is None."""
        limits = {"low": _finite(self.low), "high": _finite(self.high)}
        written = {"written": self.spellings, "references": [reference.citation for reference in self.references]}
        return asdict(self) | limits | written

    def to_json(self) -> str:
        """The page as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False, default=str)


def page_text(page: MeasurePage, screen: Screen = PAPER) -> str:
    """The page in words, in lines that the screen has room for."""
    filled = partial(_filled, min(_WIDTH, (screen.columns or _WIDTH + 1) - 1))
    parts = [f"{page.name}\n{filled(page.summary)}"]
    parts += [textwrap.indent(in_unicode(formula), "    ") for formula in page.formulas]
    parts += [filled(_plain(paragraph)) for paragraph in page.explanation.split("\n\n") if paragraph]
    facts = page.facts()
    room = max(len(name) for name, _ in facts) + 2
    parts.append("\n".join(filled(_plain(fact), name.ljust(room), room) for name, fact in facts))
    if page.example:
        parts.append("example\n" + textwrap.indent(page.example, "    "))
    return screen.wrapped(textwrap.indent("\n\n".join(parts), " "))


def page(definition: MeasureDefinition) -> MeasurePage:
    """The page of a definition."""
    prose, example = _without_example(definition.document)
    formulas = tuple(" ".join(formula.split()) for formula in _FORMULA.findall(prose))
    title, _, rest = _FORMULA.sub("", prose).partition("\n")
    explanation = "\n\n".join(part for part in (_joined(p) for p in rest.split("\n\n")) if part)
    return MeasurePage(
        name=definition.name,
        title=title,
        family=definition.family,
        aliases=definition.aliases,
        formulas=formulas,
        explanation=explanation,
        parameters=tuple(map(_fact, definition.parameters.values())),
        undefined=_undefined(explanation),
        unjudged=definition.unjudged,
        looks_at=definition.looks_at.about,
        low=definition.low,
        high=definition.high,
        ideal=definition.ideal,
        average=definition.average,
        residual=definition.residual,
        bounds=definition.bounds.about,
        judgments=_JUDGMENTS["subtopics" if definition.needs_subtopics else definition.needs_sample],
        cites=definition.cites,
        example=example,
    )


def _fact(parameter: MeasureParameter) -> ParameterFact:
    rule = parameter.domain.rule if parameter.domain else ""
    return ParameterFact(parameter.name, parameter.default, parameter.required, rule, parameter.needs)


def _without_example(document: str) -> tuple[str, str]:
    """The prose of a docstring, and the lines of its doctest."""
    prose, prompt, code = document.partition(">>> ")
    return prose.strip(), f"{prompt}{code}".rstrip()


def _undefined(explanation: str) -> str:
    sentences = [s for s in _SENTENCE.split(explanation.replace("\n\n", " ")) if "ndefined" in s]
    return " ".join(sentences) or "never"


def _joined(paragraph: str) -> str:
    return " ".join(paragraph.split())


def _plain(text: str) -> str:
    """Markdown and inline formulas as a terminal shows them."""
    return re.sub(
        r"\$([^$]+)\$|\*([^*\s][^*]*)\*|`([^`]+)`", lambda m: in_unicode(m[1]) if m[1] else m[2] or m[3], text
    )


def _filled(most: int, text: str, first: str = "", indent: int = 0) -> str:
    return textwrap.fill(text, most, initial_indent=first, subsequent_indent=" " * indent, break_long_words=False)


def _bound(end: float) -> str:
    return "no limit" if math.isinf(end) else in_print(end, "g")


def _finite(end: float) -> float | None:
    return None if math.isinf(end) else end


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def bibliography(pages: Sequence[MeasurePage]) -> str:
    """The references of several measures as BibTeX, each once."""
    keys = dict.fromkeys(key for described in pages for key in described.cites)
    return "\n\n".join(REFERENCES[key].bibtex for key in keys)
