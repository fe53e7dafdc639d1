"""Buffers made at random, read and scored on both paths of the kernel: the same tables, errors and scores, no crash.

    python -m tests.fuzz.kernel --calls 50 --seed 1        so many batches
    python -m tests.fuzz.kernel --seconds 600              as many as fit

Each batch is done by a copy of this process with bounded memory, so that a crash is seen and nothing else ends.
"""

import io
import os
import random
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator

import numpy as np

import cranfield as cf
from cranfield.errors import DataWarning, Error
from tests.fuzz.commands import MEMORY, SECONDS, Outcome, repeated
from tests.kernel.paths import pure

BATCH = 40
BITS = [b" ", b"\t", b"\r", b"\v", b"\n", b"\n\n", b"\r\n", b"#", b"\0", b"\x01", b"0", b"-", b".", b"1e999", b"nan"]
BITS += [b"inf", b"9" * 40, "é".encode(), b"\xff", b"\xc3", b"\xef\xbb\xbf", b"x" * 70, b"1e-320", b"+", b"-0.0"]


def edited(text: bytes, chance: random.Random) -> bytes:
    """A file with a few edits, so that most of it is regular."""
    whole = bytearray(text)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
        place = chance.randrange(len(whole) + 1)
        whole[place : place + chance.randrange(4)] = chance.choice(BITS)
    return bytes(whole)


def files_of(chance: random.Random) -> tuple[bytes, bytes]:
    """A run and judgments of some of its documents."""
    topics, depth = chance.randrange(1, 6), chance.randrange(1, 40)
    scores = ("{:d}", "{:.1f}", "{:.9g}", "{:e}")
    written = chance.choice(scores)
    rows = [
        (t, d, chance.randrange(9) if "d" in written else chance.gauss(0, 9))
        for t in range(topics)
        for d in range(depth)
    ]
    run = "".join(f"{t} Q0 d{d} {d} {written.format(score)} r\n" for t, d, score in rows)
    qrels = "".join(f"{t} 0 d{d} {chance.randrange(-1, 4)}\n" for t, d, _ in rows if chance.random() < 0.5)
    return edited(run.encode(), chance), edited((qrels or "0 0 d0 1\n").encode(), chance)


def scored(run: bytes, qrels: bytes) -> tuple[str, bytes]:
    """The error, or the scores to the last bit."""
    try:
        judged = cf.read_qrels(io.BytesIO(qrels), format="qrels-trec")
        scores = cf.evaluate(judged, cf.read_run(io.BytesIO(run), format="run-trec"), "AP nDCG@10 RBP bpref P@5")
    except Error as error:
        return str(error), b""
    return "", np.ascontiguousarray(scores.values).tobytes()


def compared(seed: str) -> None:
    """Read and score some buffers on both paths."""
    chance = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DataWarning)
        for _ in range(BATCH):
            run, qrels = files_of(chance)
            here = scored(run, qrels)
            with pure():
                there = scored(run, qrels)
            assert here == there, (run, qrels, here, there)


def outcomes(seed: int) -> Iterator[Outcome]:
    """Batches without end; the same ones for the same seed."""
    for number in range(sys.maxsize):
        name = f"{seed}-{number}"
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
                signal.alarm(SECONDS)
                compared(name)
                code = 0
            except BaseException:
                os.write(writing, traceback.format_exc()[-4000:].encode())
            finally:
                os._exit(code)
        os.close(writing)
        with open(reading, "rb") as pipe:
            said = pipe.read().decode()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        yield Outcome(("batch", name), code, said, () if code == 0 else ("the paths differ, or one of them broke",))


if __name__ == "__main__":
    sys.exit(repeated(outcomes, "batches of buffers read and scored on both paths"))
