"""JSON schemas of what `--json` prints: `schema` is the envelope, the others what stands in it."""
