"""Names of accounts: what people type to sign in, and what exports call an assessor."""

from cranfield.errors import PolicyError

LONGEST = 64


def checked_name(name: str) -> str:
    """The name without blanks around it; one that is empty, too long or cannot be printed is an error.

    >>> checked_name(" ann ")
    'ann'
    >>> checked_name("")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E242: the name is empty
      hint: a name of 1 to 64 characters on one line
    """
    found = name.strip()
    hint = f"a name of 1 to {LONGEST} characters on one line"
    if not found:
        raise PolicyError("E242", "the name is empty", hint=hint)
    if len(found) > LONGEST or not found.isprintable():
        raise PolicyError("E242", f"the name {found[:LONGEST]!r} cannot be used", hint=hint)
    return found
