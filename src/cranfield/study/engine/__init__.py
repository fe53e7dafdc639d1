"""What every study shares: its definition, the engine that runs it, the journal it resumes from, and its result.

Read `definition` first: it says what a kind of study is. `make` runs one, `journal` keeps finished units, `repetition`
makes a study again from its settings, `findings` and `result` are what comes out.
"""
