"""The worked examples of a lecture: `printed` numbers and the `study` that repeats them."""
