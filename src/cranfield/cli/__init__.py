"""The command line: every verb calls one public function and prints its result. Nothing is computed here.

`run` starts a verb and turns errors into exit codes, `group` finds the verbs, and `verbs` holds them. `options` and
`printing` are what verbs share. Nothing heavy is imported before a verb needs it.

`gates` are conditions on results, `schemas` the JSON schemas. Read `verbs/evaluate` first, then `run`.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cranfield.standard_streams import failure, standard_streams

INTERRUPTED = 130
TERMINATED = 143
UNWRITTEN = 4
# NumPy starts the threads of its linear algebra with the process, and they spin until they get work: a tenth of a
# second of a processor for nothing. So they go to sleep at once (2^4 cycles), and are woken if there is work.
SLEEP_SOON = ("OPENBLAS_THREAD_TIMEOUT", "4")
MANY = 100_000  # new objects before garbage is looked for: what a program makes while it starts is none


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises, whatever happens below."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault(*SLEEP_SOON)
    gc.set_threshold(MANY)
    with standard_streams(), _termination():
        return _ended(arguments)


def _ended(arguments: list[str]) -> int:
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except _Terminated:
        print("terminated", file=sys.stderr)
        return TERMINATED
    except BrokenPipeError:
        close_stdout()
        return 0
    except OSError as error:  # whatever a verb read or wrote has been dealt with: this is the last flush
        from cranfield.cli.printing.console import Console

        return Console().fault(error)
    return code if failure() is None else UNWRITTEN  # even if the error of a write was caught


class _Terminated(BaseException):
    """The process received SIGTERM."""


def _terminate(*_: object) -> None:
    raise _Terminated


@contextmanager
def _termination() -> Iterator[None]:
    """While a command runs, SIGTERM raises an exception, so that unfinished files are removed."""
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    try:
        signal.signal(signal.SIGTERM, _terminate)
    except ValueError:  # only the main thread hears signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _usual_termination() -> None:
    """In a worker process, SIGTERM has its usual effect: the process ends at once."""
    if signal.getsignal(signal.SIGTERM) is _terminate:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_usual_termination)


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["trec_eval"]:  # it reads its own flags
        from cranfield.cli.verbs.trec_eval import main as trec_eval

        return trec_eval(arguments[1:])
    from cranfield.cli.run import run

    return run(arguments)


def close_stdout() -> None:
    """Discard buffered output after the reader closed the pipe (`… | head`)."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # standard output has no file behind it, for example in a test
        return
