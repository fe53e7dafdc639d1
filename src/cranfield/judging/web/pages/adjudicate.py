"""S5, pairs whose assessors disagree: what each said, and the grade that settles it."""

import secrets

from starlette.responses import RedirectResponse, Response

from cranfield.judging.records import Conflict
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.keymap import ACTIONS, keymap
from cranfield.judging.web.rendering import render
from cranfield.judging.web.scale import GradeScale


def next(ask: Ask) -> Response:
    """All pairs in dispute; with `?begin`, the first one that is not one's own."""
    found = ask.room.disputes(ask.visitor.name)
    if ask.query("begin"):
        after = [line.item for line in found if not line.own and line.item != ask.query("after")]
        return RedirectResponse(f"{ask.root}/adjudicate/{after[0]}" if after else f"{ask.root}/adjudicate", 303)
    return render(ask, "adjudicate/disputes.html", disputes=found, scale=GradeScale(ask.room.grades()))


def one(ask: Ask) -> Response:
    """One pair with all grades, notes and marks."""
    return render(
        ask,
        "adjudicate/adjudicate.html",
        dispute=ask.room.dispute(ask.visitor.name, ask.path("item")),
        scale=GradeScale(ask.room.grades()),
        keys=keymap(ask.visitor),
        actions=ACTIONS,
        client_id=secrets.token_hex(16),
        left=len(ask.room.disputes(ask.visitor.name)),
    )


def save(ask: Ask) -> Response:
    """Settle a pair, or leave it open; then the next one."""
    item = ask.fields.get("item", "")
    done = ask.room.adjudicate(
        ask.visitor.name,
        item,
        ask.number("grade"),
        ask.fields.get("client_id", "")[:64] or secrets.token_hex(16),
        ask.number("version"),
    )
    if isinstance(done, Conflict):
        scale = GradeScale(ask.room.grades())
        both = {"mine": scale.words(done.mine), "theirs": scale.words(done.theirs.answer), "item": item}
        kept = {"item": item, "grade": ask.fields.get("grade", "")}
        return render(
            ask,
            "adjudicate/conflict.html",
            status=409,
            both=both | {"client_id": secrets.token_hex(16), "by": done.theirs.assessor},
            version=done.version,
            kept=kept,
        )
    return RedirectResponse(f"{ask.root}/adjudicate?begin=1&after={item}", 303)
