"""Tetsuya Sakai and Noriko Kando (2008): Table 1, the numbers that the text quotes, and its statements."""

SOURCE = "Sakai & Kando 2008"
TREC, NTCIR = "TREC 2003", "NTCIR-6 Chinese"
_GAINS = "gains={1: 1, 2: 3}"  # relevant and highly relevant documents of TREC
MEASURES = {  # canonical name -> the paper's
    "AP": "AP",
    f"Q({_GAINS})": "Q",
    f"nDCG(dcg='jk', b=2, {_GAINS})@1000": "nDCG",
    "AP'": "AP′",
    f"Q'({_GAINS})": "Q′",
    f"nDCG'(dcg='jk', b=2, {_GAINS})@1000": "nDCG′",
    "BprefR": "bpref_R",
    f"RBP(p=0.95, {_GAINS})": "RBP.95",
    f"RBP(p=0.8, {_GAINS})": "RBP.8",
    f"RBP(p=0.5, {_GAINS})": "RBP.5",
}
WHOLE = ("AP", "Q", "nDCG", "RBP.95", "RBP.8", "RBP.5")  # of charts: lists as they are
CONDENSED = ("AP", "AP′", "Q′", "nDCG′", "bpref_R")  # lists without unjudged documents; AP to compare, in its colour
DROPPED = "RBP.5"  # after Tables 3 and 4

TABLE_1 = {  # p -> RBP of the ideal list with 1, 10, 100, 1000 relevant documents
    0.5: (0.5, 0.9990, 1.0, 1.0),
    0.8: (0.2, 0.8926, 1.0, 1.0),
    0.95: (0.05, 0.4013, 0.9941, 1.0),
}
IDEAL = (1, 10, 100, 1000)

NEEDED = 0.07  # difference that Q needs, TREC 2003 with 50 topics
COUNTS = {  # (table, what is counted) -> (count, of how many), of other runs or other topics
    ("Tables 3, 4", f"pairs that Q separates ({TREC})"): (80, 120),
    ("Tables 3, 4", f"pairs that AP separates at 10 % ({TREC})"): (13, 120),
    ("Table 5", f"of these inconsistent with 100 % ({TREC})"): (2, 13),
    ("Table 5", f"of bpref_R inconsistent ({NTCIR})"): (10, 39),
}

GROUP = ("Q", "AP", "nDCG", "Q′", "AP′", "nDCG′", "bpref_R")  # TREC 2003, 2004 at 100 %: separate more than others
ROBUST = ("Q′", "AP′", "nDCG′")  # at 10 %: most pairs, and the highest τ
MIDDLE = ("nDCG", "Q", "bpref_R")  # at 10 %, by the conclusion, which states no order among them
LAST = ("RBP.95", "AP", "RBP.8")  # at 10 %, in this order
COLLAPSED = ("AP", "RBP.8")  # by τ at 10 %
RUNS = 30  # of which τ is computed
SIGNIFICANT = 0.34  # τ of so many runs; the paper names no level
