"""The bibliography behind `cites`: facts about each publication, printed as a line of text or as BibTeX."""

from collections.abc import Mapping
from dataclasses import dataclass, field


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


def _listed(*references: Reference) -> dict[str, Reference]:
    return {reference.key: reference for reference in references}


REFERENCES: Mapping[str, Reference] = _listed(
    Reference(
        "ahlgren2007",
        "article",
        ("Per Ahlgren", "Leif Grönqvist"),
        2008,  # available online in 2007
        "Evaluation of retrieval effectiveness with incomplete relevance data: "
        "Theoretical and experimental comparison of three measures",
        "Information Processing & Management",
        {"volume": "44", "number": "1", "pages": "212–225"},
    ),
    Reference(
        "buckley2004",
        "inproceedings",
        ("Chris Buckley", "Ellen M. Voorhees"),
        2004,
        "Retrieval evaluation with incomplete information",
        "Proceedings of the 27th Annual International ACM SIGIR Conference",
        {"pages": "25–32"},
    ),
    Reference(
        "buckley2005",
        "incollection",
        ("Chris Buckley", "Ellen M. Voorhees"),
        2005,
        "Retrieval system evaluation",
        "TREC: Experiment and Evaluation in Information Retrieval",
        {"pages": "53–75", "publisher": "MIT Press"},
    ),
    Reference(
        "burges2005",
        "inproceedings",
        (
            "Chris Burges",
            "Tal Shaked",
            "Erin Renshaw",
            "Ari Lazier",
            "Matt Deeds",
            "Nicole Hamilton",
            "Greg Hullender",
        ),
        2005,
        "Learning to rank using gradient descent",
        "Proceedings of the 22nd International Conference on Machine Learning",
        {"pages": "89–96"},
    ),
    Reference(
        "cleverdon1966",
        "techreport",
        ("Cyril Cleverdon", "Jack Mills", "Michael Keen"),
        1966,
        "Factors determining the performance of indexing systems",
        "Aslib Cranfield Research Project",
    ),
    Reference(
        "jarvelin2002",
        "article",
        ("Kalervo Järvelin", "Jaana Kekäläinen"),
        2002,
        "Cumulated gain-based evaluation of IR techniques",
        "ACM Transactions on Information Systems",
        {"volume": "20", "number": "4", "pages": "422–446"},
    ),
    Reference(
        "kantor2000",
        "article",
        ("Paul B. Kantor", "Ellen M. Voorhees"),
        2000,
        "The TREC-5 confusion track: Comparing retrieval methods for scanned text",
        "Information Retrieval",
        {"volume": "2", "number": "2–3", "pages": "165–176"},
    ),
    Reference(
        "macavaney2022",
        "inproceedings",
        ("Sean MacAvaney", "Craig Macdonald", "Iadh Ounis"),
        2022,
        "Streamlining evaluation with ir-measures",
        "Advances in Information Retrieval, 44th European Conference on IR Research",
        {"pages": "305–310"},
    ),
    Reference(
        "manning2008",
        "book",
        ("Christopher D. Manning", "Prabhakar Raghavan", "Hinrich Schütze"),
        2008,
        "Introduction to information retrieval",
        "Cambridge University Press",
    ),
    Reference(
        "moffat2008",
        "article",
        ("Alistair Moffat", "Justin Zobel"),
        2008,
        "Rank-biased precision for measurement of retrieval effectiveness",
        "ACM Transactions on Information Systems",
        {"volume": "27", "number": "1", "pages": "2:1–2:27"},
    ),
    Reference(
        "robertson2006",
        "inproceedings",
        ("Stephen Robertson",),
        2006,
        "On GMAP: and other transformations",
        "Proceedings of the 15th ACM International Conference on Information and Knowledge Management",
        {"pages": "78–83"},
    ),
    Reference(
        "sakai2008",
        "article",
        ("Tetsuya Sakai", "Noriko Kando"),
        2008,
        "On information retrieval metrics designed for evaluation with incomplete relevance assessments",
        "Information Retrieval",
        {"volume": "11", "number": "5", "pages": "447–470"},
    ),
    Reference(
        "vanrijsbergen1979",
        "book",
        ("C. J. van Rijsbergen",),
        1979,
        "Information retrieval",
        "Butterworths",
    ),
    Reference(
        "yilmaz2006",
        "inproceedings",
        ("Emine Yilmaz", "Javed A. Aslam"),
        2006,
        "Estimating average precision with incomplete and imperfect judgments",
        "Proceedings of the 15th ACM International Conference on Information and Knowledge Management",
        {"pages": "102–111"},
    ),
)
