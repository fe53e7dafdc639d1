"""JSON schemas of what `--json` prints: `schema` is the envelope, the others what stands in it.

`of_record` makes them of records, so that no list of fields is written twice.
"""
