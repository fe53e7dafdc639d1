"""Commands of the command line that go through the server."""

import json

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from cranfield.errors import Error
from cranfield.judging.jobs.commands import COMMANDS
from cranfield.judging.web.asking import Ask


def perform(ask: Ask) -> Response:
    """Carry out a command in the writer of the room."""
    name = ask.fields.get("command", "")
    if name not in COMMANDS:
        raise HTTPException(400, "There is no such command.")
    try:
        given = json.loads(ask.fields.get("given", "{}"))
        done = ask.room.write(lambda store: COMMANDS[name](store, ask.room.clock.now(), given))
    except Error:  # some are also KeyErrors or ValueErrors
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise HTTPException(400, f"The command {name!r} lacks something: {type(error).__name__}.") from None
    return JSONResponse(done)
