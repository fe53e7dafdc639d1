"""Conditions of `--fail-if`: `gate` checks them, `pair` those about a difference, `verdicts` and `reports` write."""
