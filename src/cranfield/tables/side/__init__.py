"""Tables beside runs and qrels: `topics`, `documents`, a `pool`, `intents`, label `probabilities`, `latencies`.

`possible` holds what unjudged documents could make of scores, `gates` the verdicts on conditions, and `selection` takes
parts of scores. `matching` compares the names in these tables with those of the runs, topics or documents. `as_frames`
makes data frames of runs and qrels.

Read `topics` first.
"""
