"""What a page raises becomes an answer: a sentence and a number, never a traceback.

The log names the number, the kind of the exception and the lines of code it came through. It does not repeat the
message of the exception, which could hold what people wrote.
"""

import logging
import secrets
import traceback

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cranfield.errors import Error, InputError, PolicyError, StoreError
from cranfield.judging.refusals import AnswerRefused, NoteTooLong, PairTaken, UnknownItem
from cranfield.judging.web.guards.answers import refusal

LOG = logging.getLogger("cranfield.judging")
NO_ROOM = 507
REFUSALS: dict[type[Error], int] = {UnknownItem: 404, PairTaken: 409, AnswerRefused: 422, NoteTooLong: 413}


class FaultNet:
    """Catch what the application raises."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a sentence where a page could not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:  # the last net
            status, sentence = answered(error)
            if not begun:
                await refusal(scope, status, sentence)(scope, receive, send)


def answered(error: Exception) -> tuple[int, str]:
    """Status and sentence for an exception; a fault of ours is logged under a number."""
    if isinstance(error, HTTPException):
        return error.status_code, str(error.detail)
    if isinstance(error, StoreError):
        return REFUSALS.get(type(error), NO_ROOM), _sentences(error.problem, error.hint)
    if isinstance(error, PolicyError | InputError):
        return 400, _sentences(error.problem, error.hint)
    number = secrets.token_hex(4)
    name = error.code if isinstance(error, Error) else type(error).__name__
    places = "".join(f"\n  {frame.filename}:{frame.lineno} {frame.name}" for frame in _frames(error))
    LOG.error("fault %s: %s%s", number, name, places)
    return 500, f"This is a fault of the room, number {number}. What was saved before stays saved."


def _sentences(*parts: str) -> str:
    """Parts of a message as sentences.

    >>> _sentences("not saved: disk full", "")
    'Not saved: disk full.'
    """
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts if part)


def _frames(error: Exception) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(error.__traceback__))
