"""Decide queues: an owner names runs and a measure, and the room serves what decides them soonest.

`asking` is the question as the store keeps it, and `queueing` makes a queue of it. `desk` holds the state of one queue
in memory: from where it began (`beginning`) it follows the events of the lab (`answers`), gives the next items, and
says what is known; `desks` are those of a room. `showing` is what an owner may see of it, `picture` draws it,
and `overseeing` is the part of a room that does so. Read `asking` first, then `desk`.
"""
