"""The table of routes and roles, applied: what it lacks does not exist, and what it does not grant is refused."""

from urllib.parse import quote

from starlette.types import ASGIApp, Receive, Scope, Send

from cranfield.judging.web.asking import Visitor
from cranfield.judging.web.guards.answers import refusal, route_path, see_other, wants_json
from cranfield.judging.web.routes import ANYONE, found, methods_of


class RoleGuard:
    """Find the row of a request and compare its roles with those of the visitor."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404, 405, 401, 403, the page for signing in, or hand on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path, method = route_path(scope), str(scope["method"])
        visitor: Visitor = scope["state"]["visitor"]
        row = found(method, path)
        if row is None and (known := methods_of(path)):
            answer = refusal(scope, 405, "This address does not take that.", {"allow": ", ".join(sorted(set(known)))})
        elif row is None:
            answer = refusal(scope, 404, "There is no such page.")
        elif row.who == ANYONE or visitor.roles & row.who:
            scope["state"]["row"] = row
            await self.app(scope, receive, send)
            return
        elif visitor.name:
            answer = refusal(scope, 403, "Your account has no role that may do this. An owner can give it one.")
        elif wants_json(scope) or method not in ("GET", "HEAD"):
            answer = refusal(scope, 401, "You are signed out. Sign in again; what you did before is saved.")
        else:
            answer = see_other(scope, "/login" + (f"?next={quote(path)}" if path != "/" else ""))
        await answer(scope, receive, send)
