"""Tables -> files: written beside the target and then renamed, compressed as the ending says.

Begin with `write`; `sink` writes the file, and `runs`, `judged` and `words` render one kind of table each.
"""

from cranfield.write.write import WRITERS, render, write_table

__all__ = ["WRITERS", "render", "write_table"]
