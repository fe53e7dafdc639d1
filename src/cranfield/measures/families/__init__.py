"""The definitions of all measures, one module for each family; importing a module registers what it defines.

Read `ranked` first, then `gain`. `user` holds the measures of user models, `diversity` those of subtopics.

`trec` holds measures that only trec_eval has.
"""
