"""Sakai & Kando 2008: `printed` numbers and the `study` that repeats them."""
