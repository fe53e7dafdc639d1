"""trec_eval, versions 9 and 10: the same flags, the same output, the same exit codes, the same defects."""

from cranfield.compat.trec_eval.defects import DEFECTS, Defect
from cranfield.compat.trec_eval.program import run

__all__ = ["DEFECTS", "Defect", "run"]
