"""Find and open inputs: `paths` finds files, `content` holds their bytes, `unpacking` decompresses them.

`runs` opens the runs of a call one after the other, `pieces` and `partitions` read large ones in parts, `fingerprints`
are their SHA-256, `devices` refuses endless devices, `missing_files` words the error for a missing file.

Read `content` first.
"""
