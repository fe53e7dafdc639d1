"""A bounded, seeded run of the fuzzers; `scripts/fuzz` is the long one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kernel.paths import COMPILED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a call is a copy of the process with bounded memory")
ROOT = Path(__file__).resolve().parents[2]


def fuzzed(module: str, calls: int) -> None:
    words = [sys.executable, "-m", f"tests.fuzz.{module}", "--calls", str(calls), "--seed", "7"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_whatever_is_asked_the_command_ends_as_it_should():
    fuzzed("commands", 120)


@pytest.mark.skipif(not COMPILED, reason="there is one path only")
def test_whatever_the_bytes_both_paths_of_the_kernel_agree():
    fuzzed("kernel", 15)
