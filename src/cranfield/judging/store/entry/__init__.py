"""Who is let in: `sessions`, `tokens` of setup and invite links, and failed `attempts` to sign in.

Functions take a connection. Of a token only the hash is kept.
"""
