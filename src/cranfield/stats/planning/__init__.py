"""Experiments that are not made yet: `power` of a paired test, and how many `topics` are needed."""
