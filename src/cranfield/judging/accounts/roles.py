"""The roles that an account may have; one person may have several."""

from collections.abc import Iterable

from cranfield.registry import unknown

VIEWER = "viewer"  # sees comparisons
ASSESSOR = "assessor"  # judges, blind
ADJUDICATOR = "adjudicator"  # settles disagreements
OWNER = "owner"  # adds pairs, invites people, exports
ROLES = (VIEWER, ASSESSOR, ADJUDICATOR, OWNER)


def checked_roles(names: Iterable[str]) -> tuple[str, ...]:
    """The roles in their usual order, each once; a name that is no role is an error.

    >>> checked_roles(["owner", "assessor", "owner"])
    ('assessor', 'owner')
    >>> checked_roles(["boss"])
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: roles="boss" is unknown
      hint: one of viewer, assessor, adjudicator, owner
    """
    wanted = set(names)
    for name in sorted(wanted):
        if name not in ROLES:
            raise unknown("roles", name, ROLES)
    return tuple(role for role in ROLES if role in wanted)
