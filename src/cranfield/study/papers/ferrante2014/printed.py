"""Marco Ferrante, Nicola Ferro and Maria Maistro (2014): Table 1, and the anchors of Tables 2 and 3, by collection."""

from cranfield.study.papers.printed_value import Published

SOURCE = "Ferrante, Ferro & Maistro 2014"
COLLECTIONS = ("TREC-10", "TREC-14", "TREC-21")
MEASURES = {"RBP(rel=1)": "RBP", "Bpref": "bpref"}  # canonical name -> the paper's
GRADED = ("GAP", "xGAP", "eGAP")
HIGH, KEY = 2, 3  # grades of highly relevant, and of key documents
USERS: dict[int, tuple[float, ...]] = {2: (0.1, 0.9), 3: (0.2, 0.2, 0.6)}  # of Figs 1, 2, by the highest grade
NEAR = 0.84  # the lowest τ of AP and GAP at these users that the paper calls high (.84, .94, .94)
LOW = (10, 5)  # percent of the judgments, of which the text on Figs 1, 2 speaks


def users_measures() -> dict[str, str]:
    """Canonical name -> the paper's, of the measures of the figures.

    >>> users_measures()["GAP(g={1: 0.1, 2: 0.9})"]
    'GAP'
    """
    shares = [", ".join(f"{grade}: {share:g}" for grade, share in enumerate(g, start=1)) for g in USERS.values()]
    return {f"{name}(g={{{each}}})": name for name in GRADED for each in shares}


def _each(what: str, *values: float | None, digits: int = 0) -> Published:
    known = {name: value for name, value in zip(COLLECTIONS, values, strict=True) if value is not None}
    return Published("Table 1", what, known, digits)


JUDGED = ("relevant documents of a topic, fewest", "relevant documents of a topic, mean", "relevant documents, most")
RUNS = "runs"
TABLE_1 = (
    _each("topics", 50, 50, 50),
    _each(JUDGED[0], 2, 9, 6),
    _each(JUDGED[1], 67.26, 131.22, 70.46, digits=2),
    _each(JUDGED[2], 372, 376, 253),
    _each("grades", 3, 3, 4),
    _each("topics with few highly relevant", 17, 6, 10),
    _each("topics with few key documents", None, None, 7),
    _each(RUNS, 95, 74, 27),
    _each("runs above the first quartile", 71, 55, 20),
)

# collection -> shares g -> (GAP, xGAP, eGAP): τ with AP on all topics, and where highly relevant documents are few
WITH_AP: dict[str, dict[tuple[float, ...], tuple[tuple[float, ...], ...]]] = {
    "TREC-10": {
        (1, 0): ((1, 1, 1),),
        (0.5, 0.5): ((0.95, 0.86, 0.84), (0.97, 0.73, 0.67)),
        (0.3, 0.7): ((0.92, 0.80, 0.78), (0.93, 0.61, 0.54)),
        (0.1, 0.9): ((0.84, 0.73, 0.72), (0.80, 0.48, 0.45)),
        (0, 1): ((0.69, 0.69, 0.69), (0.42, 0.42, 0.42)),
    },
    "TREC-14": {
        (1, 0): ((1, 1, 1),),
        (0.5, 0.5): ((0.99, 0.93, 0.92), (0.99, 0.83, 0.81)),
        (0.1, 0.9): ((0.94, 0.83, 0.82), (0.92, 0.55, 0.49)),
        (0, 1): ((0.78, 0.78, 0.78), (0.26, 0.26, 0.26)),
    },
    "TREC-21": {
        (0.4, 0.2, 0.4): ((0.97, 0.83, 0.82),),
        (0.2, 0.2, 0.6): ((0.94, 0.62, 0.61),),
        (0.2, 0, 0.8): ((0.96, 0.58, 0.57),),
        (0, 1, 0): ((0.49, 0.49, 0.49),),
        (0, 0, 1): ((0.41, 0.41, 0.41),),
    },
}
WITH_GAP = {  # the same with GAP at g = (0.1, 0.9): xGAP, eGAP
    "TREC-10": ((0.86, 0.85), (0.67, 0.64)),
    "TREC-14": ((0.86, 0.85), (0.61, 0.54)),
}
OTHERS = {"TREC-10": (0.79, 0.60, 0.85), "TREC-14": (0.86, 0.61, 0.77)}  # τ of AP with nDCG, RBP, bpref
