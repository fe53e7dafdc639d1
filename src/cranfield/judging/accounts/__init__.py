"""Who may do what, and for how long: roles, tokens, sessions, and how often a password may be tried.

Begin with `roles`. Everything here is plain arithmetic on texts and times; `store` keeps what has to be kept, and
`web` asks for it. Times are UTC milliseconds.
"""
