"""cranfield: evaluate search systems, and know what your missing judgments could change.

>>> import cranfield as cf
>>> qrels = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}}
>>> run = {"q1": {"d2": 2.5, "d1": 1.0}, "q2": {"d3": 7.0}}
>>> cf.evaluate(qrels, run, ["RR", "nDCG@10"])
 run      RR  nDCG@10  judged@10
 run  0.7500   0.8155    100.0 %
<BLANKLINE>
 2 topics in the mean
 ties: 0 groups, 0 across rank 10 · duplicates 0 · negative grades 0
 ties=trec topic-set=qrels no-relevant=zero negative=unjudged unjudged=nonrelevant
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.align.check import check as check
    from cranfield.align.convert import convert as convert
    from cranfield.align.policy import Policy as Policy
    from cranfield.align.ranking import Ranking as Ranking
    from cranfield.errors import DataWarning as DataWarning
    from cranfield.errors import Error as Error
    from cranfield.errors import InputError as InputError
    from cranfield.errors import MeasureError as MeasureError
    from cranfield.errors import PolicyError as PolicyError
    from cranfield.errors import StoreError as StoreError
    from cranfield.measures.curves import curve as curve
    from cranfield.measures.cwl import UserModel as UserModel
    from cranfield.measures.evaluate import evaluate as evaluate
    from cranfield.measures.own import forget as forget
    from cranfield.measures.own import measure as measure
    from cranfield.measures.own_model import user_model as user_model
    from cranfield.measures.pages import describe as describe
    from cranfield.measures.spec import parse as parse
    from cranfield.read import read_documents as read_documents
    from cranfield.read import read_intents as read_intents
    from cranfield.read import read_judgments as read_judgments
    from cranfield.read import read_latencies as read_latencies
    from cranfield.read import read_pool as read_pool
    from cranfield.read import read_probabilities as read_probabilities
    from cranfield.read import read_qrels as read_qrels
    from cranfield.read import read_run as read_run
    from cranfield.read import read_runs as read_runs
    from cranfield.read import read_topics as read_topics
    from cranfield.reporting.charts import chart as chart
    from cranfield.reporting.figure import Figure as Figure
    from cranfield.sample.demo import build_demo as build_demo
    from cranfield.stats.intervals import with_intervals as with_intervals
    from cranfield.tables.curves import Curves as Curves
    from cranfield.tables.curves import rank_needed as rank_needed
    from cranfield.tables.qrels import Qrels as Qrels
    from cranfield.tables.run import Run as Run
    from cranfield.tables.run import Runs as Runs
    from cranfield.tables.saved import load_scores as load_scores
    from cranfield.tables.scores import Scores as Scores
    from cranfield.write import write_table as write_table

# public name -> module that defines it; a name is imported when it is first used, so `import cranfield` is cheap
_HOME = {
    "Curves": "tables.curves",
    "DataWarning": "errors",
    "Error": "errors",
    "Figure": "reporting.figure",
    "InputError": "errors",
    "MeasureError": "errors",
    "Policy": "align.policy",
    "PolicyError": "errors",
    "Qrels": "tables.qrels",
    "Ranking": "align.ranking",
    "Run": "tables.run",
    "Runs": "tables.run",
    "Scores": "tables.scores",
    "StoreError": "errors",
    "UserModel": "measures.cwl",
    "build_demo": "sample.demo",
    "chart": "reporting.charts",
    "check": "align.check",
    "convert": "align.convert",
    "curve": "measures.curves",
    "describe": "measures.pages",
    "evaluate": "measures.evaluate",
    "forget": "measures.own",
    "load_scores": "tables.saved",
    "measure": "measures.own",
    "parse": "measures.spec",
    "rank_needed": "tables.curves",
    "read_documents": "read",
    "read_intents": "read",
    "read_judgments": "read",
    "read_latencies": "read",
    "read_pool": "read",
    "read_probabilities": "read",
    "read_qrels": "read",
    "read_run": "read",
    "read_runs": "read",
    "read_topics": "read",
    "user_model": "measures.own_model",
    "with_intervals": "stats.intervals",
    "write_table": "write",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:  # whatever the name stands for
    if name == "__version__":
        from importlib.metadata import version

        return version("cranfield")
    if name not in _HOME:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    return getattr(import_module(f"cranfield.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
