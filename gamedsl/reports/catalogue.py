"""The catalogue of shipped games: players, hidden information, numbers of positions, values.

Entries are read off the words of the files and of included files, so that a long list takes no
time; nothing is checked or played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from textwrap import wrap

from gamedsl.reports.paragraphs import line_width
from gamedsl.solvers.decimals import rounded
from gamedsl.source.records import dataclass

_TITLE = re.compile(r'^game "(.*)"', re.MULTILINE)
_PLAYERS = re.compile(r"^players (.*)$", re.MULTILINE)
_STATES = re.compile(r"^expect states: (\d+)", re.MULTILINE)
_VALUE = re.compile(r"^expect (?:first |only )?value: (.*)$", re.MULTILINE)
_FRACTION = re.compile(r"-?\d+/\d+")
_INCLUDE = re.compile(r'^include "(.*)"', re.MULTILINE)
_COMMENT = re.compile(r"#.*")
LONGEST_FRACTION = 8
"""Characters of a fraction; longer fractions are rounded to three decimal places."""
NARROWEST_TITLE = 24
"""Least number of columns for titles in the table; below, titles get lines of their own."""


NUMBERS = frozenset({1, 4})
"""Numeric columns of the table: players and states."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the catalogue.

    `states` and `value` are the file's own claims; None and "" without claims.
    """

    name: str
    title: str
    players: int
    has_chance: bool
    has_secrets: bool
    is_simultaneous: bool
    states: int | None
    value: str = ""

    @property
    def row(self) -> tuple[str, str, str, str, str, str, str]:
        """The row: name, players, `chance`, `secret` or `at once`, states, value, title."""
        hidden = "at once" if self.is_simultaneous else "secret" if self.has_secrets else ""
        states = "" if self.states is None else f"{self.states:,}"
        chance = "chance" if self.has_chance else ""
        return self.name, str(self.players), chance, hidden, states, self.value, self.title

    @property
    def is_told_by_its_name(self) -> bool:
        """Whether the title says no more than the name."""
        return _letters(self.title) == _letters(self.name)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def entry_of(name: str, text: str, included: Iterable[str] = ()) -> Entry:
    """The entry of a game's text, completed from the included texts."""
    rules = _COMMENT.sub("", text)
    texts = [rules, *(_COMMENT.sub("", include) for include in included)]
    whole = "\n".join(texts)
    title = _TITLE.search(rules)
    players = next((match for part in texts if (match := _PLAYERS.search(part))), None)
    states = _STATES.search(rules)
    value = _VALUE.search(rules)
    labels = re.findall(r"\[(\w+)\]:", whole) if re.search(r"^tree:", whole, re.MULTILINE) else []
    return Entry(
        name,
        name if title is None else title[1],
        0 if players is None else _count_of(players[1], whole),
        re.search(r"\bchance\b", whole) is not None,
        re.search(r"\bsecret\b", whole) is not None or len(set(labels)) < len(labels),
        re.search(r"^simultaneous\b", whole, re.MULTILINE) is not None,
        None if states is None else int(states[1]),
        "" if value is None else _FRACTION.sub(_shortly, value[1].strip()),
    )


def _count_of(players: str, text: str) -> int:
    """The number of players by `A, B, C` or `n of A, B, C`, n a number or a parameter."""
    written, has_count, names = players.rpartition(" of ")
    declared = re.search(rf"^param {re.escape(written)} = (\d+)", text, re.MULTILINE)
    number = written if declared is None else declared[1]
    return int(number) if has_count and number.isdecimal() else len(names.split(","))


def _shortly(fraction: re.Match[str]) -> str:
    is_long = len(fraction[0]) > LONGEST_FRACTION
    return rounded(Fraction(fraction[0]), ".3f") if is_long else fraction[0]


def entries_of(texts: Mapping[str, str]) -> list[Entry]:
    """The entries of files with possible includes; `texts` maps file names to texts."""
    return [
        entry_of(file.removesuffix(".game"), text, included(text, texts))
        for file, text in texts.items()
    ]


def included(text: str, texts: Mapping[str, str]) -> list[str]:
    """The texts of all directly or indirectly included files."""
    includes = []
    while (include := _INCLUDE.search(text)) is not None:
        text = texts[include[1]]
        includes.append(text)
    return includes


def opening_comment(text: str) -> str:
    """The comment at the top of a file, without comment signs."""
    lines = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return "\n".join(line.removeprefix("#").strip() for line in lines)


def catalogue_text(entries: Iterable[Entry]) -> str:
    """The table of entries; titles are a column if the line is wide enough."""
    entries = list(entries)
    head = ("name", "players", "chance", "hidden", "states", "value", "title")
    rows = [head, *(entry.row for entry in entries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = line_width() - sum(widths[:-1]) - 2 * len(widths[:-1])
    if room < NARROWEST_TITLE:
        lines = [_line(head, widths)]
        for entry in entries:
            lines.append(_line(entry.row, widths))
            if not entry.is_told_by_its_name:
                lines.append(f"  {entry.title}")
        return "\n".join(lines)
    lines = []
    for row in rows:
        first, *more = wrap(row[-1], room)
        lines.append(f"{_line(row, widths, is_whole=False)}  {first}")
        lines += [" " * (line_width() - room + 2) + rest for rest in more]
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int], *, is_whole: bool = True) -> str:
    """The cells of a row except the title; numbers are right-aligned."""
    cells = [
        cell.rjust(width) if place in NUMBERS else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(row[:-1], widths, strict=False))
    ]
    line = "  ".join(cells)
    return line.rstrip() if is_whole else line
