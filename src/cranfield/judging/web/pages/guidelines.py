"""The guidelines in force and the meaning of each grade."""

from markupsafe import Markup
from starlette.responses import Response

from cranfield.judging.web.asking import Ask
from cranfield.judging.web.documents import markdown
from cranfield.judging.web.rendering import render
from cranfield.judging.web.scale import GradeScale


def guidelines(ask: Ask) -> Response:
    """One page, which the judging screen also shows as a panel."""
    found = ask.room.guidelines()
    return render(
        ask,
        "guidelines.html",
        text=Markup(markdown(found.text)),
        version=found.hash[:12],
        scale=GradeScale(ask.room.grades()),
    )
