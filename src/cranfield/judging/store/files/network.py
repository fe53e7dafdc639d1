"""Whether a file lies on a network file system, where the platform tells."""

import sys
from pathlib import Path

from cranfield.errors import DataWarning
from cranfield.errors.warning import warn

_NETWORK = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "afs",
    "ceph",
    "fuse.sshfs",
    "gluster",
    "fuse.gluster",
    "lustre",
    "beegfs",
    "ncp",
)
_MOUNTS = Path("/proc/self/mounts")


def file_system(path: str, mounts: str) -> str:
    r"""The kind of file system that a path lies on, by the table of mounts.

    >>> mounts = "/dev/sda1 / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\nserver:/a\\040b /a\\040b cifs rw 0 0\n"
    >>> (
    ...     file_system("/home/ann/lab.db", mounts),
    ...     file_system("/homes/lab.db", mounts),
    ...     file_system("/a b/lab.db", mounts),
    ... )
    ('nfs4', 'ext4', 'cifs')
    """
    best = ("", "")
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) > 2:
            place = fields[1].replace("\\040", " ").replace("\\011", "\t").rstrip("/")
            if (path == place or path.startswith(f"{place}/")) and len(place) >= len(best[0]):
                best = (place, fields[2])
    return best[1]


def network_kind(path: Path) -> str:
    """The kind of network file system that a file lies on; empty, if it is local or the platform does not tell."""
    if sys.platform == "win32":
        import ctypes

        drive = path.absolute().anchor
        remote = drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive) == 4
        return "network drive" if remote else ""
    try:
        kind = file_system(str(path.resolve()), _MOUNTS.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
    return kind if kind.startswith(_NETWORK) else ""


def warn_of_network(path: Path) -> None:
    """Warn if the write-ahead log of a lab would lie on a network."""
    if kind := network_kind(path):
        message = (
            f"lies on a network file system ({kind}), where the write-ahead log of SQLite is safe for one machine only;"
            " serve the lab from the machine that holds the disk"
        )
        warn(DataWarning("W132", message, path.name))
