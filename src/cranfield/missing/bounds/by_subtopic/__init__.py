"""Bounds of measures that judge by subtopic: `codes` says what a hole is there, and should be read first.

`facets` are means over subtopics, `novelty` gains over those of a greedy ideal list, `global_gain` D-nDCG and D♯-nDCG.
"""
