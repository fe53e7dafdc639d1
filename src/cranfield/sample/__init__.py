"""The built-in demo collection: simulated, seeded, nothing to download."""
