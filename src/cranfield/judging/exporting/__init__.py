"""Judgments of a lab -> qrels and raw files, under named rules.

`export_rules` says which grade a pair gets; `choice` follows a rule for all pairs; `export` writes the file, `practice`
the file beside it, which says how the judgments were made.

Read `export_rules` first.
"""
