"""The twins of every `brute*.py` beside this file, gathered: a new file of twins is found without being listed."""

from importlib import import_module
from pathlib import Path

from tests.laws.brute import TWINS

for path in sorted(Path(__file__).parent.glob("brute_*.py")):
    import_module(f"tests.laws.{path.stem}")

__all__ = ["TWINS"]
