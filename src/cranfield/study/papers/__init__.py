"""Published experiments, repeated: one folder for each paper.

In each folder `printed` holds the paper's numbers and `study` computes them again. `printed_value` compares a printed
and a computed number, `claims` does so for statements in words, and `reproduction` is the base of all papers.

Read `reproduction` first.
"""
