"""Storms in a judging room: many assessors at once, races for few pairs, servers that are killed, disks that fail.

`clients` are simulated assessors, who work through a `Desk`: the room itself, or the pages of a server (`served`).
`killing` ends a server in a storm and checks that nothing acknowledged is lost, and nothing sent again is there twice.
`failing` makes trouble with the disk of a server that goes on. `scripts/storm` runs all of it.
"""
