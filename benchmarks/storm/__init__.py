"""Storms in a judging room: many assessors at once, races for few pairs, and processes that are killed.

`clients` are simulated assessors, who work through a `Desk`: the room itself here, or a page over HTTP. `killing`
kills a process in which assessors judge, and checks that nothing acknowledged is lost. `scripts/storm` runs all.
"""
