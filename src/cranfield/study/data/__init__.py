"""What studies work on: judgments, runs and measures, joined once and then looked at in many ways.

`collection` is the usual form, `joining` makes it from files, `selection` keeps some of its runs. `pools`, `strata` and
`topic_sets` are ways to take a part of it; `views` are the same data under several policies.
"""
