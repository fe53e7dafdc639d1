"""Tables as text: `sheet` is the printed form of any result, in every output format; `blocks` puts several together.

`column` is a column of it, and `layout` puts columns side by side, fitted to a `screen`; `names` shortens names.
`forms` registers the forms and the file endings that choose them. `marked` formats differences and p values, `escape`
quotes for each format, `scores` prints those.

Read `sheet` first.
"""
