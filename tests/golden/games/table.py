"""The table of reviewed facts: a line for each shipped game and aspect.

In: games and their facts. Out: `games.txt`, with a hash and figures in each line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from gamedsl.game.library import shipped_games
from tests.golden.games.aspects import ASPECTS

TABLE = Path(__file__).with_name("games.txt")
TITLES = tuple(path.stem for path in shipped_games())
HOW = (
    "`python -m tests.golden.games --write GAME` rewrites the lines of a game, "
    "`--dump FOLDER` writes the texts"
)

Place = tuple[str, str]
"""A game and an aspect."""


def reviewed() -> dict[Place, str]:
    """The table."""
    lines = TABLE.read_text("utf-8").splitlines() if TABLE.exists() else []
    split = (line.split(maxsplit=2) for line in lines)
    return {(title, aspect): rest for title, aspect, rest in split}


def write(table: Mapping[Place, str]) -> None:
    """Write the table in the order of games and aspects; games no longer shipped are left out."""
    places = ((title, aspect) for title in TITLES for aspect in ASPECTS)
    lines = [f"{t:<22} {a:<10} {table[t, a]}\n" for t, a in places if (t, a) in table]
    TABLE.write_text("".join(lines), "utf-8")


def differences(found: Mapping[Place, str]) -> Iterator[str]:
    """For each fact other than the reviewed fact: game, aspect, before and after."""
    table = reviewed()
    for title, aspect in found:
        before, after = table.get((title, aspect), "nothing"), found[title, aspect]
        if before != after:
            yield f"{title} {aspect}\n  reviewed  {before}\n  now       {after}"
