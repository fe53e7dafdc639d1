"""`cranfield judge serve LAB`: serve the room (also 'cranfield judge LAB')."""

import click

from cranfield.cli import options
from cranfield.cli.defaults import NOTE, used
from cranfield.cli.printing.console import Console
from cranfield.cli.verbs.judge.lab import lab_argument, subverb
from cranfield.errors.extras import need

_EXAMPLES = (
    "cranfield judge serve lab.db --open",
    "cranfield judge serve lab.db --port 0",
    "cranfield judge serve lab.db --public-url https://x.org --trusted-proxy ::1",
)


@subverb("LAB", _EXAMPLES, {"type": "object"})
@lab_argument
@options.option(
    "--host", group="input", default="127.0.0.1", metavar="NAME", brief=True, help="name or address to listen on"
)
@options.option(
    "--port",
    group="input",
    type=click.IntRange(0, 65535),
    default=8765,
    metavar="N",
    brief=True,
    help="port to listen on; 0 picks a free one",
)
@options.option("--open", "browse", group="output", is_flag=True, brief=True, help="open the room in a browser")
@options.option(
    "--public-url", group="input", default="", metavar="URL", usual="none", help="the address people use, of a proxy"
)
@options.option(
    "--trusted-proxy",
    "trusted_proxies",
    group="input",
    multiple=True,
    metavar="IP",
    help="proxy whose X-Forwarded headers are believed",
)
@options.option(
    "--root-path",
    group="input",
    default="",
    metavar="/x",
    usual="that of the URL",
    help="path of the room on the proxy",
)
@options.option("--access-log", group="output", is_flag=True, help="log each request on standard error")
@options.streams
@click.pass_obj
def command(
    console: Console,
    lab: str,
    host: str,
    port: int,
    browse: bool,
    public_url: str,
    trusted_proxies: tuple[str, ...],
    root_path: str,
    access_log: bool,
) -> int:
    """Serve the room of a lab; without accounts, to this machine alone."""
    need_room()
    from cranfield.judging.web.server import serve
    from cranfield.judging.web.settings import ServerSettings

    settings = ServerSettings(
        host=host, port=port, public_url=public_url, trusted_proxies=trusted_proxies, root_path=root_path
    )
    if used(click.get_current_context()):
        console.note(NOTE)
    return serve(lab, settings, say=lambda text: click.echo(f" {text}", err=True), browse=browse, log=access_log)


def need_room() -> None:
    """Refuse where the judging room is not installed."""
    for module in ("starlette", "uvicorn", "jinja2", "nh3", "argon2", "markdown_it", "python_multipart"):
        need(module, "the judging room")
