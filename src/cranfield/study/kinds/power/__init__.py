"""Discriminative power, and the number of topics needed: start with `study`."""
