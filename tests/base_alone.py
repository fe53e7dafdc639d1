"""Python with nothing but the base installation: every other package is hidden, whatever is installed.

python tests/base_alone.py evaluate qrels.txt a.run     the command
python tests/base_alone.py -c "import cranfield"        a program
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

BASE = {"numpy", "scipy", "click", "rich", "cranfield"}
THEIRS = {"markdown_it", "mdurl", "pygments", "colorama"}  # what rich and click bring along
ALLOWED = {*sys.stdlib_module_names, *BASE, *THEIRS}


class OnlyBase(MetaPathFinder):
    """Finds nothing, and lets nobody else find what the base installation lacks."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse packages that are not in the base installation."""
        top = fullname.partition(".")[0]
        if top in ALLOWED or top.startswith("_"):
            return None
        raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def run(arguments: list[str]) -> int:
    """Run the command, or with `-c` a program."""
    sys.meta_path.insert(0, OnlyBase())
    if arguments[:1] == ["-c"]:
        exec(arguments[1], {"__name__": "__main__"})
        return 0
    from cranfield.cli import main

    return main(arguments)


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file
    sys.exit(run(sys.argv[1:]))
