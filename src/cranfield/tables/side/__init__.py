"""Tables beside runs and qrels: `topics`, `documents`, a `pool`, `intents`, label `probabilities`, `latencies`."""
