"""The body of a request: limited, read once, and cut into fields."""

import json
from collections.abc import AsyncGenerator
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cranfield.judging.web.guards.answers import header, refusal
from cranfield.judging.web.routes import RouteRow

MOST_FIELDS = 1000


class BodyReader:
    """Put the fields of a form, or of a JSON object, into the state of a request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 or 400, or hand on with the fields."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        row: RouteRow = scope["state"]["row"]
        said = header(scope, b"content-length")
        body = None if said.isdigit() and int(said) > row.body else await _body(receive, row.body)
        if body is None:
            sentence = f"That is more than {row.body >> 20} MB, which is the most that this address takes."
            await refusal(scope, 413, sentence, {"connection": "close"})(scope, receive, send)
            return
        try:
            scope["state"]["fields"] = await _fields(scope, body)
        except (ValueError, RecursionError, MultiPartException):
            await refusal(scope, 400, "The body of the request cannot be read.")(scope, receive, send)
            return
        await self.app(scope, _replayed(body, receive), send)


async def _body(receive: Receive, most: int) -> bytes | None:
    """The whole body; None if it is longer than allowed."""
    found = bytearray()
    more = True
    while more:
        message = await receive()
        found += message.get("body", b"")
        more = bool(message.get("more_body", False)) and message["type"] == "http.request"
        if len(found) > most:
            return None
    return bytes(found)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once more, then what the connection says: that it was closed."""
    left = [body]

    async def replay() -> Message:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return replay


async def _fields(scope: Scope, body: bytes) -> dict[str, str]:
    """Name -> value; values of a name that is repeated stand one on each line."""
    kind = header(scope, b"content-type").partition(";")[0].strip().lower()
    if not body:
        return {}
    if kind == "application/x-www-form-urlencoded":
        return _joined(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    if kind == "application/json":
        found = json.loads(body)
        if not isinstance(found, dict):
            raise ValueError("no object")
        return {str(name): value if isinstance(value, str) else json.dumps(value) for name, value in found.items()}
    if kind == "multipart/form-data":
        return _joined(await _parts(scope, body))
    raise ValueError("no form")


def _joined(pairs: list[tuple[str, str]]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields[name] = f"{fields[name]}\n{value}" if name in fields else value
    return fields


async def _parts(scope: Scope, body: bytes) -> list[tuple[str, str]]:
    async def stream() -> AsyncGenerator[bytes, None]:
        yield body
        yield b""

    parser = MultiPartParser(Headers(scope=scope), stream(), max_part_size=len(body) + 1, max_fields=MOST_FIELDS)
    form = await parser.parse()
    pairs = []
    for name, value in form.multi_items():
        text = value if isinstance(value, str) else (await value.read()).decode("utf-8-sig")
        pairs.append((name, text))
    await form.close()
    return pairs
