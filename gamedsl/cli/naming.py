"""Games as a shell completes them: names of shipped games, and paths of files.

In: what has been typed of a word. Out: what it may become.
"""

from __future__ import annotations

from pathlib import Path

from gamedsl.game.library import shipped_games


def games_beginning(incomplete: str) -> list[str]:
    """Shipped games whose names begin so, then `.game` files and folders whose paths do."""
    names = [path.stem for path in shipped_games() if path.stem.startswith(incomplete)]
    folder, slash, start = incomplete.rpartition("/")
    try:
        entries = sorted(Path(f"{folder}{slash}" or ".").iterdir())
    except OSError:
        return names
    found = [entry for entry in entries if entry.name.startswith(start or "")]
    files = [entry.name for entry in found if entry.suffix == ".game"]
    folders = [f"{entry.name}/" for entry in found if entry.is_dir() and entry.name[0] != "."]
    return names + [f"{folder}{slash}{name}" for name in (*files, *folders)]
