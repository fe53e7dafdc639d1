"""What `cranfield.compare` does: from scores to a table of differences with p values.

Begin with `compare`: `method` holds the caller's choices, `contrasts` says which runs are paired, `examine`
computes what is found on each measure (`evidence`), and `decide` corrects the p values of a family. `pair` declares the
fields of a pair once; `result` is what the caller gets. `sheets` print it from the declared fields (`declared`), and
the JSON schema is made from them too.
"""
