"""What to write instead of a name that is unknown."""

from cranfield.errors.wording import verb
from cranfield.measures.definition import MEASURES
from cranfield.measures.names.elsewhere import answer, with_cutoff

TREC_ONLY = ("relstring", "runid", "prefs_", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg")  # beginnings of names


def did_you_mean(name: str, whole: str) -> str:
    """What to write instead of an unknown name, which `whole` holds with its parameters and cut-off.

    >>> did_you_mean("nDGC", "nDGC@10").partition("?")[0], did_you_mean("p10", "p10").partition("?")[0]
    ('did you mean nDCG@10', 'did you mean P@10')
    """
    near = MEASURES.nearest(name) or MEASURES.nearest(name.rstrip("0123456789_."))
    listed = f"{verb('measures')} lists all"
    if known_elsewhere := answer(name):
        return f"{known_elsewhere}; {listed}"
    if whole.startswith(TREC_ONLY):
        return f"'cranfield trec_eval' has it; {listed}"
    if known := MEASURES.find(name.partition(".")[0]):
        return f"write {known.name}(param=value) here; 'cranfield trec_eval' reads what is written like this"
    if instead := with_cutoff(whole):
        return f"did you mean {instead}? {listed}"
    return f"did you mean {whole.replace(name, near, 1)}? {listed}" if near else listed
