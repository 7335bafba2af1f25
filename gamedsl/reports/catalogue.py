"""The shipped games side by side: how many play, what is hidden, how many positions there are.

In: the texts of the files, those that they include behind them. Out: entries, and a table. It is
read off the words of the file, so that a long list takes no time; nothing is checked or played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from textwrap import wrap

from gamedsl.reports.paragraphs import line_width
from gamedsl.source.records import dataclass

_TITLE = re.compile(r'^game "(.*)"', re.MULTILINE)
_PLAYERS = re.compile(r"^players (.*)$", re.MULTILINE)
_STATES = re.compile(r"^expect states: (\d+)", re.MULTILINE)
_INCLUDE = re.compile(r'^include "(.*)"', re.MULTILINE)
_COMMENT = re.compile(r"#.*")
NARROWEST_TITLE = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the list; `states` as its own file claims, None if it claims nothing."""

    name: str
    title: str
    players: int
    has_chance: bool
    has_secrets: bool
    is_simultaneous: bool
    states: int | None

    @property
    def row(self) -> tuple[str, str, str, str, str, str]:
        """As a row of a table: name, players, `chance`, `secret` or `at once`, states, title."""
        hidden = "at once" if self.is_simultaneous else "secret" if self.has_secrets else ""
        states = "" if self.states is None else f"{self.states:,}"
        chance = "chance" if self.has_chance else ""
        return self.name, str(self.players), chance, hidden, states, self.title


def entry_of(name: str, text: str, included: Iterable[str] = ()) -> Entry:
    """What the text of a game says, and where it says nothing, the texts that it includes."""
    own = _COMMENT.sub("", text)
    texts = [own, *(_COMMENT.sub("", one) for one in included)]
    whole = "\n".join(texts)
    title = _TITLE.search(own)
    players = next((found for one in texts if (found := _PLAYERS.search(one))), None)
    states = _STATES.search(own)
    labels = re.findall(r"\[(\w+)\]:", whole) if re.search(r"^tree:", whole, re.MULTILINE) else []
    return Entry(
        name,
        name if title is None else title[1],
        0 if players is None else len(players[1].split(",")),
        re.search(r"\bchance\b", whole) is not None,
        re.search(r"\bsecret\b", whole) is not None or len(set(labels)) < len(labels),
        re.search(r"^simultaneous\b", whole, re.MULTILINE) is not None,
        None if states is None else int(states[1]),
    )


def entries_of(texts: Mapping[str, str]) -> list[Entry]:
    """The entries of files that may include each other: names of files and their texts."""
    return [
        entry_of(file.removesuffix(".game"), text, included(text, texts))
        for file, text in texts.items()
    ]


def included(text: str, texts: Mapping[str, str]) -> list[str]:
    """The texts of the files that a text includes, and of those that they include."""
    found = []
    while (include := _INCLUDE.search(text)) is not None:
        text = texts[include[1]]
        found.append(text)
    return found


def opening_comment(text: str) -> str:
    """The comment at the top of a file, without its signs."""
    lines = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return "\n".join(line.removeprefix("#").strip() for line in lines)


def catalogue_text(entries: Iterable[Entry]) -> str:
    """A table of their rows."""
    head = ("name", "players", "chance", "hidden", "states", "title")
    rows = [head, *(one.row for one in entries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, players, chance, hidden, states, title in rows:
        cells = (
            name.ljust(widths[0]),
            players.rjust(widths[1]),
            chance.ljust(widths[2]),
            hidden.ljust(widths[3]),
            states.rjust(widths[4]),
        )
        line = "  ".join(cells)
        first, *more = wrap(title, max(line_width() - len(line) - 2, NARROWEST_TITLE))
        lines.append(f"{line}  {first}")
        lines += [" " * (len(line) + 4) + rest for rest in more]
    return "\n".join(lines)
