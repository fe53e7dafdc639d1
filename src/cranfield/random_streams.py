"""Random streams by key: each is made for one purpose, so that the order of the work does not matter."""

import numpy as np


def stream(seed: int, *key: int | str) -> np.random.Generator:
    """The random stream of a seed and a key, for example of a repetition and a topic.

    Streams of different keys are independent, so that leaving out a topic does not change the others.

    >>> stream(7, 3, "q1").integers(100, size=3), stream(7, 3, "q2").integers(100, size=3)
    (array([ 6, 16, 42]), array([27, 84, 65]))
    """
    words = [seed]
    for part in key:
        if isinstance(part, int):
            words += [0, part]
        else:  # length and bytes: no two keys are written alike
            name = part.encode("utf-8", "surrogateescape")
            words += [1, len(name), int.from_bytes(name, "big")]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
