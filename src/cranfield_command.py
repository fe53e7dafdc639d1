"""Where the command `cranfield` begins: Ctrl-C while its modules are being imported ends it without a traceback."""

import sys


def main() -> int:
    """Run the command; see `cranfield.cli`."""
    try:
        from cranfield.cli import main as command

        return command()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
