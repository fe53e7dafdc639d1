"""The printed form of what missing judgments could change.

`whole` puts everything together: `ranges` of runs with their pictures, and `pairs` with their verdicts. `topics` does
the same for every topic.
"""
