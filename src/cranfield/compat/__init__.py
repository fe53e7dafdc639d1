"""Drop-ins: other programs' command lines and interfaces, answered by this package."""
