"""The programs that take part: each reads the qrels and every run, and prints one value per run, topic and measure.

The Python ones get the names of the measures, the qrels and the runs as arguments, and print alike.
"""

PYTREC_EVAL = r"""
import sys, pytrec_eval
names, qrels, *runs = sys.argv[1:]
with open(qrels) as file: judged = pytrec_eval.parse_qrel(file)
for path in runs:
    with open(path) as file: run = pytrec_eval.parse_run(file)
    for topic, values in pytrec_eval.RelevanceEvaluator(judged, set(names.split(","))).evaluate(run).items():
        for name, value in values.items(): sys.stdout.write(f"{name}\t{topic}\t{value:.4f}\n")
"""
IR_MEASURES = r"""
import sys, ir_measures
names, qrels, *runs = sys.argv[1:]
measures = [ir_measures.parse_measure(name) for name in names.split(",")]
judged = list(ir_measures.read_trec_qrels(qrels))
for path in runs:
    for metric in ir_measures.iter_calc(measures, judged, ir_measures.read_trec_run(path)):
        sys.stdout.write(f"{metric.measure}\t{metric.query_id}\t{metric.value:.4f}\n")
"""
RANX = r"""
import sys, warnings
warnings.simplefilter("ignore")
from ranx import Qrels, Run, evaluate
names, qrels, *runs = sys.argv[1:]
judged = Qrels.from_file(qrels, kind="trec")
for path in runs:
    run = Run.from_file(path, kind="trec")
    evaluate(judged, run, names.split(","))
    for name, values in run.scores.items():
        for topic, value in values.items(): sys.stdout.write(f"{name}\t{topic}\t{value:.4f}\n")
"""
CRANFIELD = r"""
import sys, warnings, cranfield
jobs, names, qrels, *runs = sys.argv[1:]
warnings.simplefilter("ignore")
scores = cranfield.evaluate(qrels, runs, names.split(","), jobs=int(jobs))
for run in scores.values:
    for topic, row in zip(scores.topics, run.tolist()):
        for name, value in zip(scores.measures, row): sys.stdout.write(f"{name}\t{topic}\t{value:.4f}\n")
"""
COMMAND = "import sys; from cranfield.cli import main; sys.exit(main())"  # what the installed script holds
