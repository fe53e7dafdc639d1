"""Preferences and judgment groups: `table` holds them, `units` who judged; `measures` and `groups` compute."""
