"""The kinds of study: one module each, or a folder if the kind has parts of its own (begin with its `study.py`).

Those of missing judgments are in `fewer_judgments`, of which `reduction` is a good one to read first.
"""
