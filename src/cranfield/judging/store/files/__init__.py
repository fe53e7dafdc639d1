"""The file of a lab: `schema` and its migrations, `opening` it safely, `writer` with one thread, copies and repairs.

Read `schema` first.
"""
