"""The analysis of a text and its game: read and elaborated once for all services of the page."""

from __future__ import annotations

from functools import lru_cache

from gamedsl.game import LoadedGame
from gamedsl.model import GameSourceError
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.source.text import source_from_text

NAME = "playground.game"


@lru_cache(maxsize=4)
def analysed(text: str) -> Analysis:
    """The analysis of a text; the last analyses are cached."""
    return analyse(source_from_text(text, NAME))


@lru_cache(maxsize=2)
def load_text(text: str) -> LoadedGame:
    """The game defined by a text. Raises `GameSourceError`."""
    analysis = analysed(text)
    diagnostics = analysis.diagnostics
    model = None if analysis.examined is None else analysis.examined.model
    if model is None or any(diagnostic.is_error for diagnostic in diagnostics):
        raise GameSourceError(diagnostics)
    return LoadedGame(model, "auto")
