"""The bibliography behind `cites`: the entries of `references.bib`, printed as a line of text or as BibTeX."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Reference:
    """A publication.

    >>> print(REFERENCES["moffat2008"].citation)
    Alistair Moffat and Justin Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness.
    ACM Transactions on Information Systems 27(1), 2:1–2:27.
    """

    key: str
    kind: str  # article, inproceedings, incollection, book or techreport
    authors: tuple[str, ...]
    year: int
    title: str
    where: str  # journal, proceedings or collection, publisher, institution
    details: Mapping[str, str] = field(default_factory=dict)  # volume, number, pages, publisher

    @property
    def citation(self) -> str:
        """One line: authors (year). title. where volume(number), pages."""
        *others, last = self.authors
        names = f"{', '.join(others)} and {last}" if others else last
        volume = self.details.get("volume", "")
        number = f"({self.details['number']})" if "number" in self.details else ""
        pages = f", {self.details['pages']}" if "pages" in self.details else ""
        place = f"{self.where} {volume}{number}".rstrip() + pages
        return f"{names} ({self.year}). {self.title}. {place}."

    @property
    def bibtex(self) -> str:
        """The entry for a BibTeX file."""
        fields = {
            "author": " and ".join(self.authors),
            "title": "{" + self.title + "}",
            _CONTAINER[self.kind]: self.where,
            "year": str(self.year),
            **self.details,
        }
        lines = [f"  {name} = {{{_in_tex(text)}}}," for name, text in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _in_tex(text: str) -> str:
    return text.replace("–", "--").replace("&", r"\&")


_CONTAINER = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "book": "publisher",
    "techreport": "institution",
}


_ENTRY = re.compile(r"@(?P<kind>\w+)\{(?P<key>\w+),\n(?P<fields>(?:  .*\n)+)\}")
_FIELD = re.compile(r"  (?P<name>\w+) = \{(?P<text>.*)\},\n")


def _reference(entry: re.Match[str]) -> Reference:
    fields = {m["name"]: m["text"].replace("--", "–").replace(r"\&", "&") for m in _FIELD.finditer(entry["fields"])}
    return Reference(
        key=entry["key"],
        kind=entry["kind"],
        authors=tuple(fields.pop("author").split(" and ")),
        year=int(fields.pop("year")),
        title=fields.pop("title")[1:-1],
        where=fields.pop(_CONTAINER[entry["kind"]]),
        details=fields,
    )


def _read() -> dict[str, Reference]:
    text = Path(__file__).with_suffix(".bib").read_text(encoding="utf-8")
    return {entry["key"]: _reference(entry) for entry in _ENTRY.finditer(text)}


REFERENCES: Mapping[str, Reference] = _read()
