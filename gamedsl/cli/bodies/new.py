"""`gamedsl new`: a small commented game to start from."""

from __future__ import annotations

import re
from pathlib import Path

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode

TEMPLATE = """\
# What is this game about? Say it here, in a few lines that a newcomer understands.
#
# This one: a pile of counters lies on the table. Two players take turns to take one, two or
# three of them. Whoever takes the last counter wins.

game "{title}"
param pile = 10                   # change it without touching the file: -D pile=21
players Ann, Bob                  # in turn order; `turn` is the player to move

# Everything that can change, with all the values it can have, and its value at the start.
state:
    left: 0..pile = pile

# One family of moves: what may be chosen, when it is legal, and what it changes.
# Afterwards the turn passes to the next player by itself.
move take(n in 1..3):
    require n <= left
    left -= n

# When the game is over and who has won; looked at after the turn has passed.
end:
    if left == 0: opponent wins   # `turn` is now the one who found the table empty

# Claims that `gamedsl check` verifies. `gamedsl solve` will tell you the answers.
expect value: Ann wins
expect states: 20
expect best: take(2)
"""


def run(title: str) -> ExitCode:
    """Write the template to a new file named after the title."""
    path = Path(_file_name(title))
    text = TEMPLATE.format(title=title.replace('"', "'"))
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        message = f"error: there is already a file {path}; nothing was written"
        raise CommandError(ExitCode.USAGE, message) from None
    except OSError as error:
        message = f"error: cannot write {path}: {error.strerror}"
        raise CommandError(ExitCode.USAGE, message) from error
    console = Console()
    console.out(str(path))
    console.note(f"Now try: gamedsl check {path} && gamedsl play {path}")
    return ExitCode.DONE


def _file_name(title: str) -> str:
    """`My game` becomes `my_game.game`."""
    words = re.findall(r"[^\W_]+", title.removesuffix(".game").lower())
    return "_".join(words or ["my", "game"]) + ".game"
