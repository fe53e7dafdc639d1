"""The collection of the demo: docstrings of the standard library, and what was written for them.

`docstrings` reads the documents, `written` the topics and grades that come with the package, `rankers` are the six
systems; `world` puts them together and `files` writes them.

Read `world` first.
"""
