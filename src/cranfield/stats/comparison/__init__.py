"""What `cranfield.compare` does: from scores to a table of differences with p values.

`compare` is the way through: `method` holds the caller's choices, `contrasts` says which runs are paired, `examine`
computes what is found on each measure (`evidence`), and `decide` corrects the p values of a family. `pair` declares
what is found about a pair, once; `result` is what the caller gets. `sheets` print it
from the declared fields (`declared`), and the JSON schema is made from them too.
"""
