"""The simulator: collections whose truth is known.

`world` is the model, `simulator` draws collections from it; `named_systems` is the small collection of the demo, whose
systems have names and given qualities. Both make their lists, pools and tables in `lists`. `score_matrix` draws scores
without documents.
"""
