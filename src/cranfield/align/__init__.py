"""Runs and judgments, brought together: the only join of documents with grades.

The way of a run: `policy` says how, `order` breaks ties, `rankings` are the ordered lists, `join` looks them up in the
judgments, and `hits` is the table that measures read. `checking` and `converting` work on whole tables.
"""
