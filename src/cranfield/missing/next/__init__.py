"""What to judge next: strategies that value each hole, found by their folder as other registries are.

`weights` says what a hole is worth to each run, `question` holds the open pairs, `strategies` is the registry; each
other module defines strategies, and `choose` makes the `result`.

`deciding` asks until a comparison is decided. Read `question` first, then `swing`.
"""
