"""`decide`: how many judgments it takes until it is known which of two runs is better; begin with `study`."""
