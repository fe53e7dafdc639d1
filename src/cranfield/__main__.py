"""`python -m cranfield`: the command, where its script is not found."""

import sys

from cranfield_command import main

if __name__ == "__main__":
    sys.exit(main())
