"""In which order an assessor gets the documents of a topic."""

from collections.abc import Sequence
from hashlib import blake2b


def shuffled(documents: Sequence[str], seed: int, *key: str) -> list[int]:
    """The places of the documents in a random order of this seed and key (the assessor and the topic).

    The order depends on the documents' ids alone: documents added later do not change the order of the others.

    >>> shuffled(["d1", "d2", "d3", "d4"], 7, "ann", "q1"), shuffled(["d1", "d2", "d3", "d4"], 7, "bob", "q1")
    ([2, 3, 1, 0], [0, 3, 1, 2])
    >>> shuffled(["d1", "d3", "d4"], 7, "ann", "q1")
    [1, 2, 0]
    """
    secret = blake2b(digest_size=32)
    for part in (str(seed), *key):
        data = part.encode("utf-8", "surrogatepass")
        secret.update(len(data).to_bytes(8, "big") + data)
    name = secret.digest()
    digests = [_digest(name, document) for document in documents]
    return sorted(range(len(documents)), key=digests.__getitem__)


def _digest(key: bytes, document: str) -> bytes:
    return blake2b(document.encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest()


def drawn(documents: Sequence[str], share: float, seed: int, *key: str) -> set[int]:
    """The places of a share of the documents, drawn at random by seed and key; the number is rounded.

    >>> len(drawn([f"d{i}" for i in range(4180)], 0.2, 7, "overlap"))
    836
    """
    return set(shuffled(documents, seed, *key)[: round(share * len(documents))])
