"""The verbs of the command line, one module or package each: it defines `command`, which calls one public function.

`evaluate` is a good one to read first.
"""
