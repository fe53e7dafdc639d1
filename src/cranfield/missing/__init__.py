"""What missing judgments could change.

`coverage` counts which documents of the lists were judged, pooled but not judged, or never pooled.
"""
