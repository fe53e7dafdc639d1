"""What a page gets: the request, the room, the person who asks, and the fields of the body."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

DEFAULTS: Mapping[str, object] = {"keys": True, "keymap": {}, "text": "medium", "contrast": "auto", "highlights": True}


@dataclass(frozen=True)
class Visitor:
    """The person who asks: a name, the roles of the account, the token that each form must send back.

    >>> Visitor(name="ada", roles=frozenset({"assessor"})).may("assessor", "owner")
    True
    """

    name: str = ""
    roles: frozenset[str] = frozenset()
    csrf: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)

    def may(self, *roles: str) -> bool:
        """Whether the account has one of these roles."""
        return bool(self.roles & set(roles))

    def setting(self, name: str) -> object:
        """What the person chose on the page of settings, or what everyone begins with."""
        return self.settings.get(name, DEFAULTS[name])


SIGNED_OUT = Visitor()


@dataclass(frozen=True)
class Ask:
    """One request for a page. `fields` are those of the form or of the JSON body, read and limited already.

    Values of a name that a form repeats stand one on each line.
    """

    request: Request
    room: Any  # of cranfield.judging.room
    visitor: Visitor = SIGNED_OUT
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """The prefix under which a proxy serves the room; empty without one."""
        return str(self.request.scope.get("root_path", "")).rstrip("/")

    @property
    def wants_json(self) -> bool:
        """Whether a script of ours asks, which gets JSON where a browser alone gets a page."""
        return "application/json" in self.request.headers.get("accept", "")

    def path(self, name: str) -> str:
        """A part of the path: the item of `/judge/{item}`."""
        return str(self.request.path_params[name])

    def query(self, name: str) -> str:
        """A value after the question mark; empty if absent."""
        return self.request.query_params.get(name, "")

    def number(self, name: str) -> int | None:
        """A field that holds a whole number; None if it is empty or something else."""
        text = self.fields.get(name, "").strip()
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) < 16 else None


Endpoint = Callable[[Ask], Response]
