"""Labels of people and of a model that favours the systems of one group, built at random."""

import numpy as np


def labelled(topics=20, documents=15, favour=0.3, seed=5):
    """People's labels, the model's, the runs, and run -> group; the model raises what the systems of x retrieve."""
    rng = np.random.default_rng(seed)
    people = {
        f"q{t}": {f"d{d}": int(grade) for d, grade in enumerate(rng.integers(0, 3, documents))} for t in range(topics)
    }
    quality = {"x1": ("x", 0.4), "x2": ("x", 0.9), "y1": ("y", 0.4), "y2": ("y", 0.9), "y3": ("y", 1.4)}
    runs = {
        run: {t: {d: own * grade + rng.normal() for d, grade in docs.items()} for t, docs in people.items()}
        for run, (_, own) in quality.items()
    }
    model = {}
    for topic, docs in people.items():
        top = {d for run in ("x1", "x2") for d in sorted(docs, key=runs[run][topic].__getitem__)[-5:]}
        raised = {d: rng.random() < (favour if d in top else 0.05) for d in docs}
        model[topic] = {d: min(grade + raised[d], 2) for d, grade in docs.items()}
    return people, model, runs, {run: group for run, (group, _) in quality.items()}
