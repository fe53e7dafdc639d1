"""Plan an experiment: the `power` of a test, and the number of `topics` it needs."""
