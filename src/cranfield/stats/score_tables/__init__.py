"""Scores that were computed elsewhere: `read` makes `Scores` of any table with one value for each topic.

`rows` reads files and objects into records, `columns` finds out which column is what, `cells` reads the values.
"""
