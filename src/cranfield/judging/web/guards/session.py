"""Who asks: the cookie of a session becomes a visitor with roles."""

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cranfield.judging.accounts.tokens import form_token
from cranfield.judging.web.asking import Visitor
from cranfield.judging.web.guards.answers import header, route_path

if TYPE_CHECKING:
    from cranfield.judging.web.doors import Doors

COMMANDS = "/commands"  # the one address that takes the token of the owner
ENTRIES = ("/login", "/setup", "/invite")  # pages with forms for visitors without a session


class SessionReader:
    """Put the visitor, and the doors, into the state of a request."""

    def __init__(self, app: ASGIApp, doors: "Doors") -> None:
        self.app = app
        self.doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on with a visitor."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        secure = scope["scheme"] == "https"
        name = self.doors.settings.cookie(secure)
        cookies = _cookies(header(scope, b"cookie"))
        scope["state"]["doors"] = self.doors
        visitor = self.doors.visitor(cookies.get(name, ""))
        if route_path(scope) == COMMANDS and (commander := self.doors.commander(header(scope, b"authorization"))):
            visitor, scope["state"]["by_token"] = commander, True
        if visitor is None:
            mark = cookies.get(f"{name}-form", "")
            if not mark and route_path(scope) in ENTRIES:
                mark = secrets.token_urlsafe(32)
                send = _with_cookie(send, self.doors.cookie(f"{name}-form", mark, secure))
            visitor = Visitor(csrf=form_token(mark) if mark else "")
        scope["state"]["visitor"] = visitor
        await self.app(scope, receive, send)


def _cookies(text: str) -> dict[str, str]:
    """The cookies of a request, each alone, so that one that cannot be read hides no other."""
    found: dict[str, str] = {}
    for part in text.split(";"):
        try:
            found |= {name: morsel.value for name, morsel in SimpleCookie(part.strip()).items()}
        except CookieError:
            continue
    return found


def _with_cookie(send: Send, cookie: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("set-cookie", cookie)
        await send(message)

    return sending
