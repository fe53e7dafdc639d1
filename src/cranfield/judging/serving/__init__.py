"""What a room is built on: `served` is an open lab with its writer, `overseeing` what owners and adjudicators do there.

`summaries` are the records that owners see.
"""
