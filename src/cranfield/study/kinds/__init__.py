"""One module per kind of study; see `study/definition.py`."""
