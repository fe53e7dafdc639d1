"""What missing judgments could change.

`coverage` counts which documents of the lists were judged, pooled but not judged, or never pooled. `prior` says how
probable each grade of an unjudged document is, and `estimates` scores runs on completions drawn from it.
"""
