"""The kinds of study and their questions, known before any of them is imported.

Each lives in the module of its name in `study/kinds/`, where `define` gives it the question that stands here.
"""

from pathlib import Path

_STUDY = Path(__file__).parent.parent
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
    """The module of a kind: its own in `study/kinds/`, or `study` in the folder of the kind or of the paper.

    >>> home("depth"), home("leave-out"), home("sakai2008")
    ('cranfield.study.kinds.depth', 'cranfield.study.kinds.leave_out.study', 'cranfield.study.papers.sakai2008.study')
    """
    module = name.replace("-", "_")
    room = "papers" if (_STUDY / "papers" / module).is_dir() else "kinds"
    part = ".study" if (_STUDY / room / module).is_dir() else ""
    return f"cranfield.study.{room}.{module}{part}"
