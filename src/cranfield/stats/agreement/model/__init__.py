"""A model as assessor: what a team must know before it trusts the model's labels.

Begin with `bias`: how much the model's labels raise each system and group of systems. `overrating` compares grades,
`decisions` which differences between systems are significant; `sheets` and `notes` print all of it. The intervals are
made in `mean_difference`.
"""
