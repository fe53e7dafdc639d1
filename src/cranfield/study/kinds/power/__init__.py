"""Discriminative power, and how many topics are needed: begin with `study`."""
