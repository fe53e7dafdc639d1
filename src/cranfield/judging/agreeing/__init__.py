"""Agreement in a lab: `stored` opens a lab for `cf.agree`, `disagreements` lists the pairs on which assessors differ.

`view` makes what the screen of agreement shows, and says who may see it.
"""
