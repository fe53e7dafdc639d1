"""Frozen columns: runs, qrels, topics, documents, scores. Nothing is read or written here.

`text` is a column of strings; `run` and `qrels` are the input tables; `scores` and `audit` are the result of an
evaluation, `curves` has measures at every rank. `result` is the base of all results and their forms, `sheets` prints
them.

`side` holds the tables beside runs and qrels. Read `text` first, then `run`, then `scores`.
"""
