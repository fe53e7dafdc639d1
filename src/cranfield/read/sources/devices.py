"""Devices look like files, but some of them never end."""

import os
import stat

from cranfield.errors import InputError


def refuse_device(number: int, name: str) -> None:
    """Refuse a device such as `/dev/zero`, which never ends; a terminal and an empty device may be read."""
    mode = os.fstat(number).st_mode
    if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not os.isatty(number) and not _is_empty(number)):
        raise InputError("E102", "is a device, expected a file", path=name)


def _is_empty(number: int) -> bool:
    return os.fstat(number).st_rdev == os.stat(os.devnull).st_rdev
