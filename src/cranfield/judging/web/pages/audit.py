"""S8, the events of a lab: who did what to which pair, and when."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from starlette.responses import Response, StreamingResponse

from cranfield.judging.store.events import JUDGING, KINDS, Event
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import render

PAGE = 100
ANSWERS = {*JUDGING, "undo", "adjudicate"}
AT_ONCE = 1000  # events that a download reads with one statement


def audit(ask: Ask) -> Response:
    """One page of events, newest first, or all that were asked for as JSON lines."""
    chosen = {name: ask.query(name).strip() or None for name in ("actor", "item", "kind")}
    if ask.query("form") == "jsonl":
        headers = {"content-disposition": 'attachment; filename="events.jsonl"'}
        return StreamingResponse(lines(ask, chosen), media_type="application/jsonl", headers=headers)
    before = ask.query("before")
    found = ask.room.events(**chosen, before=int(before) if before.isascii() and before.isdigit() else None, limit=PAGE)
    return render(
        ask,
        "looking/audit.html",
        events=[(event, changed(event)) for event in _visible(ask, found)],
        chosen={name: value or "" for name, value in chosen.items()},
        kinds=sorted(KINDS),
        people=ask.room.people(),
        older=found[-1].id if len(found) == PAGE else 0,
    )


def lines(ask: Ask, chosen: dict[str, str | None]) -> Iterator[str]:
    """Events as JSON lines, newest first."""
    before: int | None = None
    while found := ask.room.events(**chosen, before=before, limit=AT_ONCE):
        for event in _visible(ask, found):
            yield json.dumps(asdict(event), ensure_ascii=False) + "\n"
        before = found[-1].id


def _visible(ask: Ask, events: Sequence[Event]) -> list[Event]:
    """Events as this person may see them: who has pairs to judge learns neither what others said nor what is gold."""
    me = ask.visitor.name
    return [blinded(event, me) for event in events] if ask.room.open_to(me) else list(events)


def blinded(event: Event, person: str) -> Event:
    """An event without what others said about a pair, and without the pairs whose grade is known (BLD-1).

    >>> blinded(Event("judge", "ada", "assessor", 0, new={"grade": 1}), "bob").new
    {'hidden': True}
    >>> blinded(Event("queue", "olga", "owner", 0, new={"gold": {"3f": 2}}), "bob").new
    {'gold': 1}
    """
    if event.kind in ANSWERS and event.actor != person:
        return replace(event, old=None, new={"hidden": True})
    known = (event.new or {}).get("gold")
    return event if known is None else replace(event, new={**(event.new or {}), "gold": len(known)})


def changed(event: Event) -> str:
    """What an event changed, in few words: the fields that differ.

    >>> changed(Event("revise", "ada", "assessor", 0, old={"grade": 1, "note": ""}, new={"grade": 2, "note": ""}))
    'grade 1 → 2'
    """
    old, new = _telling(event.old), _telling(event.new)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(
        f"{name} {short(old[name])} → {short(new.get(name))}" if name in old else _said(name, new[name])
        for name in names
    )


def _telling(data: Mapping[str, object] | None) -> dict[str, object]:
    """What is worth a word: no empty values, no moment in milliseconds, no status that a grade implies."""
    kept = {name: value for name, value in (data or {}).items() if value or name == "grade"}
    return {
        name: value
        for name, value in kept.items()
        if not (name.endswith("_ms") or (name, value) == ("status", "judged"))
    }


def _said(name: str, value: object) -> str:
    return name if value is True else f"{name} {short(value)}"


def short(value: object) -> str:
    """A value in at most 60 characters."""
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
