"""The simulator: collections whose truth is known.

`world` is the model, `simulator` draws collections from it, `score_matrix` draws scores without documents.
"""
