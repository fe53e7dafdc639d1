"""Whether measures agree on the order: `study` is the kind, `resampled` draws topics."""
