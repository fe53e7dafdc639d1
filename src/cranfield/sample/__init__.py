"""What the package brings along: a simulated collection (`demo`) and the benchmark (`bench`); nothing to download.

`library` is the demo's own collection. Read `demo` first.
"""
