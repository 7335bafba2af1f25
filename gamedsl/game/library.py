"""The folders of shipped games and templates: beside the package in a checkout, inside it in a
wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def games_folder() -> Path:
    """The folder of shipped `.game` files."""
    installed = _PACKAGE / "_games"
    return installed if installed.is_dir() else _PACKAGE.parent / "games"


def shipped_games() -> tuple[Path, ...]:
    """All shipped games, by name."""
    return tuple(sorted(games_folder().glob("*.game")))


def further_games() -> tuple[Path, ...]:
    """Further shipped games, in folders: not in the gallery, without words about each."""
    return tuple(sorted(games_folder().glob("*/*.game")))


def templates() -> dict[str, Path]:
    """The files that a new game may start from, by kind (`board`, `cards`, ...)."""
    installed = _PACKAGE / "_templates"
    checkout = _PACKAGE.parent / "docs" / "language" / "templates"
    folder = installed if installed.is_dir() else checkout
    return {path.stem: path for path in sorted(folder.glob("*.game"))}


def shipped_game(name: str) -> Path | None:
    """The shipped game of a given name (`nim`), further games included; or None."""
    everything = (*shipped_games(), *further_games())
    return next((path for path in everything if path.stem == name), None)
