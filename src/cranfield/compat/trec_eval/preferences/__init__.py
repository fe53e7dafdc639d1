"""Preferences and judgment groups: `table` and `units` hold them, `measures` and `groups` compute."""
