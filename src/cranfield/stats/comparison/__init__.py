"""What `cranfield.compare` does: from scores to a table of differences with p values.

`compare` is the way through: `method` holds the caller's choices, `contrasts` the pairs of systems, `examine` computes
each measure, `decide` corrects the p values of a family. `result` is what the caller gets; `rows`, `sheet`,
`topic_sheet` and `words` print it.
"""
