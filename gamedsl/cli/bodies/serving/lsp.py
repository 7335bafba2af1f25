"""`gamedsl lsp`: the language server, on standard input and output."""

from __future__ import annotations

import logging
import os
import sys

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.exits import ExitCode


def run() -> ExitCode:
    """Serve an editor until the editor ends the session."""
    if sys.stdin.isatty():
        raise wrong_usage(
            "`gamedsl lsp` is started by an editor and talks to it on standard input\n"
            "  = help: docs/editors.md says how editors are set up"
        )
    try:
        from gamedsl.server.language_server import create_server
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        raise wrong_usage(
            "the language server needs pygls, which is not installed\n"
            '  = help: python -m pip install "pygls>=2"',
        ) from missing
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:  # pygls closes the output
        create_server().start_io(stdout=output)
    return ExitCode.DONE
