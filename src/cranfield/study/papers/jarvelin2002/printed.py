"""Kalervo Järvelin and Jaana Kekäläinen (2002): the worked example of section 2."""

from cranfield.study.papers.printed_value import PrintedValue

SOURCE = "Järvelin & Kekäläinen 2002"

# The example: grades of a list of ten documents and of the ideal list, and the vectors that are printed for them
LIST = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
IDEAL = (3, 3, 3, 2, 2, 2, 1, 1, 1, 1)
VECTORS: dict[str, tuple[float, ...]] = {
    "CG": (3, 5, 8, 8, 8, 9, 11, 13, 16, 16),
    "ideal CG": (3, 6, 9, 11, 13, 15, 16, 17, 18, 19),
    "DCG": (3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61),
    "ideal DCG": (3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 11.21, 11.53, 11.83),
    "nCG": (1, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84),
}


def example(computed: dict[str, list[float]]) -> list[PrintedValue]:
    """The printed vectors beside the computed ones, rank by rank."""
    return [
        PrintedValue(f"{name}, b = 2" if "D" in name else name, f"rank {rank}", printed, computed[name][rank - 1], 2)
        for name, values in VECTORS.items()
        for rank, printed in enumerate(values, start=1)
    ]
