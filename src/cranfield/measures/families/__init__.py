"""The definitions of all measures, one module for each family; importing a module registers what it defines.

Read `ranked` first, then `gain`. `incomplete` holds measures for incomplete judgments, `user` those of user models,
`diversity` those of subtopics, `trec` those that only trec_eval has.
"""
