"""What comes along and can be read on the page: example games, and the pages of messages.

In: names. Out: texts, and entries of the catalogue; None for what there is not.
"""

from __future__ import annotations

from dataclasses import fields

from gamedsl.game import shipped_game, shipped_games
from gamedsl.reports.catalogue import Entry, entries_of
from gamedsl.services.message_pages import pages


def examples() -> list[dict[str, object]]:
    """The shipped games as the catalogue has them."""
    entries = entries_of({path.name: path.read_text("utf-8") for path in shipped_games()})
    return [{one.name: getattr(entry, one.name) for one in fields(Entry)} for entry in entries]


def example(name: str) -> str | None:
    """The text of a shipped game."""
    path = shipped_game(name)
    return None if path is None else path.read_text("utf-8")


def rule(code: str) -> str | None:
    """The page of a diagnostic code, in Markdown."""
    page = pages().get(code)
    return None if page is None else page.read_text("utf-8")
