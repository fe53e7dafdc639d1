"""Rewrite tables: `convert` is public, `merge` joins several tables, `mapping` renames topics and documents.

`cleaning` leaves out rows of a run, and folds chunks into documents, before it is ranked.
"""
