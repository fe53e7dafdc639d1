"""What happens in one transaction of the writer: `claiming`, `saving`, `undoing` and the rest.

A job takes a connection first, reads and writes with functions of the store, decides with functions of `queue`, and
may run twice: if a batch of jobs fails, each is run again alone.
"""
