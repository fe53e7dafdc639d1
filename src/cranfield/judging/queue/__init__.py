"""What is served to whom, as pure functions over rows: `order`, `serving`, `progress` and the rest.

No module here knows SQL, a clock or a server.
"""
