"""Summaries that several kinds of study share: agreement of orders, bands over draws, tables by level, counts."""
