"""Scores -> evidence."""
