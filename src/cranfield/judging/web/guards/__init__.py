"""What stands between the network and the pages, each part a small ASGI application around the next.

From outside to inside: `headers` (on every answer), `faults` (an error becomes a page with a number), `proxy` (who is
believed about addresses), `host`, `session`, `access` (the table of routes and roles),
`bodies` (limits, and the fields of forms), `csrf`. `guarded` puts them together. A request carries what they find in
its `state`: `row`, `visitor`, `fields`, `doors`.

Read `access` first.
"""

from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from cranfield.judging.web.guards.access import RoleGuard
from cranfield.judging.web.guards.bodies import BodyReader
from cranfield.judging.web.guards.csrf import CrossSiteGuard
from cranfield.judging.web.guards.faults import FaultNet
from cranfield.judging.web.guards.headers import SecurityHeaders
from cranfield.judging.web.guards.host import HostGuard
from cranfield.judging.web.guards.proxy import TrustedProxy
from cranfield.judging.web.guards.session import SessionReader

if TYPE_CHECKING:
    from cranfield.judging.web.doors import Doors


def guarded(app: ASGIApp, doors: "Doors") -> ASGIApp:
    """The application behind all guards."""
    inside: ASGIApp = CrossSiteGuard(app, doors.settings)
    inside = BodyReader(inside)
    inside = RoleGuard(inside)
    inside = SessionReader(inside, doors)
    inside = HostGuard(inside, doors.settings)
    inside = TrustedProxy(inside, doors.settings)
    return SecurityHeaders(FaultNet(inside))
