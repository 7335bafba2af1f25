"""The guard of the core: `python -m tests.golden.games [GAME ...]` compares shipped games.

Without a game: all games, some minutes. Prints each fact that differs from the reviewed table;
status 1 if any does. `--write` accepts the facts. `--dump FOLDER` writes each fact's whole text as
`FOLDER/GAME/ASPECT`, so that `diff -r` compares two checkouts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import gamedsl
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.module import generate
from gamedsl.model import Model
from tests.golden.games.aspects import ASPECTS, aspects_of
from tests.golden.games.table import TITLES, differences, reviewed, write


def main() -> int:
    """Compare, write or dump the facts of the games named; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="tests.golden.games",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--write", action="store_true", help="accept the facts of the games")
    parser.add_argument("--dump", type=Path, metavar="FOLDER", help="write the texts as files")
    chosen = parser.parse_args()
    if unknown := set(chosen.games).difference(TITLES):
        parser.error(f"no shipped games: {', '.join(sorted(unknown))}")
    differ = 0
    for title in chosen.games or TITLES:
        model = gamedsl.load(title, "interpreter").model
        generated = _generated(model)
        facts = {aspect: ASPECTS[aspect](model, generated) for aspect in aspects_of(model)}
        found = {(title, aspect): str(fact) for aspect, fact in facts.items()}
        for difference in differences(found):
            differ += 1
            print(difference, flush=True)
        if chosen.write:
            others = {place: row for place, row in reviewed().items() if place[0] != title}
            write({**others, **found})
        if chosen.dump:
            folder = chosen.dump / title
            folder.mkdir(parents=True, exist_ok=True)
            for aspect, fact in facts.items():
                (folder / aspect).write_text(fact.text, "utf-8")
    return int(differ > 0 and not chosen.write)


def _generated(model: Model) -> Generated | None:
    try:
        return generate(model)
    except CannotCompileError:
        return None


if __name__ == "__main__":
    sys.exit(main())
