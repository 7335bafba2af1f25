"""`gamedsl rule`: the pages of the diagnostic codes, as written in docs/language/errors."""

from __future__ import annotations

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.data_files import pages
from gamedsl.cli.exits import ExitCode
from gamedsl.source import nearest


def run(code: str | None) -> ExitCode:
    """Print the page of a code, or the list of all codes with their titles."""
    known = pages()
    if code is None:
        lines = [page.read_text("utf-8").partition("\n")[0] for page in known.values()]
        Console().out("\n".join(line.removeprefix("# ") for line in lines))
        return ExitCode.DONE
    page = known.get(code.upper())
    if page is None:
        near = nearest(code.upper(), known)
        hint = f"did you mean {near}?" if near else "`gamedsl rule` lists all codes"
        raise CommandError(ExitCode.USAGE, f"error: there is no diagnostic {code}; {hint}")
    Console().out(page.read_text("utf-8"))
    return ExitCode.DONE
