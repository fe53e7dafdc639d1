"""Järvelin & Kekäläinen 2002: `printed` numbers, the `study` that repeats them, and its gain curves."""
