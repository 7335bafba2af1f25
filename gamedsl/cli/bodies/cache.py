"""`gamedsl cache`: the compiled code kept between runs."""

from __future__ import annotations

from rich.filesize import decimal

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.compiler.cache import cache_contents, clear_cache
from gamedsl.source.plurals import count


def run(clear: bool) -> ExitCode:
    """Show the contents of the cache, or delete them."""
    contents = clear_cache() if clear else cache_contents()
    games = f"{count(contents.games, 'game')}, {decimal(contents.size)}"
    console = Console()
    console.out(f"{'deleted: ' if clear else ''}{games} in {contents.folder}")
    if contents.why_not is not None:
        console.out(f"Nothing is kept there: {contents.why_not}.")
    return ExitCode.DONE
