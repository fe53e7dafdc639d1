"""The machine of the measurement, in one line; figures from different machines cannot be compared."""

import os
import platform
from pathlib import Path

from cranfield.sample.bench.contenders import Peers
from cranfield.tables.words import counted


def described(peers: Peers, repeats: int) -> list[str]:
    """Processor, system, versions, and the number of repetitions."""
    cores = os.cpu_count() or 1
    where = f"{processor()}, {counted(cores, 'core')}, {platform.system()} {platform.machine()}"
    versions = {"Python": platform.python_version(), **peers.versions}
    with_ = ", ".join(f"{name} {version}" for name, version in versions.items())
    more = [f"trec_eval: {Path(peers.trec_eval).name}"] if peers.trec_eval else []
    return [where, ", ".join([with_, *more]), f"medians of {counted(repeats, 'interleaved repeat')}"]


def processor() -> str:
    """The name of the processor, as the system knows it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown processor"
