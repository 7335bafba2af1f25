"""Resources shipped with the page: example games, the pages of messages, and the cookbook."""

from __future__ import annotations

import re
from dataclasses import fields

from gamedsl.game import further_games, shipped_game, shipped_games
from gamedsl.game.library import templates
from gamedsl.python.cookbook import patterns_about
from gamedsl.reports.catalogue import Entry, entries_of
from gamedsl.services.message_pages import pages
from gamedsl.source.keeping import keep

PAGE_WORDS = (
    ("`gamedsl check`", "`Rules`"),
    ("`gamedsl solve`", "`Who wins?`"),
    (r"change it without touching the file: -D .*", "can be set under `Play`, too"),
)
"""Patterns of commands in the templates, with the page's words for the same."""
FURTHER = "Games that OpenSpiel has too"
"""The heading of the gallery's last shelf."""
MOST_PATTERNS = 3
"""Patterns of the cookbook shown for a question."""


def examples() -> list[dict[str, object]]:
    """The catalogue's entries of all shipped games, each with a kind."""
    paths = (*shipped_games(), *further_games())
    texts = {path.name: path.read_text("utf-8") for path in paths}
    further = {path.stem for path in further_games()}
    return [
        {field.name: getattr(entry, field.name) for field in fields(Entry)}
        | {"kind": FURTHER if entry.name in further else _kind(entry, texts[f"{entry.name}.game"])}
        for entry in entries_of(texts)
    ]


def _kind(entry: Entry, text: str) -> str:
    """The heading in the gallery below which a game stands."""
    if re.search(r"^include ", text, re.MULTILINE):
        return "Variants"
    if entry.players == 1:
        return "For one player"
    if re.search(r"^tree:", text, re.MULTILINE):
        return "Trees"
    if entry.has_secrets:
        return "Hidden cards and secrets"
    if entry.is_simultaneous:
        return "Choices at once"
    if entry.has_chance:
        return "Dice and chance"
    return "Boards" if re.search(r"^board ", text, re.MULTILINE) else "Heaps and numbers"


def starts() -> list[dict[str, str]]:
    """The templates of new games: kind, and the text, with the page's words for the commands."""
    texts = {kind: path.read_text("utf-8") for kind, path in templates().items()}
    return [{"kind": kind, "text": _in_words_of_the_page(text)} for kind, text in texts.items()]


def _in_words_of_the_page(text: str) -> str:
    for command, words in PAGE_WORDS:
        text = re.sub(command, words, text)
    return text


def example(name: str) -> str | None:
    """The text of a shipped game; None for an unknown name."""
    path = shipped_game(name)
    return None if path is None else path.read_text("utf-8")


def remember(origin: str, content: str) -> None:
    """Keep the generated module of a game, made when the page was built, where runs look for it."""
    from gamedsl.compiler.cache import cache_folder
    from gamedsl.compiler.kept import place_of

    keep(place_of(cache_folder(), origin), content.encode())


def rule(code: str) -> str | None:
    """The page of a diagnostic code, in Markdown; None for an unknown code."""
    page = pages().get(code)
    return None if page is None else page.read_text("utf-8")


def patterns(words: str) -> list[str]:
    """The cookbook's patterns nearest to the words of a question, in Markdown, best first."""
    return [
        f"### {pattern.title}\n\n{pattern.text}\n\n```\n{pattern.rules}```"
        for pattern in patterns_about(words)[:MOST_PATTERNS]
    ]
