"""Common to all studies: the definition, the engine that runs them, the journal from which they resume, and the result.

Read `definition` first: it says what a kind of study is. `make` runs one, `journal` keeps finished units, `repetition`
makes a study again from its settings, `findings` and `result` are its output.
"""
