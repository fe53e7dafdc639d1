"""Files -> a lab: pool, topics, documents, grades and guidelines become the rows that a lab is made of.

`create` makes a lab and adds to one; it asks `pairs`, `texts` and `grades` for the rows. `objects` takes tables and
dictionaries as well, for `cf.Lab`; `lab_file` is the file that rows are put into; `imported` takes in judgments made
elsewhere.

Read `create` first.
"""
