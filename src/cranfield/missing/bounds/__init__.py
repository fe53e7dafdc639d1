"""How the lowest and highest possible value of a measure are found; one module for each property of a measure.

`method` names the interface and chooses the method that a measure's declaration allows.
"""
