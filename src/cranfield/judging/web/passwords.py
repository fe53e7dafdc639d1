"""Passwords: argon2id, and the same work for a name that no account has."""

from functools import cache

from argon2 import PasswordHasher, Type
from argon2.exceptions import Argon2Error, InvalidHashError

from cranfield.errors import PolicyError

SHORTEST = 10
LONGEST = 1000
_HASHER = PasswordHasher(type=Type.ID)


def hash_password(password: str) -> str:
    """What is kept of a password; one that is too short is an error.

    >>> hash_password("correct horse")[:9]
    '$argon2id'
    >>> hash_password("short")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E242: the password has 5 characters
      hint: at least 10
    """
    if not SHORTEST <= len(password) <= LONGEST:
        hint = f"at least {SHORTEST}" if len(password) < SHORTEST else f"at most {LONGEST:,}"
        raise PolicyError("E242", f"the password has {len(password):,} characters", hint=hint)
    return _HASHER.hash(password)


def is_password(kept: str | None, password: str) -> bool:
    """Whether the password is right; without an account as much is computed, and it is wrong.

    >>> is_password(hash_password("correct horse"), "correct horse"), is_password(None, "correct horse")
    (True, False)
    """
    try:
        _HASHER.verify(kept or _of_no_account(), password[:LONGEST])
    except (Argon2Error, InvalidHashError):
        return False
    return kept is not None


@cache
def _of_no_account() -> str:
    return _HASHER.hash("the password of no account")
