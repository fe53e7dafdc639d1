"""Deciding between runs by asking for judgments until the answer is known, or probable enough.

`asked` holds the ranges of the differences and updates them after each judgment, `worlds` the completions that are
still possible and how probable they are. `decider` is both as a state that several people can answer: it gives the
next documents (`apart` keeps those apart that would make each other useless), takes answers, and says what is known
(`state`) and how much is `left`. `making` makes one; `decide` asks one person along a `path`, and `result` shows it.

Read `decide` first.
"""
