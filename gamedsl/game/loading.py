"""Loading of a game from a path or a text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gamedsl.game.checking import checked_rules
from gamedsl.game.engines import ENGINES
from gamedsl.game.game import LoadedGame
from gamedsl.game.library import further_games, shipped_game, shipped_games
from gamedsl.model import GameSourceError
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.source import Diagnostic, SourceFile, nearest, read_source
from gamedsl.source.collecting import uncollected
from gamedsl.source.text import source_from_text

MOST_HINTS = 4
"""Largest number of similar games named in a hint."""


def load(
    path_or_text: str | Path,
    engine: str = "auto",
    max_rounds: int = MOST_ROUNDS,
    **parameters: object,
) -> LoadedGame:
    """The game in a file, in a text, or of the library (`load("nim", sizes=[1, 2, 3])`).

    A `Path`, or a string of one line that names a file, is a path; a string of one word without a
    file is a name in the library; any other string is the text itself.

    `engine` selects the engine (see `gamedsl.game.engines`): `auto`, the default, is generated
    Python, or the interpreter where the rules cannot be compiled (`game.fallback` tells why).
    `max_rounds` is the limit on rounds of the loops of one body.

    Raises:
        GameSourceError: the text is not a valid game; its `diagnostics` tell why.
        ValueError: the engine does not exist, or (CannotCompileError) was selected by name and
            cannot play the game.
        NoNativeCodeError: `native` without llvmlite.
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine {engine!r}; the engines are {', '.join(ENGINES)}")
    source = find_source(path_or_text)
    if isinstance(source, Diagnostic):
        raise GameSourceError((source,))
    settings = {name: setting(value) for name, value in parameters.items()}
    return load_source(source, settings, engine, max_rounds)


def load_source(
    source: SourceFile,
    parameters: Mapping[str, str],
    engine: str = "auto",
    max_rounds: int = MOST_ROUNDS,
) -> LoadedGame:
    """The game of a source, its parameters bound to values in the language's notation.

    Raises `GameSourceError`, and the errors of `load` for an engine selected by name.
    """
    with uncollected():
        game = LoadedGame(checked_rules(source, parameters, max_rounds), engine)
    if engine in {"python", "native"}:
        _ = game.engine
    return game


def find_source(path_or_text: str | Path) -> SourceFile | Diagnostic:
    """The text that a user means by a path, a text, or the name of a shipped game."""
    if isinstance(path_or_text, Path):
        return read_source(path_or_text)
    if not isinstance(path_or_text, str):
        raise TypeError(f"a game is a path, a text or a name, found {path_or_text!r}")
    if "\n" in path_or_text or not path_or_text.strip():
        return source_from_text(path_or_text)
    path = Path(path_or_text)
    if not path.suffix and not os.path.exists(path):  # exists is false for a path that is too long
        shipped = shipped_game(path_or_text)
        if shipped is not None:
            return read_source(shipped)
    source = read_source(path)
    if isinstance(source, Diagnostic) and source.hint is None and path.name == path_or_text:
        return replace(source, hint=_shipped_hint(path))
    return source


def _shipped_hint(path: Path) -> str | None:
    """A hint at similar shipped games: with the word in their name, or with similar spelling."""
    names = [shipped.stem for shipped in (*shipped_games(), *further_games())]
    meant = [name for name in names if path.stem.lower() in name.split("_")]
    if not 0 < len(meant) <= MOST_HINTS:
        near = nearest(path.stem, names)
        meant = [] if near is None else [near]
    if meant:
        listed = " or ".join(f"`{name}`" for name in meant)
        return f"did you mean the shipped game {listed}?"
    return None if path.suffix else "`gamedsl games` lists the shipped games"


def setting(value: object) -> str:
    """A Python value in the language's notation: `4`, `true`, `[1, 2]`, `"pawn"` -> `pawn`."""
    match value:
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return "[" + ", ".join(setting(item) for item in value) + "]"
        case _:
            return str(value)
