"""Requests that change something come from our own pages: same origin, and the token of the session."""

import hmac

from starlette.types import ASGIApp, Receive, Scope, Send

from cranfield.judging.web.asking import Visitor
from cranfield.judging.web.guards.answers import header, refusal
from cranfield.judging.web.settings import ServerSettings

READS = ("GET", "HEAD")
_SENTENCE = "The request did not come from a page of this room, or the page is too old. Load the page again."


class CrossSiteGuard:
    """Refuse what another site makes a browser send."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403, or hand on."""
        allowed = scope["type"] != "http" or scope["method"] in READS or _is_ours(scope)
        if not allowed:
            await refusal(scope, 403, _SENTENCE)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _is_ours(scope: Scope) -> bool:
    """Whether a page of ours sent it, or a command with a token that no browser sends by itself."""
    return bool(scope["state"].get("by_token")) or (_same_origin(scope) and _token_fits(scope))


def _same_origin(scope: Scope) -> bool:
    """Whether Origin is ours; where it is missing or null, the browser must say that the request is of one origin."""
    origin, site = header(scope, b"origin").lower(), header(scope, b"sec-fetch-site")
    if site not in ("", "same-origin"):
        return False
    if origin in ("", "null"):
        return site == "same-origin"
    return origin in scope["state"]["origins"]


def _token_fits(scope: Scope) -> bool:
    visitor: Visitor = scope["state"]["visitor"]
    sent = header(scope, b"x-csrf-token") or scope["state"]["fields"].get("csrf", "")
    return bool(visitor.csrf) and hmac.compare_digest(sent.encode(), visitor.csrf.encode())
