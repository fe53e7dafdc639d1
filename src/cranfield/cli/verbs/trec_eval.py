"""`cranfield trec_eval`: behave exactly like trec_eval."""

import sys


def main(arguments: list[str]) -> int:
    """Run the drop-in for trec_eval and return its exit code."""
    from cranfield.compat.trec_eval import run

    try:
        return run(arguments)
    except BrokenPipeError:
        raise
    except Exception as error:  # the last net, as for every other verb
        from cranfield.cli.printing.console import Console
        from cranfield.errors import Error

        console = Console(command="trec_eval")
        return console.fail(error) if isinstance(error, Error) else console.fault(error)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
