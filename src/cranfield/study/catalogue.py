"""The kinds of study and their questions, known before any of them is imported.

Each lives in the module of its name in `study/kinds/`, where `define` gives it the question that stands here.
"""

KINDS = {
    "reduction": "fewer judgments, removed at random",
    "depth": "shallower pool",
    "breadth": "fewer groups that build the pool",
    "leave-out": "a new system or group that did not help to build the pool",
    "disagreement": "other assessors, other judgments",
    "swap": "how often another topic set would reverse the order",
    "power": "discriminative power; how many topics are needed",
    "correlation": "do measures agree on the order",
    "grid": "GAP, xGAP and eGAP for more and less demanding users",
    "parameters": "how much gains, log base, p, beta and last rank matter",
    "topheavy": "how fast a measure forgets lower ranks",
    "stability": "would other topics give the same order",
    "folds": "how good is the tuned system on topics it was not tuned on",
    "efficiency": "what does effectiveness cost",
    "simulate": "what would be true if all were judged",
    "describe": "what was judged, and what is in the lists",
    "ahlgren2007": "Ahlgren & Grönqvist 2007, beside the print",
    "jarvelin2002": "Järvelin & Kekäläinen 2002: gain by rank, schemes, bases",
    "sakai2008": "Sakai & Kando 2008, beside the print",
    "ferrante2014": "Ferrante, Ferro & Maistro 2014, beside the print",
    "lecture": "the worked examples of a lecture, beside the print",
}


def home(name: str) -> str:
    """The module of a kind.

    >>> home("leave-out")
    'cranfield.study.kinds.leave_out'
    """
    return f"cranfield.study.kinds.{name.replace('-', '_')}"
