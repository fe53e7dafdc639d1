"""Where a room is served: the address it listens on, and the address people know it by."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from cranfield.errors import PolicyError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
USUAL_PORT = 8765


@dataclass(frozen=True)
class ServerSettings:
    """The addresses of a room.

    >>> room = ServerSettings(port=8765)
    >>> room.is_local, sorted(room.hosts)
    (True, ['127.0.0.1:8765', '[::1]:8765', 'localhost:8765'])
    >>> team = ServerSettings(public_url="https://judge.example.org/lab", trusted_proxies=("127.0.0.1",))
    >>> team.origin, team.root_path, team.address
    ('https://judge.example.org', '/lab', 'https://judge.example.org/lab/')

    Attributes:
        host: name or address that the server listens on.
        port: the port it listens on.
        public_url: the address that people type, if a proxy stands before the server.
        trusted_proxies: addresses whose `X-Forwarded-*` headers are believed.
        root_path: the path under which the proxy serves the room.
    """

    host: str = "127.0.0.1"
    port: int = USUAL_PORT
    public_url: str = ""
    trusted_proxies: tuple[str, ...] = ()
    root_path: str = field(default="")

    def __post_init__(self) -> None:
        if self.public_url:
            parts = urlsplit(self.public_url)
            if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
                hint = "such as https://judge.example.org"
                raise PolicyError("E242", f"the public address {self.public_url!r} is no address", hint=hint)
            if not self.root_path:
                object.__setattr__(self, "root_path", parts.path)
        path = self.root_path.strip("/")
        object.__setattr__(self, "root_path", f"/{path}" if path else "")
        for proxy in self.trusted_proxies:
            try:
                ip_address(proxy)
            except ValueError:
                problem = f"the trusted proxy {proxy!r} is no address of a machine"
                raise PolicyError("E242", problem, hint="such as 127.0.0.1") from None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the room: it listens here alone, and no proxy hands it on."""
        return _is_loopback(self.host) and not self.public_url

    @property
    def hosts(self) -> frozenset[str]:
        """What the header Host may say; a server on all addresses also answers to the one that was reached."""
        names = [_bracketed(self.host)]
        if _is_loopback(self.host) or self.host in EVERYWHERE:
            names += LOOPBACK
        known = {f"{name.lower()}:{self.port}" for name in names if name not in EVERYWHERE}
        if self.port == 80:
            known |= {name.lower() for name in names}
        return frozenset(known | ({urlsplit(self.public_url).netloc.lower()} if self.public_url else set()))

    @property
    def origin(self) -> str:
        """The origin of the public address; empty without one."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower() if self.public_url else ""

    @property
    def local_address(self) -> str:
        """Where a browser on this machine finds the room."""
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://{_bracketed(host)}:{self.port}{self.root_path}/"

    @property
    def address(self) -> str:
        """Where people find the room."""
        return self.origin + self.root_path + "/" if self.public_url else self.local_address

    def cookie(self, secure: bool) -> str:
        """The name of the cookie of a session; rooms on other ports or paths of one machine have others.

        >>> ServerSettings().cookie(secure=True), ServerSettings(root_path="/lab").cookie(secure=False)
        ('__Host-cranfield-8765', 'cranfield-8765-lab')
        """
        path = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in self.root_path)
        return f"{'__Host-' if secure else ''}cranfield-{self.port}{path}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
