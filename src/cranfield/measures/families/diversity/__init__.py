"""Measures of subtopics: `intents` averages over them, `novelty` rewards new ones, `greedy` finds the ideal list."""
