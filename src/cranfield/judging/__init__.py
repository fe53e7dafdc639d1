"""The judging room: a lab is one SQLite file of pairs to judge, in which several people judge blind.

`lab` is the public class; `room` is a lab that is being served, and the only thing that pages and simulated assessors
call; `records` are what it returns. `queue` decides with pure functions over rows, `jobs` are what happens in one
transaction, `store` holds all SQL. Read `records`, then `room`, then `jobs`.

Rooms: `filling` makes a lab of files and `exporting` makes files of a lab; `accounts` says who may do what; `agreeing`
and `looking` show owners what was judged; `deciding` serves what decides runs soonest; `serving` is what a room is
built on; `web` is the browser's side. Read `records` first.
"""
