"""The document of a pair, as the page inside the frame."""

from markupsafe import Markup
from starlette.responses import Response

from cranfield.judging.records import ShownDocument
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.documents import ShownPage, fields, shown
from cranfield.judging.web.guards.headers import framed
from cranfield.judging.web.highlighting import Span, marked, term_spans, terms, text_of
from cranfield.judging.web.rendering import render


def document(ask: Ask) -> Response:
    """One page of a document, with the words of the need highlighted."""
    found: ShownDocument = ask.room.document(ask.visitor.name, ask.path("item"))
    page = ask.query("page")
    part = _part(found, int(page) if page.isascii() and page.isdigit() and len(page) < 9 else 1)
    spans = term_spans(text_of(part.body), terms(found.need)) + passages(ask, part.start)
    response = render(
        ask,
        "document.html",
        document=found,
        shown=part,
        fields=Markup(fields(found.fields)) if found.format != "fields" else "",
        body=Markup(marked(part.body, spans)),
        highlights=ask.visitor.setting("highlights"),
    )
    return framed(response)


def passages(ask: Ask, start: int) -> list[Span]:
    """What assessors marked, for an adjudicator who asks for it."""
    if ask.query("passages") != "all" or not ask.visitor.may("adjudicator", "owner"):
        return []
    dispute = ask.room.dispute(ask.visitor.name, ask.path("item"))
    marks = [mark for judgment in dispute.judgments for mark in judgment.answer.marks]
    return [(max(0, begin - start), end - start, "passage") for begin, end in marks if end > start]


def _part(found: ShownDocument, page: int) -> ShownPage:
    if found.format == "fields":
        return ShownPage(body=fields(found.fields), page=1, pages=1, start=0)
    return shown(found.text, found.format, page)
