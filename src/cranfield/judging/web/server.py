"""Serving a room with uvicorn: one port, one process, and an orderly end."""

import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

import uvicorn

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import either, setting
from cranfield.judging.accounts.enrolling import has_owner
from cranfield.judging.jobs.commands import token_file
from cranfield.judging.room import Room
from cranfield.judging.web.app import application, warming
from cranfield.judging.web.doors import Doors
from cranfield.judging.web.settings import ServerSettings

DRAIN = 8  # seconds that open requests get when the server stops
MOST_HEAD = 64 << 10  # bytes of a head that the parser holds; the guard of hosts is stricter and says 413


class _Server(uvicorn.Server):
    """A server that ends in order at SIGTERM and Ctrl-C, and says which of them it was."""

    stopped_by: int | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals while serving; afterwards they mean what they meant before."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop accepting; a second Ctrl-C does not wait for open requests."""
        self.stopped_by = sig
        super().handle_exit(sig, frame)


def serve(
    path: "str | os.PathLike[str]",
    settings: ServerSettings,
    *,
    say: Callable[[str], None],
    browse: bool = False,
    log: bool = False,
) -> int:
    """Serve a lab until a signal ends it; `say` tells where it is. The exit code: 0 after SIGTERM."""
    room = Room.open(path)
    try:
        if not settings.is_local and not has_owner(room.read()):
            raise _without_accounts(path, settings)
        listener = listen(settings)
        settings = replace(settings, port=listener.getsockname()[1])
        doors = Doors(room, settings)
        server = _Server(_configured(doors, log))
        with listener, _token_beside(room.path, doors.owner_token):
            room.serve(settings.local_address)
            room.keep_backups()
            say_where(doors, say, browse)
            with warming():
                server.run(sockets=[listener])
    finally:
        room.close()
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt
    return 0


def listen(settings: ServerSettings) -> socket.socket:
    """The socket of the address; a port that is taken is an error."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host.strip("[]"), settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError("E120", f"cannot listen on {settings.host}: {error.strerror or error}") from None
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)
    except OSError:
        made.close()
        hint = f"{setting('port', 0)} picks a free one"
        raise InputError("E402", f"port {settings.port} is in use", hint=hint) from None
    made.set_inheritable(False)
    return made


@contextlib.contextmanager
def _token_beside(path: Path, token: str) -> Iterator[None]:
    """Put the token of the owner beside the lab, for the user who serves it alone, while the server runs."""
    place = token_file(path)
    place.unlink(missing_ok=True)
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(token)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def say_where(doors: Doors, say: Callable[[str], None], browse: bool) -> None:
    """Tell the address, and without accounts the link of the first visit."""
    settings = doors.settings
    reach = "only this machine" if settings.is_local else f"listening on {settings.host}, port {settings.port}"
    say(f"Judging at {settings.address}  ({reach}; Ctrl-C stops)")
    first = settings.address
    if settings.is_local and not doors.has_accounts:
        first = f"{settings.address}#setup={doors.setup_token()}"
        say(f"first visit: {first}   valid once, 15 minutes")
    if browse:
        import webbrowser

        webbrowser.open(first)


def _configured(doors: Doors, log: bool) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    if log:
        requests = logging.getLogger("uvicorn.access")
        requests.setLevel(logging.INFO)
        requests.addHandler(logging.StreamHandler())
    return uvicorn.Config(
        application(doors.room, doors.settings, doors),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=log,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=MOST_HEAD,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=DRAIN,
    )


def _without_accounts(path: "str | os.PathLike[str]", settings: ServerSettings) -> PolicyError:
    where = f"serve {settings.address}" if settings.public_url else f"listen on {settings.host}"
    hint = either(
        python="make an owner with a password first",
        command=f"cranfield judge users {os.fspath(path)} add NAME --role owner",
    )
    return PolicyError("E401", f"refusing to {where} without accounts", hint=hint)
