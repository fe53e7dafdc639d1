"""How probable each grade of an unjudged document is, and completions drawn from that.

`fitting` makes a `Prior` (`result`) from `features` of the lists, a `logistic` regression for each of the `steps` from
a grade to the next, and the `run_effect`; `external` makes one from probabilities or labels of a file. `crossing` and
`calibration` say how good it is, `isotonic` recalibrates it, `drawing` draws completions.

Read `fitting` first.
"""
