"""Systems that did not help to build the pool: `study` is the kind, `left_out` takes their judgments away."""
