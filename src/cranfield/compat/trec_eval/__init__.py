"""trec_eval, versions 9 and 10: the same flags, the same output, the same exit codes, the same defects.

`program` is the way through: `arguments` reads the flags, `reader` the files, `catalogue` lists the measures in the
order of the original, `evaluation` computes them, `columns` prints. `defects` lists where the original is wrong.

`preferences` computes the measures of preferences. Read `program` first.
"""

from cranfield.compat.trec_eval.defects import DEFECTS, Defect
from cranfield.compat.trec_eval.program import run

__all__ = ["DEFECTS", "Defect", "run"]
