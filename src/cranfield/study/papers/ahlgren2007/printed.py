"""Per Ahlgren and Leif Grönqvist (2007): numbers of Tables 1 to 8 and of Figures 6 to 8, by collection."""

from cranfield.study.papers.printed_value import Published

SOURCE = "Ahlgren & Grönqvist 2007"
COLLECTIONS = ("TREC-8", "TREC-10", "TREC-12")
MEASURES = {"AP": "MAP", "Bpref10(variant='literal')": "bpref-10", "BprefN": "RankEff"}  # canonical name -> the paper's
BIN = 0.002  # of differences, in the swap method


def _each(item: str, what: str, *values: float, digits: int, within: float = 0.0) -> Published:
    return Published(item, what, dict(zip(COLLECTIONS, values, strict=True)), digits, within)


def _tops(item: str, depth: int, rows: dict[str, tuple[float, ...]], digits: dict[str, int]) -> tuple[Published, ...]:
    return tuple(_each(item, f"{name} in the top {depth}", *rows[name], digits=digits[name]) for name in rows)


def _spread(measure: str, **columns: tuple[float, float, float]) -> tuple[Published, ...]:
    return (
        _each("Tables 5-7", f"best {measure}", *columns["best"], digits=3),
        _each("Tables 5-7", f"δ of {measure}", *columns["delta"], digits=3, within=BIN),
        _each("Tables 5-7", f"100 δ/best of {measure}", *columns["percent"], digits=1, within=0.8),
        _each("Tables 5-7", f"variance of {measure} (headed σ)", *columns["variance"], digits=4),
    )


PUBLISHED: tuple[Published, ...] = (
    _each("Table 1", "topics", 50, 50, 100, digits=0),
    _each("Table 1", "relevant per topic", 94.6, 67.3, 60.7, digits=1),
    _each("Table 1", "judged per topic", 1736.6, 1408.0, 1288.0, digits=1),
    _each("Table 2", "runs kept", 122, 76, 71, digits=0),
    _each("Table 2", "runs excluded", 7, 21, 7, digits=0),
    *_tops(
        "Table 2",
        1000,
        {"retrieved": (997.5, 989.6, 999.5), "relevant": (53.2, 41.8, 33.2), "unjudged": (555.3, 562.4, 558.2)},
        {"retrieved": 1, "relevant": 1, "unjudged": 1},
    ),
    _each("Table 3", "retrieved in the top 100", 99.97, 99.53, 100.0, digits=2),
    *_tops(
        "Table 3",
        100,
        {"relevant": (21.0, 14.8, 14.7), "unjudged": (4.91, 3.35, 6.13)},
        {"relevant": 1, "unjudged": 2},
    ),
    *_spread(
        "MAP",
        best=(0.413, 0.283, 0.311),
        delta=(0.030, 0.050, 0.028),
        percent=(7.3, 17.7, 9.0),
        variance=(0.0081, 0.0022, 0.0028),
    ),
    *_spread(
        "bpref-10",
        best=(0.455, 0.332, 0.326),
        delta=(0.034, 0.058, 0.032),
        percent=(7.5, 17.5, 9.8),
        variance=(0.0072, 0.0023, 0.0024),
    ),
    *_spread(
        "RankEff",
        best=(0.745, 0.777, 0.763),
        delta=(0.038, 0.074, 0.030),
        percent=(5.1, 9.5, 3.9),
        variance=(0.0252, 0.0063, 0.0094),
    ),
    _each("Table 8", "τ of MAP and bpref-10", 0.932, 0.892, 0.939, digits=3),
    _each("Table 8", "τ of MAP and RankEff", 0.856, 0.760, 0.770, digits=3),
    _each("Table 8", "τ of bpref-10 and RankEff", 0.823, 0.698, 0.741, digits=3),
    _each("Figs 6-8", "% of judgments where τ of RankEff is below .9", 10, 25, 9, digits=0, within=5),
)

# Fig. 1, as its text reads it: about so many per cent of the documents at a rank are unjudged (TREC-12, pool depth 125)
UNJUDGED = {125: 13, 1000: 80}
FIGURE_1 = tuple(
    Published("text, Fig. 1", f"% unjudged at rank {rank} (about)", {"TREC-12": share}, digits=0)
    for rank, share in UNJUDGED.items()
)

# Table 4: two rankings of 30 judged documents, 2 of them relevant, at these ranks
RANKINGS = {"M1": (1, 14), "M2": (1, 30)}
JUDGED = 30
TABLE_4 = {("M1", "bpref-10"): 0.5, ("M1", "RankEff"): 0.786, ("M2", "bpref-10"): 0.5, ("M2", "RankEff"): 0.5}
