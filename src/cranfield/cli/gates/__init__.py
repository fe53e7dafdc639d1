"""Conditions on the command line: `holes` finds what they need, `verdicts` prints them, `reports` writes them."""
