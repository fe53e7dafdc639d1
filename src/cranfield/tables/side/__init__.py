"""Tables beside runs and qrels: `topics`, `documents`, a `pool`, `intents`, label `probabilities`, `latencies`.

`matching` compares the names in them with those of the runs, topics or documents.
"""
