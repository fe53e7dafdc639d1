"""The names of measures in other programs, a small collection, and what each program prints for it.

`scripts/peers` runs the programs and writes `peers.json` beside this file. Nothing is imported here, so that an
environment with those programs alone can read it.
"""

from pathlib import Path

RECORD = Path(__file__).with_name("peers.json")
QRELS = {
    "q1": {"d1": 1, "d2": 0, "d3": 2, "d4": 0, "d5": 1, "d9": 3},
    "q2": {"d1": 2, "d6": 0, "d7": 1},
    "q3": {"d2": 1, "d8": 0},
}
RUN = {
    "q1": {"d3": 9.5, "d2": 8.0, "d8": 7.0, "d1": 6.0, "d4": 5.0, "d5": 4.0},
    "q2": {"d6": 3.0, "d5": 2.5, "d7": 2.0, "d3": 1.0, "d1": 0.5},
    "q3": {"d8": 1.0, "d2": 0.5, "d1": 0.25},
}
SUBTOPICS = (  # topic, subtopic, document, grade: judgments for measures of diversity, and the same run
    *(("q1", "1", "d3", 1), ("q1", "2", "d3", 0), ("q1", "1", "d1", 0), ("q1", "2", "d1", 1), ("q1", "2", "d5", 1)),
    *(("q1", "1", "d2", 0), ("q1", "3", "d9", 1), ("q2", "1", "d7", 1), ("q2", "2", "d7", 1), ("q2", "1", "d1", 1)),
    *(("q2", "2", "d6", 0), ("q3", "1", "d2", 1), ("q3", "1", "d8", 0)),
)
_RANX = ("hits", "hit_rate", "precision", "recall", "f1", "r-precision", "bpref", "mrr", "map")
_GAINS = ("dcg", "dcg_burges", "ndcg", "ndcg_burges")
_NUMBERED = {
    "P": ("5", "10", "15", "20", "30", "100", "200", "500", "1000"),
    "iprec_at_recall": ("0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00"),
    "Rprec_mult": ("0.20", "0.40", "0.60", "0.80", "1.00", "1.20", "1.40", "1.60", "1.80", "2.00"),
    "success": ("1", "5", "10"),
}
_NUMBERED |= dict.fromkeys(("map_cut", "ndcg_cut", "recall", "relative_P"), _NUMBERED["P"])
_PLAIN = (
    *("11pt_avg", "G", "Rndcg", "Rprec", "binG", "bpref", "gm_bpref", "gm_map", "infAP", "map", "ndcg", "ndcg_rel"),
    *("num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret", "recip_rank", "relstring_10", "runid"),
    *("set_F", "set_P", "set_map", "set_recall", "set_relative_P", "utility"),
)
_WITH_CUTOFF = (
    *("AP", "MAP", "P", "Precision", "R", "Recall", "RR", "MRR", "nDCG", "NDCG", "Success", "Judged", "ERR", "RBP"),
    *("Accuracy", "BPM(max_rel=3)", "SDCG(max_rel=3)", "NERR8(max_rel=3)", "NERR9(max_rel=3)"),
    *("alpha_DCG", "alpha_nDCG", "α_DCG", "α_nDCG", "ERR_IA", "nERR_IA", "P_IA", "StRecall"),
)
_WHOLE = (
    *("AP", "MAP", "RR", "MRR", "nDCG", "NDCG", "Bpref", "BPref", "Rprec", "RPrec", "infAP", "RBP", "RBP(rel=1)"),
    *("SetP", "SetR", "SetF", "SetAP", "SetRelP", "SetF(beta=2.0)", "NumQ", "NumRel", "NumRet", "NumRelRet"),
    *("Compat", "INST(max_rel=3)", "INSQ(max_rel=3)", "NERR10(max_rel=3)", "NERR11(max_rel=3)", "NRBP", "nNRBP"),
    *("AP_IA", "MAP_IA", "IPrec@0.5", "AP(rel=2)", "AP(judged_only=True)@3", "nDCG(dcg='exp-log2')@3"),
    *("nDCG(gains={1: 5, 2: 1})@3", "nDCG(judged_only=True)@3", "P(rel=2)@3", "RBP(rel=2, p=0.95)@3"),
)
NAMES: dict[str, tuple[str, ...]] = {
    "ranx": (
        *(name + at + level for name in (*_RANX, *_GAINS) for level in ("", "-l2") for at in ("", "@3")),
        *("rbp.95", "rbp.8", "rbp@95", "rbp.95-l2"),
    ),
    "pytrec_eval": (*_PLAIN, *(f"{name}_{number}" for name, numbers in _NUMBERED.items() for number in numbers)),
    "ir_measures": (*_WHOLE, *(f"{name}@3" for name in _WITH_CUTOFF)),
    "BEIR": ("NDCG@3", "MAP@3", "Recall@3", "P@3", "MRR@3", "R_cap@3", "Hole@3", "Accuracy@3"),
    "scikit-learn": (
        *("ndcg_score", "dcg_score", "label_ranking_average_precision_score", "label_ranking_loss"),
        *("coverage_error", "average_precision_score", "roc_auc_score"),
    ),
}
_DIVERSITY = ("NRBP", "nNRBP", "AP_IA", "MAP_IA", "alpha_", "α_", "ERR_IA", "nERR_IA", "P_IA", "StRecall")
_ENDS = "a list ends at rank 1000 there"
_COVERING = "divided by the gain of documents that cover all subtopics"
DIFFERENT = {  # why, and what gives their number here
    "SetF(beta=2.0)": ("beta stands for its square there", "SetF(beta=1.4142135623730951)"),
    "ERR@3": ("the highest grade is always 4 there", "ERR(max_rel=4)@3"),
    "INST(max_rel=3)": (_ENDS, "INST(max_rel=3, pad=1000)"),
    "INSQ(max_rel=3)": (_ENDS, "INSQ(max_rel=3, pad=1000)"),
    "NERR11(max_rel=3)": (_ENDS, "NERR11(max_rel=3, pad=1000)"),
    "alpha_DCG@3": (_COVERING, "alpha_DCG(normalisation='ideal_ideal')@3"),
    "α_DCG@3": (_COVERING, "alpha_DCG(normalisation='ideal_ideal')@3"),
}


def tolerance(program: str, name: str) -> float:
    """How far a number may be off: BEIR rounds to five digits, and so does gdeval, which ir_measures calls."""
    return 5e-6 if program == "BEIR" or name in ("ERR@3", "nDCG(dcg='exp-log2')@3") else 1e-9


def needs_subtopics(name: str) -> bool:
    """Whether a name is that of a measure of diversity."""
    return name.startswith(_DIVERSITY)


FORMATS = (  # program, form, what is done here; tests/golden/test_names_of_peers.py tries them
    ("pytrec_eval", "`{topic: {document: grade}}`, `{topic: {document: score}}`", "accepted"),
    ("BEIR", "`{topic: {document: grade}}`, `{topic: {document: score}}`", "accepted"),
    ("BEIR", "`qrels/test.tsv` with the head `query-id corpus-id score`", "accepted"),
    ("BEIR", "`queries.jsonl`, `corpus.jsonl`", "accepted as topics and documents"),
    ("ir_measures", "dictionaries of dictionaries", "accepted"),
    ("ir_measures", "frames with `query_id`, `doc_id`, `relevance`, `score`", "accepted"),
    ("ir_measures", "lists of `Qrel` and `ScoredDoc`", "accepted"),
    ("ir_measures", "judgments of subtopics: `Qrel` with an iteration", "accepted"),
    ("ranx", "`Qrels` and `Run`, and their `to_dict()`", "accepted"),
    ("ranx", "TREC files", "accepted"),
    ("ranx", "frames with `q_id`, `doc_id`, `score`", "accepted"),
    ("ranx", "dictionaries as JSON", "accepted"),
    ("scikit-learn", "arrays `y_true`, `y_score`", "refused: documents need names"),
)
