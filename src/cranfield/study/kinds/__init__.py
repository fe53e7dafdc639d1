"""The kinds of study: one module each, or a folder if the kind has parts of its own (begin with its `study.py`).

`reduction` is a good one to read first.
"""
