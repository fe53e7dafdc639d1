"""Conditions of `--fail-if`: `gate` reads and judges them, `pair` those about a difference, `verdicts` and
`reports` tell the outcome."""
