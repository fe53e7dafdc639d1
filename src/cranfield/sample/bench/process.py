"""What a whole process costs: CPU, wall and peak memory, with its output kept."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_OUR_OWN = {("OPENBLAS_THREAD_TIMEOUT", "4")}  # set by our command line for itself only
_LAUNCHER = str(Path(__file__).with_name("launcher.py"))


@dataclass(frozen=True)
class Cost:
    """CPU seconds (user and system, all threads), wall seconds, peak memory in bytes."""

    cpu: float
    wall: float
    peak: int | None = None


class Failed(Exception):
    """A process that failed: its exit code is not 0; with the last line of its error output."""


def timed(commands: Sequence[Sequence[str]], output: Path) -> Cost:
    """Run commands one after the other, in the folder of `output`, which receives what they print."""
    complaints = output.with_suffix(".err")
    for path in (output, complaints):
        path.write_bytes(b"")
    launched = subprocess.run(
        [sys.executable, "-I", "-S", _LAUNCHER, str(output), str(complaints)],
        input=json.dumps([list(command) for command in commands]),
        stdout=subprocess.PIPE,
        cwd=output.parent,
        env=_environment(output.parent),
        text=True,
        check=True,
    )
    found = json.loads(launched.stdout)
    if found["code"]:
        said = complaints.read_text(errors="replace").strip().splitlines()
        raise Failed(f"ended with code {found['code']}: {said[-1] if said else 'without a word'}")
    return Cost(found["cpu"], found["wall"], found["peak"])


def _environment(folder: Path) -> dict[str, str]:
    """Our environment, with writing of compiled modules allowed, as in an installation."""
    kept = {name: value for name, value in os.environ.items() if (name, value) not in _OUR_OWN}
    if kept.pop("PYTHONDONTWRITEBYTECODE", None) is None:
        return kept
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
