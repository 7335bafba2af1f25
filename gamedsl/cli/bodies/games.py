"""`gamedsl games`: the shipped games by name, with their titles."""

from __future__ import annotations

from pathlib import Path

from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.game import shipped_games


def run() -> ExitCode:
    """List names (accepted wherever a FILE is) and titles."""
    games = shipped_games()
    width = max((len(path.stem) for path in games), default=0)
    lines = [f"{path.stem:<{width}}  {_title(path)}" for path in games]
    console = Console()
    console.out("\n".join(lines))
    console.note("\nTry `gamedsl solve NAME` or `gamedsl play NAME`.")
    return ExitCode.DONE


def _title(path: Path) -> str:
    """The title as written on the line `game "..."`."""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("game "):
            return line.split('"')[1]
    return path.stem
