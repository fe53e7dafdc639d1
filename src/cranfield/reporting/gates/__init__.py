"""Conditions that a build must meet: `condition` reads one, `observed` gives the verdict on scores, `check` on results.

`pair` checks conditions about a run and its baseline, `possible` those about missing judgments; `hints` help with
conditions that cannot be read.

Read `condition` first.
"""
