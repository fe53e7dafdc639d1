"""Frozen columns: runs, qrels, topics, documents, scores. No input or output happens here."""
