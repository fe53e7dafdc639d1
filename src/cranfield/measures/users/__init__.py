"""User models: a user who reads from the top and goes on with some probability (C/W/L).

`cwl` is the model and what follows from it, `models` are the models of the field, `own_model` lets callers add one.
`walk` and `dense` compute on whole lists.
"""
