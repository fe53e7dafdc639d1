"""Random tokens: the store keeps their hash alone, so that a stolen copy of it lets no one in.

A session has 256 random bits. Setup and invite tokens have as many; they stand in a link, behind the `#`, which
browsers send to no server, and are used once.
"""

import hashlib
import secrets

BYTES = 32  # 256 bits
SETUP_MS = 15 * 60 * 1000  # a setup link is for who started the server, at once
INVITE_MS = 7 * 24 * 60 * 60 * 1000


def new_token() -> str:
    """A token that has never been used.

    >>> len(new_token()), new_token() == new_token()
    (43, False)
    """
    return secrets.token_urlsafe(BYTES)


def hashed(token: str) -> str:
    """What the store keeps of a token.

    >>> hashed("a")[:8]
    'ca978112'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def form_token(secret: str) -> str:
    """The token of the forms of a visitor without a session, derived from a random cookie.

    >>> form_token("a") == hashed("a")
    False
    """
    return hashed(f"form {secret}")
