"""Published experiments, repeated: one folder for each paper.

In each folder `printed` holds the paper's numbers and `study` computes them again. `printed_value` puts a printed and a
computed number side by side, `claims` does so for statements in words, `reproduction` is what all papers share.
"""
