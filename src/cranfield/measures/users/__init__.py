"""User models: a user who reads from the top and goes on with some probability (C/W/L).

`cwl` defines a model and its expectations, `models` holds the published models, `own_model` lets callers add one.
`walk` and `dense` compute on whole lists.
"""
