"""THE table: every address of the room, who may ask for it, and the page that answers.

An address that is not in the table does not exist, for owners too. A page is named `module:function` of `pages`; it
takes an `Ask` and returns a response. Roles are checked here and nowhere else; whether a pair is one's own to judge
is for `Room` to say.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from cranfield.judging.accounts.roles import ADJUDICATOR, ASSESSOR, OWNER, ROLES, VIEWER

ANYONE: frozenset[str] = frozenset()  # without sign-in
SIGNED_IN = frozenset(ROLES)
JUDGES = frozenset({ASSESSOR, ADJUDICATOR, OWNER})  # what is theirs to judge
SETTLES = frozenset({ADJUDICATOR, OWNER})
LOOKS = frozenset({VIEWER, OWNER})
OWNS = frozenset({OWNER})
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class RouteRow:
    """One address: the method, the path as Starlette writes it, the roles that may ask, and the page.

    >>> RouteRow("GET", "/judge/{item}", JUDGES, "judge:one").matches("/judge/3f")
    True
    """

    method: str
    path: str
    who: frozenset[str]
    page: str
    body: int = MEGABYTE  # bytes that a request may bring

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = re.split(r"(\{[^}]*\})", self.path)
        shapes = [
            (".*" if part.endswith(":path}") else "[^/]+") if part.startswith("{") else re.escape(part)
            for part in parts
        ]
        return re.compile("".join(shapes))

    def matches(self, path: str) -> bool:
        """Whether the path is one of this address."""
        return self._pattern.fullmatch(path) is not None


ROUTES: tuple[RouteRow, ...] = (
    RouteRow("GET", "/", SIGNED_IN, "home:home"),
    RouteRow("GET", "/guidelines", SIGNED_IN, "guidelines:guidelines"),
    RouteRow("GET", "/settings", SIGNED_IN, "settings:settings"),
    RouteRow("POST", "/settings", SIGNED_IN, "settings:change"),
    RouteRow("POST", "/logout", SIGNED_IN, "entry:sign_out"),
    RouteRow("GET", "/judge", JUDGES, "judge:next"),
    RouteRow("GET", "/judge/{item}", JUDGES, "judge:one"),
    RouteRow("GET", "/doc/{item}", JUDGES, "document:document"),
    RouteRow("POST", "/judgments", JUDGES, "judge:save"),
    RouteRow("POST", "/judgments/undo", JUDGES, "judge:undo"),
    RouteRow("POST", "/leases/renew", JUDGES, "judge:renew"),
    RouteRow("GET", "/agreement", SETTLES, "agreement:agreement"),
    RouteRow("GET", "/adjudicate", SETTLES, "adjudicate:next"),
    RouteRow("GET", "/adjudicate/{item}", SETTLES, "adjudicate:one"),
    RouteRow("POST", "/adjudications", SETTLES, "adjudicate:save"),
    RouteRow("GET", "/compare", LOOKS, "compare:compare"),
    RouteRow("GET", "/topics/{topic}", LOOKS, "topics:topic"),
    RouteRow("POST", "/topics/{topic}", OWNS, "topics:queue"),
    RouteRow("GET", "/export/scores.csv", LOOKS, "compare:scores"),
    RouteRow("GET", "/queues", OWNS, "queues:queues"),
    RouteRow("POST", "/queues", OWNS, "queues:change"),
    RouteRow("POST", "/users", OWNS, "queues:change_user"),
    RouteRow("GET", "/queues/decide", OWNS, "decisions:new"),
    RouteRow("POST", "/queues/decide", OWNS, "decisions:make"),
    RouteRow("GET", "/queues/{queue}", OWNS, "decisions:decision"),
    RouteRow("POST", "/queues/{queue}/reveal", OWNS, "decisions:reveal"),
    RouteRow("POST", "/leases/release", OWNS, "queues:release"),
    RouteRow("POST", "/invites", OWNS, "queues:invite"),
    RouteRow("POST", "/commands", OWNS, "commands:perform", 64 * MEGABYTE),
    RouteRow("GET", "/audit", OWNS, "audit:audit"),
    RouteRow("GET", "/export/qrels.{form}", OWNS, "export:qrels"),
    RouteRow("GET", "/export/raw.{form}", OWNS, "export:raw"),
    RouteRow("GET", "/login", ANYONE, "entry:login"),
    RouteRow("POST", "/login", ANYONE, "entry:sign_in"),
    RouteRow("GET", "/setup", ANYONE, "entry:setup"),
    RouteRow("POST", "/setup", ANYONE, "entry:set_up"),
    RouteRow("GET", "/invite", ANYONE, "entry:invite"),
    RouteRow("POST", "/invite", ANYONE, "entry:accept"),
    RouteRow("GET", "/healthz", ANYONE, "entry:health"),
    RouteRow("GET", "/static/{path:path}", ANYONE, ""),
)


def found(method: str, path: str) -> RouteRow | None:
    """The row of a request; None if the table has none.

    >>> found("GET", "/judge/3f").page, found("HEAD", "/login").page, found("GET", "/secret")
    ('judge:one', 'entry:login', None)
    """
    asked = "GET" if method == "HEAD" else method
    return next((row for row in ROUTES if row.method == asked and row.matches(path)), None)


def methods_of(path: str) -> tuple[str, ...]:
    """The methods that the table knows for a path."""
    return tuple(row.method for row in ROUTES if row.matches(path))
