"""Which names the room answers to, and how large the head of a request may be.

A page of another site whose name was pointed at this machine (DNS rebinding) sends that other name as Host, and gets
421.
"""

from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from cranfield.judging.web.guards.answers import refusal
from cranfield.judging.web.settings import EVERYWHERE, ServerSettings

MOST_HEAD = 16 << 10  # bytes of all headers
MOST_LINE = 8 << 10  # bytes of path and query


class HostGuard:
    """Refuse requests for other hosts, and heads that are too large."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421, 413, or hand on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        line = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
        head = sum(len(name) + len(value) for name, value in scope["headers"])
        names = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
        if len(names) != 1 or not self._ours(names[0], scope):
            sentence = "This server does not answer to that name. Use the address that it printed when it started."
            await refusal(scope, 421, sentence)(scope, receive, send)
        elif line > MOST_LINE or head > MOST_HEAD:
            await refusal(scope, 413, "The head of the request is too large.")(scope, receive, send)
        else:
            scope["state"]["origins"] = {f"{scope['scheme']}://{names[0]}", self._public(names[0])} - {""}
            if self._public(names[0]).startswith("https:"):
                scope["scheme"] = "https"
            await self.app(scope, receive, send)

    def _ours(self, name: str, scope: Scope) -> bool:
        if name in self.settings.hosts:
            return True
        if self.settings.host not in EVERYWHERE:
            return False
        address, port = scope.get("server") or ("", 0)  # the one that was reached
        try:
            shown = f"[{address}]" if ip_address(address).version == 6 else address
        except ValueError:
            return False
        return name == f"{shown}:{port}"

    def _public(self, name: str) -> str:
        """The public origin, if the request came by it, or through a proxy that keeps its own name."""
        return self.settings.origin
