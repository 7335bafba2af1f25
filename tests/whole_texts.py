"""Texts of shipped games in which a test changes a line.

A small board includes its game and gives other values to its parameters; the text of the game with
these values is the same game in a single file.
"""

from __future__ import annotations

import re

from gamedsl.game.library import shipped_game

INCLUDE = re.compile(r'^include "(.*)\.game"\n', re.MULTILINE)
PARAMETER = re.compile(r"^param (\w+) = .*$", re.MULTILINE)


def whole_text(name: str) -> str:
    """The text of a shipped game, in a single file where it includes a game and changes nothing
    but parameters."""
    path = shipped_game(name)
    assert path is not None
    text = path.read_text(encoding="utf-8")
    included = INCLUDE.search(text)
    if included is None or re.search(r"^(state|move|end|def)\b", text, re.MULTILINE):
        return text
    lines = {line[1]: line[0] for line in PARAMETER.finditer(text)}
    claims = "".join(re.findall(r"^expect .*\n", text, re.MULTILINE))
    rules = re.sub(r"^expect .*\n", "", whole_text(included[1]), flags=re.MULTILINE)
    return PARAMETER.sub(lambda line: lines.get(line[1], line[0]), rules) + claims


def unclaimed_text(name: str) -> str:
    """The same without its claims: a new game has none."""
    return re.sub(r"^expect .*\n", "", whole_text(name), flags=re.MULTILINE)
