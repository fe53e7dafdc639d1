"""Decide queues: the card on the home screen, the page of one decision, and asking for a new one."""

from dataclasses import dataclass

from starlette.responses import RedirectResponse, Response

from cranfield.errors import Error
from cranfield.judging.deciding.picture import NARROW, RangePicture, range_picture
from cranfield.judging.deciding.showing import ShownDecision, ShownPair, left_words
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import count, render

MOST_ASSESSORS = 5  # of a document, that the form offers
FEW = 3  # pairs of runs that a card draws


@dataclass(frozen=True)
class DrawnPair:
    """A pair of runs with its picture, and the one for a phone."""

    shown: ShownPair
    picture: RangePicture
    narrow: RangePicture


@dataclass(frozen=True)
class DecisionCard:
    """A decide queue on the home screen: a title, what is known, and the path of its first pairs."""

    title: str
    decision: ShownDecision
    pairs: tuple[DrawnPair, ...]


def cards(ask: Ask) -> list[DecisionCard]:
    """The cards of the home screen: for owners, one for each decide queue that is served."""
    if not ask.visitor.may("owner"):
        return []
    closed = {state.id for state in ask.room.queues() if state.closed}
    return [_card(each) for each in ask.room.decisions(ask.visitor.name) if each.queue not in closed]


def decision(ask: Ask) -> Response:
    """The page of one decide queue."""
    return _page(ask, ask.room.decision(ask.visitor.name, _queue(ask)))


def reveal(ask: Ask) -> Response:
    """Look at a decision while judging for it; the export names it."""
    ask.room.reveal(ask.visitor.name, _queue(ask))
    return RedirectResponse(f"{ask.root}/queues/{_queue(ask)}", 303)


def new(ask: Ask) -> Response:
    """The page on which runs and a measure are named."""
    return _form(ask)


def make(ask: Ask) -> Response:
    """A new decide queue of runs that are kept."""
    names = [name for name in ask.fields.get("runs", "").split("\n") if name]
    measure, baseline = ask.fields.get("measure", "").strip(), ask.fields.get("baseline", "") or None
    alpha = {"0.05": 0.05, "0.01": 0.01}.get(ask.fields.get("stop", ""), 0.0)
    assessors = min(max(ask.number("assessors") or 1, 1), MOST_ASSESSORS)
    try:
        filled = ask.room.ask(ask.visitor.name, names, measure, baseline=baseline, alpha=alpha, assessors=assessors)
    except Error as error:
        return _form(ask, problem=f"Nothing was asked: {error.problem}.", status=422)
    return RedirectResponse(f"{ask.root}/queues/{filled.queue}", 303)


def _queue(ask: Ask) -> int:
    text = ask.path("queue")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _card(shown: ShownDecision) -> DecisionCard:
    return DecisionCard(_title(shown), shown, _drawn(shown)[:FEW])


def _title(shown: ShownDecision) -> str:
    if shown.hidden:
        return f"About {left_words(shown.left, shown.assessors)} left in {shown.name}"
    names = f"{shown.pairs[0].a} – {shown.pairs[0].b}" if len(shown.pairs) == 1 else count(len(shown.pairs), "pair")
    if shown.reason is not None:
        return f"{names}: you may stop judging"
    return f"{left_words(shown.left, shown.assessors)} would decide {names}"


def _drawn(shown: ShownDecision) -> tuple[DrawnPair, ...]:
    return tuple(
        DrawnPair(
            pair, range_picture(pair.a, pair.b, pair.path), range_picture(pair.a, pair.b, pair.path, width=NARROW)
        )
        for pair in shown.pairs
    )


def _page(ask: Ask, shown: ShownDecision) -> Response:
    return render(ask, "decisions/decision.html", card=DecisionCard(_title(shown), shown, _drawn(shown)))


def _form(ask: Ask, problem: str = "", status: int = 200) -> Response:
    names = [run.name for run in ask.room.runs()]
    return render(ask, "decisions/new.html", status=status, names=names, problem=problem, most=MOST_ASSESSORS)
