"""Everything that knows SQL: one SQLite file, append-only events, and tables that are derived from them.

`files` makes, opens, checks and copies the file and writes to it; `events` is the truth; `derived` keeps `current` and
`progress` in step with it. The other modules have one family of tables each: functions that take a connection and
return records. SQL texts are constants, and values are bound parameters (a test checks).

`entry` holds who is let in, `outside` what leaves a lab and comes back. Read `files/schema` first, then `events`.
"""
