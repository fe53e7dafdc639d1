"""The input of studies: judgments, runs and measures, joined once.

`collection` is the usual form, `joining` makes it from files, `selection` keeps some of its runs. `pools`, `strata` and
`topic_sets` select a part of it; `views` are the same data under several policies.

Read `collection` first.
"""
