"""What commands do to a lab: here, or in the server that has it open.

A command is a function of a connection, the time and plain data, and returns plain data, so that it can be carried out
by the process that writes: `perform` opens the lab, or sends the command to the address of the server, with the token
that the server has put beside the lab for people who may read it.
"""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from cranfield.errors import InputError, StoreError
from cranfield.judging.accounts.enrolling import COMMAND, add_account, disable_account, invite, set_password
from cranfield.judging.filling.lab_file import LabFile
from cranfield.judging.jobs.filling import fill_queue, fill_repeats, note_queue, repeat_queue
from cranfield.judging.jobs.gold import mix_in_gold
from cranfield.judging.jobs.importing import import_grades
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, SourceRow, TopicRow
from cranfield.judging.store.deciding import keep_runs
from cranfield.judging.store.events import Event, append, time_for
from cranfield.judging.store.files.connection import CannotWrite, Connection
from cranfield.judging.store.files.holder import holder_of
from cranfield.judging.store.outside.requests import request_ids

PATH = "/commands"
Plain: TypeAlias = dict[str, Any]  # a JSON object
_WAIT = 60.0  # seconds for the server


def _invite(store: Connection, now: int, given: Plain) -> Plain:
    return {"code": invite(store, given["roles"], name=given.get("name", ""), actor=COMMAND, now=now)}


def _add_account(store: Connection, now: int, given: Plain) -> Plain:
    name, roles, kept = given["name"], given["roles"], given.get("password_hash")
    add_account(store, name, roles, password_hash=kept, actor=COMMAND, now=now)
    return {} if kept else _invite(store, now, {"roles": roles, "name": name})


def _disable(store: Connection, now: int, given: Plain) -> Plain:
    disable_account(store, given["name"], disabled=given["disabled"], actor=COMMAND, now=now)
    return {}


def _password(store: Connection, now: int, given: Plain) -> Plain:
    kept = given.get("password_hash")
    if kept is None:
        return _invite(store, now, {"roles": ["assessor"], "name": given["name"]})
    set_password(store, given["name"], kept, actor=COMMAND, now=now)
    return {}


def _add_pairs(store: Connection, now: int, given: Plain) -> Plain:
    queue = QueueRow(**given["queue"])
    pairs, topics = [PairRow(**row) for row in given["pairs"]], [TopicRow(**row) for row in given["topics"]]
    done = fill_queue(store, queue, pairs, topics, _documents(given))
    note_queue(store, COMMAND, queue, done, now)
    return {"added": done.pairs, "skipped": done.skipped, "overlapping": done.overlapping}


def _decide(store: Connection, now: int, given: Plain) -> Plain:
    keep_runs(store, given["runs"])
    return _add_pairs(store, now, given)


def _documents(given: Plain) -> list[DocumentRow]:
    return [
        DocumentRow(**row | {"source": None if row["source"] is None else SourceRow(**row["source"])})
        for row in given["documents"]
    ]


def _repeat(store: Connection, now: int, given: Plain) -> Plain:
    queue = repeat_queue(**given)
    return asdict(note_queue(store, COMMAND, queue, fill_repeats(store, queue), now))


def _gold(store: Connection, now: int, given: Plain) -> Plain:
    rows = [(topic, document, grade) for topic, document, grade in given["rows"]]
    choices = {name: given[name] for name in ("rate", "queue")}
    return asdict(mix_in_gold(store, rows, _documents(given), now, by=COMMAND, **choices))


def _import(store: Connection, now: int, given: Plain) -> Plain:
    rows = [(topic, document, grade) for topic, document, grade in given["rows"]]
    choices = {name: given[name] for name in ("counts", "failed")}
    return asdict(import_grades(store, given["name"], given["kind"], rows, now, by=COMMAND, **choices))


def _request_ids(store: Connection, now: int, given: Plain) -> Plain:
    return dict(request_ids(store, given["items"]))


def _export(store: Connection, now: int, given: Plain) -> Plain:
    append(store, Event("export", COMMAND, "owner", now, new=given))
    return {}


COMMANDS: Mapping[str, Callable[[Connection, int, Plain], Plain]] = {
    "invite": _invite,
    "add account": _add_account,
    "disable account": _disable,
    "password": _password,
    "add pairs": _add_pairs,
    "decide": _decide,
    "repeat": _repeat,
    "gold": _gold,
    "import": _import,
    "request ids": _request_ids,
    "note export": _export,
}


def perform(lab: LabFile, command: str, given: Plain, url: str | None = None) -> Plain:
    """Carry out a command: in this process, or in the server at an address."""
    if url is not None:
        return _sent(lab.path, command, given, url)
    with lab.writing() as store:
        return COMMANDS[command](store, time_for(store), given)


def note_export(lab: LabFile, made: Plain) -> None:
    """Add an event for an export, through the server if one has the lab open; where nothing can be written, none."""
    told = {name: made[name] for name in ("rule", "otherwise", "open", "counts", "files")}
    with lab.reading() as store:
        holder = holder_of(store)
    with suppress(StoreError, InputError, CannotWrite):
        perform(lab, "note export", told, None if holder is None else holder.url or None)


def token_file(path: Path) -> Path:
    """Where the server of a lab puts the token of its owner.

    >>> token_file(Path("lab.db")).name
    'lab.db-owner'
    """
    return path.with_name(f"{path.name}-owner")


def _sent(path: Path, command: str, given: Plain, url: str) -> Plain:
    token = os.environ.get("CRANFIELD_TOKEN") or _token(path)
    body = json.dumps({"command": command, "given": given}).encode()
    headers = {"content-type": "application/json", "accept": "application/json", "authorization": f"Bearer {token}"}
    request = urllib.request.Request(url.rstrip("/") + PATH, body, headers, method="POST")
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=_WAIT) as answer:
            done: Plain = json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            said = _sentence(error.read())
        raise StoreError("E410", f"{url} refused: {said}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise InputError("E120", f"{url} does not answer: {reason}", hint="is the room served there?") from None
    return done


def _token(path: Path) -> str:
    try:
        return token_file(path).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        hint = "run the command on the machine and as the user that serves it, or set CRANFIELD_TOKEN"
        raise InputError("E120", "the token of the server cannot be read", path=token_file(path), hint=hint) from None


def _sentence(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return "no reason was given"
