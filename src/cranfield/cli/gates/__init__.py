"""Conditions on the command line: `conditions` are the options, `holes` finds what some of them need.

`verdicts` prints the outcome, `reports` writes it.
"""
