"""Resources shipped with the page: example games, and the pages of messages."""

from __future__ import annotations

from dataclasses import fields

from gamedsl.game import shipped_game, shipped_games
from gamedsl.reports.catalogue import Entry, entries_of
from gamedsl.services.message_pages import pages


def examples() -> list[dict[str, object]]:
    """The catalogue's entries of the shipped games."""
    entries = entries_of({path.name: path.read_text("utf-8") for path in shipped_games()})
    return [
        {field.name: getattr(entry, field.name) for field in fields(Entry)} for entry in entries
    ]


def example(name: str) -> str | None:
    """The text of a shipped game; None for an unknown name."""
    path = shipped_game(name)
    return None if path is None else path.read_text("utf-8")


def rule(code: str) -> str | None:
    """The page of a diagnostic code, in Markdown; None for an unknown code."""
    page = pages().get(code)
    return None if page is None else page.read_text("utf-8")
