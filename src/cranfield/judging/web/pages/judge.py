"""S2, the screen where assessors judge. The same addresses answer a script with JSON and a browser with pages."""

import secrets

from starlette.responses import JSONResponse, RedirectResponse, Response

from cranfield.judging.records import AssessorAnswer, Conflict, NoWork, SavedJudgment, Work
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.keymap import ACTIONS, keymap
from cranfield.judging.web.rendering import render, rendered
from cranfield.judging.web.scale import GradeScale

REASONS = (
    "The text is missing or broken",
    "I cannot read its language",
    "I do not understand the topic",
    "I should not judge this one",
)
METHODS = ("key", "pointer", "touch", "form")


def next(ask: Ask) -> Response:
    """The next pair, or what is left; between two topics, what was done in the one that ended.

    A decide queue goes from topic to topic and back, so no topic ends there: the next pair says that its topic changed.
    """
    me, after = ask.visitor.name, ask.query("after") or None
    if ask.query("ahead"):
        return JSONResponse({"ahead": ask.room.ahead(me, ask.query("ahead"))})
    found, changed = ask.room.next(me, after=after), False
    if after and not ask.query("part"):
        ended = ask.room.own_topic(me, after)
        changed = isinstance(found, NoWork) or found.topic != ended.topic
        if changed and (isinstance(found, NoWork) or not ask.room.desks.undecided()):
            return render(ask, "judge/topic_end.html", ended=ended, found=found, scale=GradeScale(ask.room.grades()))
    if isinstance(found, NoWork):
        return render(ask, "judge/nothing.html", found=found, progress=ask.room.own_progress(me))
    return _show(ask, found, changed=changed)


def one(ask: Ask) -> Response:
    """One pair by its link."""
    return _show(ask, ask.room.work(ask.visitor.name, ask.path("item")))


def save(ask: Ask) -> Response:
    """Save an answer; the response comes after it is on disk."""
    answer = given(ask)
    method = ask.fields.get("method", "form")
    done = ask.room.judge(
        ask.visitor.name,
        ask.fields.get("item", ""),
        answer,
        client_id=ask.fields.get("client_id", "")[:64] or secrets.token_hex(16),
        version=ask.number("version"),
        method=method if method in METHODS else None,
        ms_active=ask.number("ms_active"),
        ms_away=ask.number("ms_away"),
        round=ask.number("round") or 0,
    )
    if isinstance(done, Conflict):
        return _conflict(ask, done)
    if not ask.wants_json:
        return RedirectResponse(f"{ask.root}/judge?after={done.item}", 303)
    scale = GradeScale(ask.room.grades())
    words = f"Saved, grade {answer.grade}." if answer.status == "judged" else f"Saved: {scale.words(answer)}."
    return _told(ask, done, words)


def undo(ask: Ask) -> Response:
    """Take back the last own judgment, and show its pair again."""
    key = f"undo-{ask.fields.get('client_id', '')[:64] or secrets.token_hex(16)}"
    done = ask.room.undo(ask.visitor.name, key)
    if not ask.wants_json:
        return RedirectResponse(f"{ask.root}/judge/{done.item}" if done else f"{ask.root}/judge", 303)
    if done is None:
        return JSONResponse({"error": "There is nothing to take back."}, 422)
    return _told(ask, done, "Taken back.", again=done.item)


def renew(ask: Ask) -> Response:
    """Hold pairs for some more minutes."""
    first, *others = ask.fields.get("item", "").split("\n")[:4]
    until = ask.room.renew(ask.visitor.name, first)
    for item in others:
        ask.room.renew(ask.visitor.name, item)
    if until is None:
        return JSONResponse({"error": "This document went back to the queue."}, 409)
    return JSONResponse({"held_ms": until - ask.room.clock.now()})


def given(ask: Ask) -> AssessorAnswer:
    """The answer that a form holds: a grade, a reason why there is none, or later."""
    grade, reason = ask.number("grade"), ask.fields.get("reason", "").strip()[:1000]
    later = ask.fields.get("status") == "later"
    marks = [pair.partition("-")[::2] for pair in ask.fields.get("marks", "").split()]
    return AssessorAnswer(
        status="later" if later else "cannot" if reason else "judged",
        grade=None if later or reason else grade,
        note=ask.fields.get("note", "").replace("\r\n", "\n"),
        marks=tuple((int(begin), int(end)) for begin, end in marks if begin.isdigit() and end.isdigit()),
        flag=ask.fields.get("flag") == "yes",
        reason="" if later else reason,
    )


def _show(ask: Ask, work: Work, changed: bool = False) -> Response:
    """The whole page, or only the part that changes from pair to pair, for pages that fetch the next one."""
    me, part = ask.visitor.name, ask.query("part") == "work"
    last = ask.room.last_ten(me)
    values = {
        "work": work,
        "changed": changed,
        "scale": GradeScale(ask.room.grades()),
        "keys": keymap(ask.visitor),
        "reasons": REASONS,
        "client_id": secrets.token_hex(16),
        "marks": " ".join(f"{begin}-{end}" for begin, end in (work.mine.answer.marks if work.mine else ())),
        "held_ms": None if work.until_ms is None else work.until_ms - ask.room.clock.now(),
        "last": last,
        "previous": next_older(work.item, [one.judgment.item for one in last]),
    }
    if part:
        return render(ask, "judge/work.html", **values)
    return render(
        ask,
        "judge/judge.html",
        actions=ACTIONS,
        progress=ask.room.own_progress(me),
        saved_ms=last[0].judgment.at_ms if last else 0,
        **values,
    )


def next_older(item: str, judged: list[str]) -> str:
    """The pair judged before this one; of a pair that is not judged yet, the one judged last.

    >>> next_older("b", ["c", "b", "a"]), next_older("d", ["c", "b", "a"]), next_older("a", ["a"])
    ('a', 'c', '')
    """
    older = judged[judged.index(item) + 1 :] if item in judged else judged
    return older[0] if older else ""


def _told(ask: Ask, done: SavedJudgment, words: str, again: str = "") -> Response:
    """What the script of the page needs after something was saved."""
    me = ask.visitor.name
    last = ask.room.last_ten(me)
    scale = GradeScale(ask.room.grades())
    return JSONResponse(
        {
            "words": words,
            "at_ms": done.at_ms,
            "item": done.item,
            "version": done.version,
            "open": again,
            "saved": rendered(ask, "judge/saved.html", saved_ms=done.at_ms),
            "progress": rendered(ask, "judge/progress.html", progress=ask.room.own_progress(me)),
            "last": rendered(ask, "judge/last.html", last=last, scale=scale),
            "previous": next_older(again, [one.judgment.item for one in last]),
        }
    )


def _conflict(ask: Ask, found: Conflict) -> Response:
    """Both values, for the assessor to choose."""
    scale = GradeScale(ask.room.grades())
    both = {"mine": scale.words(found.mine), "theirs": scale.words(found.theirs.answer)}
    both |= {"item": found.theirs.item, "client_id": secrets.token_hex(16)}
    if ask.wants_json:
        return JSONResponse({"conflict": both | {"version": found.version}}, 409)
    kept = {name: value for name, value in ask.fields.items() if name not in ("csrf", "version", "client_id")}
    return render(ask, "judge/conflict.html", status=409, both=both, version=found.version, kept=kept)
