"""Shell completion for games: names of shipped games, and paths of files."""

from __future__ import annotations

from pathlib import Path

from gamedsl.game.library import further_games, shipped_games


def games_beginning(incomplete: str) -> list[str]:
    """Shipped games with the prefix, then `.game` files and folders with the prefix."""
    shipped = (*shipped_games(), *further_games())
    names = [path.stem for path in shipped if path.stem.startswith(incomplete)]
    folder, slash, start = incomplete.rpartition("/")
    try:
        entries = sorted(Path(f"{folder}{slash}" or ".").iterdir())
    except OSError:
        return names
    matches = [entry for entry in entries if entry.name.startswith(start or "")]
    files = [entry.name for entry in matches if entry.suffix == ".game"]
    folders = [f"{entry.name}/" for entry in matches if entry.is_dir() and entry.name[0] != "."]
    return names + [f"{folder}{slash}{name}" for name in (*files, *folders)]
