"""S1, home: the loop from pool to decision with its state, and one card that says what to do next."""

from dataclasses import dataclass, replace

from starlette.responses import Response

from cranfield.judging.records import OwnProgress
from cranfield.judging.serving.summaries import LabStatus
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.pages.decisions import cards
from cranfield.judging.web.rendering import count, render
from cranfield.judging.web.routes import found

SETTLE, LOOK = ("owner", "adjudicator"), ("owner", "viewer")


@dataclass(frozen=True)
class LoopStep:
    """One step of the loop: its name, what there is to say, whether it is over, now or to come, and where it leads."""

    name: str
    words: str
    state: str  # over, now, ahead
    path: str
    roles: tuple[str, ...] = ("owner",)  # who may follow the path


@dataclass(frozen=True)
class NextCard:
    """What to do next: a title, a sentence, and links that the person may follow, the first one first."""

    title: str
    sentence: str
    links: tuple[tuple[str, str], ...] = ()  # path and words


def home(ask: Ask) -> Response:
    """Assessors see their own progress; owners, adjudicators and viewers also the lab as a whole."""
    visitor = ask.visitor
    progress = ask.room.own_progress(visitor.name) if visitor.may("assessor") else None
    status = ask.room.status() if visitor.may("owner", "adjudicator", "viewer") else None
    blind = progress is not None and progress.done < progress.total
    decide = cards(ask)
    moot = ask.room.not_needed() if status else 0
    elsewhere = status is not None and any(state.open and state.queue.kind != "decide" for state in status.queues)
    return render(
        ask,
        "home.html",
        name=ask.room.facts().get("name", ""),
        progress=progress,
        lab=status,
        moot=moot,
        steps=steps(status, blind, moot) if status else (),
        todo=None if status is None or (decide and not (elsewhere or blind)) else _card(ask, status, progress, moot),
        blind=blind,
        decide=decide,
    )


def steps(status: LabStatus, blind: bool, moot: int = 0) -> tuple[LoopStep, ...]:
    """The five steps; who has pairs to judge does not see how assessors agree (BLD-4)."""
    done, has_pairs = status.pairs - status.open, status.pairs > 0
    disputes = "shown when you have no open pairs" if blind else count(status.disputed, "pair") + " in dispute"
    judged = has_pairs and status.open == moot
    return (
        LoopStep(
            "Pool",
            f"{count(status.pairs, 'pair')} of {count(len(status.topics), 'topic')}",
            "over" if has_pairs else "now",
            "/queues",
        ),
        LoopStep("Judge", f"{done:,} of {status.pairs:,} pairs done", _state(judged, has_pairs), "/queues"),
        LoopStep("Agree", disputes, _state(judged and not status.disputed, done > 0), "/agreement", SETTLE),
        LoopStep(
            "Export", "qrels, and what they rest on", _state(False, judged and not status.disputed), "/queues#export"
        ),
        LoopStep(
            "Compare", "systems, with what is missing", _state(False, judged and not status.disputed), "/compare", LOOK
        ),
    )


def _state(over: bool, begun: bool) -> str:
    return "over" if over else "now" if begun else "ahead"


def _card(ask: Ask, status: LabStatus, progress: OwnProgress | None, moot: int) -> NextCard | None:
    """The card of a person; who may follow a link sees it."""
    left = 0 if progress is None else progress.total - progress.done
    card = next_card(status, left, moot, ask.visitor.may("owner"), ask.visitor.may("adjudicator"))
    return card and replace(card, links=tuple(link for link in card.links if _may(ask, link[0])))


def next_card(status: LabStatus, left: int, moot: int, owner: bool, adjudicator: bool) -> NextCard | None:
    """What to do next, of which `left` pairs are for this person to judge; None where there are no pairs yet."""
    open_, disputed = status.open - moot, status.disputed
    settle = NextCard(
        f"{count(disputed, 'pair')} {'is' if disputed == 1 else 'are'} in dispute",
        "Their assessors disagree. An adjudicator settles them.",
        (("/adjudicate", "Adjudicate"), ("/agreement", "See how assessors agree")),
    )
    if not status.pairs:
        return None
    if left:
        return NextCard("Continue judging", f"{count(left, 'pair')} can be judged by you.", (("/judge", "Judge"),))
    if disputed and (not open_ or (adjudicator and not owner)):
        return settle
    if open_:
        wanted = f"{count(open_, 'pair')} need{'s' if open_ == 1 else ''} {count(status.wanted, 'judgment')}."
        return NextCard("Judging goes on", wanted, (("/queues", "Queues and people"), ("/compare", "Compare systems")))
    return NextCard(
        "All pairs are judged",
        "Export them as qrels, then evaluate the runs.",
        (("/export/qrels.txt", "Download qrels"), ("/agreement", "See how assessors agree"), ("/compare", "Compare")),
    )


def _may(ask: Ask, path: str) -> bool:
    row = found("GET", path)
    return row is not None and ask.visitor.may(*row.who)
