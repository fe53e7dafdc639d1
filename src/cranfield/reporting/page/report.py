"""`cranfield.report`: everything that is known about some runs, on one page."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.extras import need
from cranfield.missing.result import Holes
from cranfield.reporting.page.html import WrittenSection, page
from cranfield.reporting.page.material import ReportMaterial, same_scores, with_known_ranges
from cranfield.reporting.page.section import chosen_sections
from cranfield.reporting.page.shared import shared_data
from cranfield.reporting.page.summary import sentences
from cranfield.stats.agreement.result import Agreement
from cranfield.stats.by_group.comparing import GroupedComparison
from cranfield.stats.by_group.grouped import GroupedScores
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.comparison.sheets.words import tested
from cranfield.study.engine.result import StudyResult
from cranfield.tables.scores import Scores
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.topics import Topics
from cranfield.tables.words import counted
from cranfield.whole_files import write_whole

if TYPE_CHECKING:
    from cranfield.read.accepted import AssessorsLike
    from cranfield.tables.audit import Audit


def report(
    scores: Scores,
    comparison: Comparison | None = None,
    holes: Holes | None = None,
    *,
    lab: "AssessorsLike | Agreement | None" = None,
    studies: Sequence[StudyResult] = (),
    groups: Sequence[GroupedScores | GroupedComparison] = (),
    topics: Topics | None = None,
    documents: Documents | None = None,
    with_text: bool = False,
    title: str = "",
    sections: Iterable[str] | None = None,
    stamp: str = "",
    command: str = "",
) -> "Report":
    """A report on scores: a page to read, to print and to keep, or a folder with all its tables and charts.

    The page is one HTML file that needs no network. It says first what is known and what is not; then it shows the
    scores with their possible ranges, the comparison, topics, missing judgments, and how everything was made.

    Args:
        scores: the result of `cranfield.evaluate`; the report is about the first measure of `holes`, else
            about the first.
        comparison: of the same runs: the result of `cranfield.compare`.
        holes: what missing judgments could change: the result of `cranfield.holes`.
        lab: a lab (or its path), or the result of `cranfield.agree`, for the section on agreement.
        studies: results of `cranfield.study`.
        groups: results of `cranfield.by_group`, and comparisons of them.
        topics: the texts of the topics, as `cranfield.read_topics` gives them.
        documents: titles of documents, as `cranfield.read_documents` gives them.
        with_text: whether the beginnings of documents are printed, too; mind copyright.
        title: of the page.
        sections: names of the sections; all by default.
        stamp: when the report was made, for the page to show; without it equal inputs give equal bytes.
        command: the command that makes the report again; the page ends with it.

    >>> import cranfield as cf
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 21)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a"]), "old": {**dict.fromkeys(qrels, ["b"]), "q20": ["x"]}}
    >>> scores = cf.evaluate(qrels, runs, "P@1")
    >>> found = cf.report(scores, cf.compare(scores, test="sign"), cf.holes(qrels, runs, "P@1"))
    >>> print(found.summary)
    new has the higher P@1 of 2 runs, 1.000. It is certainly better than old on these topics, whatever the unjudged
    documents in the first 1 of these runs turn out to be, and the difference is significant (corrected p <
    0.0001). Of the documents that P@1 looks at, 95.0 % (old) to 100.0 % were judged.
    """
    need("altair", "a report")
    if holes is not None and not same_scores(scores, holes.scores):
        problem = "the holes are not of the same scores"
        raise PolicyError("E244", problem, hint="give both the same judgments, runs, measures and policies")
    if comparison is not None and not same_scores(scores, comparison.scores):
        problem = "the comparison is not of the same scores"
        raise PolicyError("E244", problem, hint="give compare the scores themselves")
    if comparison is not None and holes is not None:
        comparison = with_known_ranges(comparison, holes)
    if with_text and documents is None:
        raise PolicyError("E244", "there are no documents whose text could be printed", hint="give documents")
    material = ReportMaterial(
        scores=scores,
        comparison=comparison,
        holes=holes,
        agreement=_agreement(lab, scores),
        studies=tuple(studies),
        groups=tuple(groups),
        topics=topics,
        documents=documents,
        with_text=with_text,
        command=command,
        stamp=stamp,
    )
    return Report(material, title, None if sections is None else tuple(sections))


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A report: see `cranfield.report`.

    Attributes:
        material: what it is written from.
        title: the title of the page; without one the page is called by its number of runs and topics.
        names: the names of the sections; None: all that have material.

    >>> import cranfield as cf
    >>> cf.report(cf.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"bm25": {"q1": ["a"], "q2": ["a", "b"]}}, "RR"))
    <Report: 1 run on 2 topics. bm25 has RR 0.750 on 2 topics. Whether unjudged documents could change this was not
    examined.>
    """

    material: ReportMaterial
    title: str = ""
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        chosen_sections(self.names)  # which refuses names that are not known

    @property
    def heading(self) -> str:
        """The title, or one made of what was evaluated."""
        scores = self.material.scores
        return self.title or f"{counted(len(scores.runs), 'run')} on {counted(len(scores.topics), 'topic')}"

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What is known, and what is not."""
        return tuple(sentences(self.material))

    @property
    def summary(self) -> str:
        """The first paragraph, made of these sentences."""
        return " ".join(self.sentences)

    @cached_property
    def sections(self) -> tuple[WrittenSection, ...]:
        """The sections that have something to show."""
        found = []
        for each in chosen_sections(self.names):
            blocks = tuple(each.blocks(self.material))
            if not blocks and self.names is not None:
                raise PolicyError("E244", f"there is nothing for the section {each.name!r}", hint=each.needs)
            if blocks:
                found.append(WrittenSection(each.name, each.title, blocks))
        return tuple(found)

    @property
    def audit(self) -> "Audit":
        """What shaped the numbers."""
        return self.material.scores.audit

    def to_html(self) -> str:
        """The page: one file that loads nothing."""
        names = [section.name for section in self.sections]
        return page(self.heading, _under(self.material), self.summary, self.sections, shared_data(self.material, names))

    def write(self, path: "str | os.PathLike[str]") -> list[str]:
        """Write the page to a file, or page, tables and charts to a folder; a path that ends in .html is a file.

        Returns:
            The names of the files, those inside a folder with their paths in it.
        """
        given: object = path  # which callers may get wrong
        if not isinstance(given, str | os.PathLike) or not os.fspath(given):
            raise PolicyError("E241", f"{given!r} is no path", hint='give a path, such as "report.html" or "report/"')
        name = os.fspath(path)
        if not name.endswith(os.sep) and not name.endswith("/") and Path(name).suffix.lower() in (".html", ".htm"):
            write_whole(name, self._bytes())
            return [name]
        from cranfield.reporting.page.folder import write_folder

        return write_folder(self, name, self._bytes())

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {
            "title": self.heading,
            "summary": self.summary,
            "measure": self.material.measure,
            "sections": [section.name for section in self.sections],
        }

    def _bytes(self) -> bytes:
        return self.to_html().encode("utf-8", "backslashreplace")

    def _repr_html_(self) -> str:
        """For a notebook: the page in a frame of its own, in which no script runs."""
        from html import escape

        look = 'width="100%" height="720" sandbox="" style="border:1px solid #8a8577"'
        return f'<iframe {look} title="Report" srcdoc="{escape(self.to_html())}"></iframe>'

    def __repr__(self) -> str:
        return f"<Report: {self.heading}. {self.summary}>"


def _under(material: ReportMaterial) -> str:
    """What the report rests on, in one line."""
    scores, comparison = material.scores, material.comparison
    said = [material.measure, counted(len(scores.runs), "run"), counted(len(scores.topics), "topic")]
    judged = next((entry["rows"] for entry in scores.audit.inputs if entry["role"] == "qrels"), None)
    said += [] if judged is None else [counted(judged, "judgment")]
    if comparison is not None and comparison.method.tested:
        found = next(each for each in comparison.evidence if each.measure == material.measure)
        said += tested(comparison, found)[-1:]
    return " · ".join([*said, *([material.stamp] if material.stamp else [])])


def _agreement(lab: "AssessorsLike | Agreement | None", scores: Scores) -> "Agreement | None":
    if lab is None or isinstance(lab, Agreement):
        return lab
    from cranfield.errors.warning import kept
    from cranfield.stats.agreement.agree import agree

    with kept():  # warnings about judgments, which the section repeats
        return agree(lab)
