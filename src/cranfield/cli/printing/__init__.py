"""How results reach people: `console` prints notes, tables and errors, `output` gives a result its form and its file.

`progress` draws the bar of a long job.
"""
