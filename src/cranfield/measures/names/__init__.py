"""Spellings of measures: what other programs call them, several in one text, what to write instead.

`elsewhere` knows the names of other programs; read it first. The grammar itself is `cranfield.measures.grammar`.
"""
