"""Simulated collections with complete judgments: `study` is the kind, `truth` compares a pool with them."""
