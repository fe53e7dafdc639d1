"""Where bytes come from: `paths` finds files, `content` holds their bytes, `unpacking` undoes compression.

`runs` opens the runs of a call one after the other, `pieces` and `partitions` read large ones in parts, `fingerprints`
are their SHA-256, `devices` refuses what never ends, `missing_files` words the error if there is none.
"""
