"""The judging room in a browser: Starlette, Jinja, own small scripts.

Read `routes` first: it lists every address, the roles that may ask for it, and the function that answers. Those
functions live in `pages`, one module for each screen; each gets an `asking.Ask`, calls one method of the room, and
renders one template (`rendering`). `app` puts routes and guards together, `documents` makes documents safe to show.

`guards` stand between the network and the pages.
"""
