"""Pictures of every screen of the judging room, in every state, at three widths, light and dark.

`collections` makes topics, documents, runs and answers; `rooms` fills labs with them; `states` lists what there is to
see and how one gets there; `stage` is the server and the browser; `python -m benchmarks.screens` takes the pictures.
"""
