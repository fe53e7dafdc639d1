"""Whose word is taken for the address of a visitor: `X-Forwarded-*` counts only from a trusted proxy."""

from starlette.types import ASGIApp, Receive, Scope, Send

from cranfield.judging.web.settings import ServerSettings

_FORWARDED = (b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-port", b"forwarded")


class TrustedProxy:
    """Take address, scheme and host from a trusted proxy, drop what others say, and find the prefix of the path."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as asked by the visitor behind the proxy."""
        if scope["type"] == "http":
            scope = self._rewritten(scope)
        await self.app(scope, receive, send)

    def _rewritten(self, scope: Scope) -> Scope:
        said = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _FORWARDED}
        kept = [(name, value) for name, value in scope["headers"] if name not in _FORWARDED]
        peer = (scope.get("client") or ("", 0))[0]
        scheme = "http"
        if peer in self.settings.trusted_proxies:
            peer = self._visitor(said.get(b"x-forwarded-for", ""), peer)
            scheme = "https" if said.get(b"x-forwarded-proto", "").split(",")[-1].strip() == "https" else "http"
            if host := said.get(b"x-forwarded-host", "").split(",")[-1].strip():
                kept = [(name, value) for name, value in kept if name != b"host"] + [(b"host", host.encode("latin-1"))]
        root, path = self.settings.root_path, str(scope["path"])
        inside = path[len(root) :] if root and path.startswith(root + "/") else path
        return {
            **scope,
            "headers": kept,
            "client": (peer, 0),
            "scheme": scheme,
            "root_path": root,
            "path": root + inside,
            "state": dict(scope.get("state") or {}),
        }

    def _visitor(self, chain: str, peer: str) -> str:
        """The last address of the chain that is no proxy of ours: those before it may be invented."""
        addresses = [part.strip() for part in chain.split(",") if part.strip()]
        return next((each for each in reversed(addresses) if each not in self.settings.trusted_proxies), peer)
