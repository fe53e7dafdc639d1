"""Conditions of `--fail-if`: `gate` reads and judges them, `pair` those about a difference, `verdicts` reports."""
