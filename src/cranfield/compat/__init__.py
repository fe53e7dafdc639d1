"""Drop-ins: the command lines and interfaces of other programs, implemented by this package.

`trec_eval` is its command line, `pytrec_eval` its interface for Python. `ir_measures` is a provider for that package,
and `ir_measure_objects` gives it our measures.
"""
