"""Small random worlds: judgments and a run as plain Python data, with everything that goes wrong in real files."""

import math

from hypothesis import strategies as st

SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 2.5, -3.0, 1e39, 1e40, math.inf, -math.inf, 0.1, 0.100000001])
DOCUMENTS = st.sampled_from(["d1", "d9", "d10", "D1", "é", "😀", "ａ", "d", "x" * 300, "x" * 299 + "y", "0"])
TOPICS = st.sampled_from(["1", "01", "q", "10", "9"])
GRADES = st.integers(-2, 4)

runs = st.dictionaries(st.tuples(TOPICS, DOCUMENTS), SCORES, min_size=1, max_size=30)
qrels = st.dictionaries(st.tuples(TOPICS, DOCUMENTS), GRADES, min_size=1, max_size=30)
