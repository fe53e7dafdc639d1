"""A comparison as tables: `sheet` prints it, `topic_sheet` every topic; `rows` are for programs, `words` sentences.

Read `sheet` first.
"""
