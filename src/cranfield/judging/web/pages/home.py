"""S1, home: the loop from pool to decision with its state, and one card that says what to do next."""

from dataclasses import dataclass

from starlette.responses import Response

from cranfield.judging.records import OwnProgress
from cranfield.judging.serving.summaries import LabStatus
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.pages.decisions import cards
from cranfield.judging.web.rendering import count, render

SETTLE, LOOK = ("owner", "adjudicator"), ("owner", "viewer")


@dataclass(frozen=True)
class LoopStep:
    """One step of the loop: its name, what there is to say, whether it is over, now or to come, and where it leads."""

    name: str
    words: str
    state: str  # over, now, ahead
    path: str
    roles: tuple[str, ...] = ("owner",)  # who may follow the path


def home(ask: Ask) -> Response:
    """Assessors see their own progress; owners, adjudicators and viewers also the lab as a whole."""
    visitor = ask.visitor
    progress = ask.room.own_progress(visitor.name) if visitor.may("assessor") else None
    status = ask.room.status() if visitor.may("owner", "adjudicator", "viewer") else None
    blind = progress is not None and progress.done < progress.total
    decide = cards(ask)
    elsewhere = status is not None and any(state.open and state.queue.kind != "decide" for state in status.queues)
    return render(
        ask,
        "home.html",
        name=ask.room.facts().get("name", ""),
        progress=progress,
        lab=status,
        steps=steps(status, blind) if status else (),
        todo=None if status is None or (decide and not (elsewhere or blind)) else next_card(status, progress, blind),
        blind=blind,
        decide=decide,
    )


def steps(status: LabStatus, blind: bool) -> tuple[LoopStep, ...]:
    """The five steps; who has pairs to judge does not see how assessors agree (BLD-4)."""
    done, has_pairs = status.pairs - status.open, status.pairs > 0
    disputes = "shown when you have no open pairs" if blind else count(status.disputed, "pair") + " in dispute"
    judged = has_pairs and status.open == 0
    return (
        LoopStep(
            "Pool",
            f"{count(status.pairs, 'pair')} of {count(len(status.topics), 'topic')}",
            "over" if has_pairs else "now",
            "/queues",
        ),
        LoopStep("Judge", f"{done:,} of {status.pairs:,} pairs done", _state(judged, has_pairs), "/queues"),
        LoopStep("Agree", disputes, _state(judged and not status.disputed, done > 0), "/agreement", SETTLE),
        LoopStep("Export", "qrels, and what they rest on", _state(False, judged and not status.disputed), "/queues"),
        LoopStep(
            "Compare", "systems, with what is missing", _state(False, judged and not status.disputed), "/compare", LOOK
        ),
    )


def _state(over: bool, begun: bool) -> str:
    return "over" if over else "now" if begun else "ahead"


def next_card(status: LabStatus, progress: OwnProgress | None, blind: bool) -> tuple[str, str, str, str] | None:
    """Title, sentence, path and word of the button of the card; None where there are no pairs yet."""
    if not status.pairs:
        return None
    if progress is not None and blind:
        left = progress.total - progress.done
        return ("Continue judging", f"{count(left, 'pair')} can be judged by you.", "/judge", "Continue judging")
    if status.open:
        wanted = (
            f"{count(status.open, 'pair')} need{'s' if status.open == 1 else ''} {count(status.wanted, 'judgment')}."
        )
        return ("Judging goes on", wanted, "/queues", "Queues and people")
    if status.disputed:
        title = f"{count(status.disputed, 'pair')} {'is' if status.disputed == 1 else 'are'} in dispute"
        return (title, "Their assessors disagree. An adjudicator settles them.", "/adjudicate", "Adjudicate")
    return ("All pairs are judged", "Export them as qrels, then evaluate the runs.", "/agreement", "See how they agree")
