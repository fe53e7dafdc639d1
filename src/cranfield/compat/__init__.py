"""Drop-ins: the command lines and interfaces of other programs, implemented by this package."""
