"""Compressed data: recognised by the first bytes, never unpacked beyond the size allowed."""

from cranfield.arrays.memory import at_most
from cranfield.errors import InputError
from cranfield.errors.wording import setting

MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}
ENDINGS = (".gz", ".bz2", ".xz", ".zst")
MAX_SIZE = 64 << 30
LITTLE = 64 << 20  # bytes that any machine can hold


def kind(raw: bytes | bytearray) -> str | None:
    """`gz`, `bz2`, `xz`, `zst`, or None, whatever the file is called.

    >>> kind(b"BZh91AY"), kind(b"301 Q0")
    ('bz2', None)
    """
    return next((name for magic, name in MAGIC.items() if raw.startswith(magic)), None)


def held(max_size: int | None) -> int:
    """The bytes of a file that may be held: the given limit, or half the memory, since its columns need the rest.

    >>> held(1000), held(None) <= MAX_SIZE
    (1000, True)
    """
    return min(MAX_SIZE, at_most() // 2) if max_size is None else max_size


def fits(size: int, max_size: int | None) -> bool:
    """Whether so many bytes may be held; how much memory there is is asked only where it can matter.

    >>> fits(1000, None), fits(1001, 1000)
    (True, False)
    """
    return (max_size is None and size <= LITTLE) or size <= held(max_size)


def streamed(max_size: int | None) -> int:
    """The bytes of a file that may be read in pieces, one held at a time.

    >>> streamed(None) == MAX_SIZE
    True
    """
    return MAX_SIZE if max_size is None else max_size


def too_large(name: str, max_size: int | None) -> InputError:
    """The error for data larger than the limit."""
    limit, raises = held(max_size), f"{setting('max_size')} raises the limit"
    shown = f"{limit / 2**30:.4g} GiB" if limit >= 2**30 else f"{limit:,} bytes"
    if max_size is not None or limit == MAX_SIZE:
        return InputError("E308", f"more than {shown} of data", path=name, hint=raises)
    hint = f"a run that is not compressed, topic after topic, is read in pieces; {raises}"
    return InputError("E308", f"more than {shown} of data, half of the memory there is", path=name, hint=hint)
