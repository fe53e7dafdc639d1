"""Measures of subtopics: `intents` averages over them, `novelty` rewards new ones, `greedy` finds the ideal list.

`facets` are the lists of a topic, once for each subtopic.
"""
