"""The security headers of every answer: those of pages, and those of documents in their frame."""

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
DOCUMENTS = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'self'; sandbox allow-same-origin"
_FRAMED = "x-cranfield-framed"  # taken off before the answer leaves
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def framed(response: Response) -> Response:
    """A response that is shown in the frame of a document."""
    response.headers[_FRAMED] = "1"
    return response


class SecurityHeaders:
    """Set the headers, whatever a page has set."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers."""

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                in_frame = headers.get(_FRAMED) is not None
                del headers[_FRAMED]
                headers.update(_ALWAYS)
                headers["content-security-policy"] = DOCUMENTS if in_frame else PAGES
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-store"
            await send(message)

        await self.app(scope, receive, guarded_send)
