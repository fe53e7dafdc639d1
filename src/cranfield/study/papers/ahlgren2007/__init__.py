"""Ahlgren & Grönqvist 2007: `printed` numbers and the `study` that repeats them."""
