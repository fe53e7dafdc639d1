"""`cranfield trec_eval`: everything after the verb goes to the drop-in untouched."""

import sys


def main(arguments: list[str]) -> int:
    """Run the drop-in for trec_eval and return its exit code."""
    from cranfield.compat.trec_eval import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
