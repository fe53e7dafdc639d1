"""cranfield: evaluate search systems, and know what your missing judgments could change.

>>> import cranfield as cf
>>> qrels = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}}
>>> run = {"q1": {"d2": 2.5, "d1": 1.0}, "q2": {"d3": 7.0}}
>>> cf.evaluate(qrels, run, ["RR", "nDCG@10"])
 run      RR   nDCG@10   judged   judged@10
 run  0.7500    0.8155  100.0 %     100.0 %
<BLANKLINE>
 2 topics in the mean
 ties: 0 groups, 0 can change a value · duplicates 0 · negative grades 0
 ties=trec topic-set=qrels no-relevant=zero negative=unjudged unjudged=nonrelevant
"""

from functools import cache
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield import study as study
    from cranfield.align.checking.check import check as check
    from cranfield.align.converting.convert import convert as convert
    from cranfield.align.policy import Policy as Policy
    from cranfield.align.ranking import Ranking as Ranking
    from cranfield.errors import DataWarning as DataWarning
    from cranfield.errors import Error as Error
    from cranfield.errors import InputError as InputError
    from cranfield.errors import MeasureError as MeasureError
    from cranfield.errors import PolicyError as PolicyError
    from cranfield.errors import StoreError as StoreError
    from cranfield.errors import UnknownNameError as UnknownNameError
    from cranfield.judging.lab import Lab as Lab
    from cranfield.measures.accepted import MeasuresLike as MeasuresLike
    from cranfield.measures.curves.curve import curve as curve
    from cranfield.measures.evaluate import evaluate as evaluate
    from cranfield.measures.grammar import parse as parse
    from cranfield.measures.own import forget as forget
    from cranfield.measures.own import measure as measure
    from cranfield.measures.pages.describe import describe as describe
    from cranfield.measures.users.cwl import UserModel as UserModel
    from cranfield.measures.users.own_model import user_model as user_model
    from cranfield.missing.holes import holes as holes
    from cranfield.missing.joined.estimated import with_estimates as with_estimates
    from cranfield.missing.joined.join import with_ranges as with_ranges
    from cranfield.missing.next.deciding.decide import decide as decide
    from cranfield.missing.pairs.verdicts import Verdict as Verdict
    from cranfield.missing.result import Holes as Holes
    from cranfield.missing.sampled.errors import sampling_errors as sampling_errors
    from cranfield.missing.sampled.prediction import prediction_powered as prediction_powered
    from cranfield.pooling.pool import pool as pool
    from cranfield.pooling.pseudo import pseudo_qrels as pseudo_qrels
    from cranfield.pooling.pseudo import random_pseudo_qrels as random_pseudo_qrels
    from cranfield.pooling.pseudo import rank_without_judgments as rank_without_judgments
    from cranfield.pooling.recall import capture_recapture as capture_recapture
    from cranfield.pooling.recall import documents_to_sample as documents_to_sample
    from cranfield.pooling.recall import recall_by_sample as recall_by_sample
    from cranfield.pooling.result import Pooled as Pooled
    from cranfield.read import from_contexts as from_contexts
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
    from cranfield.read.accepted import QrelsLike as QrelsLike
    from cranfield.read.accepted import RunsLike as RunsLike
    from cranfield.read.saved_scores import load_scores as load_scores
    from cranfield.reporting.charts.comparisons.chart import comparison_chart as comparison_chart
    from cranfield.reporting.charts.comparisons.critical_difference import critical_difference as critical_difference
    from cranfield.reporting.charts.curves import chart as chart
    from cranfield.reporting.figure import Figure as Figure
    from cranfield.reporting.page.report import Report as Report
    from cranfield.reporting.page.report import report as report
    from cranfield.sample.demo import build_demo as build_demo
    from cranfield.stats.agreement.agree import agree as agree
    from cranfield.stats.agreement.result import Agreement as Agreement
    from cranfield.stats.by_group.collections import evaluate_collections as evaluate_collections
    from cranfield.stats.by_group.comparing import GroupedComparison as GroupedComparison
    from cranfield.stats.by_group.group_topics import by_group as by_group
    from cranfield.stats.by_group.grouped import GroupedScores as GroupedScores
    from cranfield.stats.comparison.compare import compare as compare
    from cranfield.stats.comparison.pair import Pair as Pair
    from cranfield.stats.comparison.result import Comparison as Comparison
    from cranfield.stats.mean_intervals import with_intervals as with_intervals
    from cranfield.stats.orders.correlation import Correlation as Correlation
    from cranfield.stats.orders.correlation import correlate as correlate
    from cranfield.stats.orders.correlation import correlation_interval as correlation_interval
    from cranfield.stats.orders.kendall import critical_tau as critical_tau
    from cranfield.stats.orders.overlap import Overlap as Overlap
    from cranfield.stats.orders.overlap import rbo as rbo
    from cranfield.stats.planning.power import power_paired as power_paired
    from cranfield.stats.planning.topics import minimum_detectable as minimum_detectable
    from cranfield.stats.planning.topics import topic_set_size as topic_set_size
    from cranfield.stats.reproduction.reproduce import reproduce as reproduce
    from cranfield.stats.reproduction.result import Reproduction as Reproduction
    from cranfield.stats.score_tables.read import read_scores as read_scores
    from cranfield.stats.several.anova import anova as anova
    from cranfield.stats.several.friedman import friedman as friedman
    from cranfield.stats.standardize import standardize as standardize
    from cranfield.stats.weights.weighted import weighted as weighted
    from cranfield.study.simulated.score_matrix import simulate_scores as simulate_scores
    from cranfield.study.simulated.simulator import simulate as simulate
    from cranfield.tables.curves.result import Curves as Curves
    from cranfield.tables.curves.result import rank_needed as rank_needed
    from cranfield.tables.qrels import Qrels as Qrels
    from cranfield.tables.run import Run as Run
    from cranfield.tables.run import Runs as Runs
    from cranfield.tables.scores import Scores as Scores
    from cranfield.tables.side.gates import GateResult as GateResult
    from cranfield.tables.side.replicates import with_replicates as with_replicates
    from cranfield.write import write_table as write_table

__version__ = "0.1.0"  # the only place; pyproject.toml reads it here

# public name -> module that defines it; a name is imported when it is first used, so `import cranfield` is cheap
_HOME = {
    "Agreement": "stats.agreement.result",
    "Comparison": "stats.comparison.result",
    "Correlation": "stats.orders.correlation",
    "Curves": "tables.curves.result",
    "DataWarning": "errors",
    "Error": "errors",
    "Figure": "reporting.figure",
    "GateResult": "tables.side.gates",
    "GroupedComparison": "stats.by_group.comparing",
    "GroupedScores": "stats.by_group.grouped",
    "Holes": "missing.result",
    "InputError": "errors",
    "Lab": "judging.lab",
    "MeasureError": "errors",
    "MeasuresLike": "measures.accepted",
    "Overlap": "stats.orders.overlap",
    "Pair": "stats.comparison.pair",
    "Policy": "align.policy",
    "PolicyError": "errors",
    "Pooled": "pooling.result",
    "Qrels": "tables.qrels",
    "QrelsLike": "read.accepted",
    "Ranking": "align.ranking",
    "Report": "reporting.page.report",
    "Reproduction": "stats.reproduction.result",
    "Run": "tables.run",
    "Runs": "tables.run",
    "RunsLike": "read.accepted",
    "Scores": "tables.scores",
    "StoreError": "errors",
    "UnknownNameError": "errors",
    "UserModel": "measures.users.cwl",
    "Verdict": "missing.pairs.verdicts",
    "agree": "stats.agreement.agree",
    "anova": "stats.several.anova",
    "build_demo": "sample.demo",
    "by_group": "stats.by_group.group_topics",
    "capture_recapture": "pooling.recall",
    "chart": "reporting.charts.curves",
    "check": "align.checking.check",
    "compare": "stats.comparison.compare",
    "comparison_chart": "reporting.charts.comparisons.chart",
    "convert": "align.converting.convert",
    "correlate": "stats.orders.correlation",
    "correlation_interval": "stats.orders.correlation",
    "critical_difference": "reporting.charts.comparisons.critical_difference",
    "critical_tau": "stats.orders.kendall",
    "curve": "measures.curves.curve",
    "decide": "missing.next.deciding.decide",
    "describe": "measures.pages.describe",
    "documents_to_sample": "pooling.recall",
    "evaluate": "measures.evaluate",
    "evaluate_collections": "stats.by_group.collections",
    "forget": "measures.own",
    "friedman": "stats.several.friedman",
    "from_contexts": "read",
    "holes": "missing.holes",
    "load_scores": "read.saved_scores",
    "measure": "measures.own",
    "minimum_detectable": "stats.planning.topics",
    "parse": "measures.grammar",
    "pool": "pooling.pool",
    "power_paired": "stats.planning.power",
    "prediction_powered": "missing.sampled.prediction",
    "pseudo_qrels": "pooling.pseudo",
    "random_pseudo_qrels": "pooling.pseudo",
    "rank_needed": "tables.curves.result",
    "rank_without_judgments": "pooling.pseudo",
    "rbo": "stats.orders.overlap",
    "read_documents": "read",
    "read_intents": "read",
    "read_judgments": "read",
    "read_latencies": "read",
    "read_pool": "read",
    "read_probabilities": "read",
    "read_qrels": "read",
    "read_run": "read",
    "read_runs": "read",
    "read_scores": "stats.score_tables.read",
    "read_topics": "read",
    "recall_by_sample": "pooling.recall",
    "report": "reporting.page.report",
    "reproduce": "stats.reproduction.reproduce",
    "sampling_errors": "missing.sampled.errors",
    "simulate": "study.simulated.simulator",
    "simulate_scores": "study.simulated.score_matrix",
    "standardize": "stats.standardize",
    "topic_set_size": "stats.planning.topics",
    "user_model": "measures.users.own_model",
    "weighted": "stats.weights.weighted",
    "with_estimates": "missing.joined.estimated",
    "with_intervals": "stats.mean_intervals",
    "with_ranges": "missing.joined.join",
    "with_replicates": "tables.side.replicates",
    "write_table": "write",
}

__all__ = list(_HOME)


if not TYPE_CHECKING:  # type checkers read the imports above, and refuse a name that is not there

    def __getattr__(name):
        if name == "study":  # a package: its functions are the studies
            return import_module("cranfield.study")
        if name not in _HOME:
            raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
        return _public(name)

    @cache
    def _public(name):
        found = getattr(import_module(f"cranfield.{_HOME[name]}"), name)
        if not isinstance(found, FunctionType):
            return found
        from cranfield.errors.arguments import checked

        return checked(found)


def __dir__() -> list[str]:
    return sorted([*__all__, "study"])
