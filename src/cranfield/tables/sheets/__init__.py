"""Tables as text: `sheet` is the printed form of any result, in every output format; `blocks` puts several together.

`forms` registers the forms and the file endings that choose them. `marked` formats differences and p values, `escape`
quotes for each format, `scores` and `curves` print those results.
"""
