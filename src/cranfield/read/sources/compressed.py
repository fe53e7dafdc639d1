"""Compressed data: recognised by the first bytes, never unpacked beyond the size allowed."""

from cranfield.errors import InputError
from cranfield.errors.wording import setting

MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}
ENDINGS = (".gz", ".bz2", ".xz", ".zst")


def kind(raw: bytes | bytearray) -> str | None:
    """`gz`, `bz2`, `xz`, `zst`, or None, whatever the file is called.

    >>> kind(b"BZh91AY"), kind(b"301 Q0")
    ('bz2', None)
    """
    return next((name for magic, name in MAGIC.items() if raw.startswith(magic)), None)


def too_large(name: str, max_size: int) -> InputError:
    """The error for data beyond `max_size`."""
    shown = f"{max_size / 2**30:g} GiB" if max_size >= 2**30 else f"{max_size:,} bytes"
    return InputError("E308", f"more than {shown} of data", path=name, hint=f"{setting('max_size')} raises the limit")
