"""Frozen columns: runs, qrels, topics, documents, scores. Nothing is read or written here.

`text` is a column of strings; `run` and `qrels` are the tables that everything begins with; `scores` and `audit` are
what an evaluation gives. `result` gives every result its forms, `sheets` prints them.
"""
