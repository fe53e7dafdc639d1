"""The only join of documents with judgments: order, rankings, hits."""
