"""Random games whose every move goes one way: stones are put on a board until it is full.

A move fills a square, and may fill or turn further squares. What wins, and what is paid, is drawn
as well: opposed interests or not, for one player to three. With slides a stone may also move to a
free neighbour, so that play returns among positions with equally many stones; then interests are
opposed.
"""

from __future__ import annotations

from random import Random

NAMES = ("A", "B", "C")
MOVES = (
    "move put(s in square):\n    require cell[s] == empty\n    cell[s] = turn\n",
    "move two(s in square):\n    require cell[s] == empty and s + E != none"
    " and cell[s + E] == empty\n    cell[s] = turn\n    cell[s + E] = turn\n",
    "move turn_over(s in square):\n    require cell[s] == empty\n    cell[s] = turn\n"
    "    if s + N != none and cell[s + N] not in {empty, turn}:\n        cell[s + N] = turn\n",
)
SLIDE = (
    "move slide(s in square, d in {N, E, S, W}):\n    require cell[s] == turn and s + d != none"
    " and cell[s + d] == empty\n    cell[s] = empty\n    cell[s + d] = turn\n"
)
ENDLESS = ("draw", "{} wins")


def tiered_text(seed: int, width: int = 3, height: int = 2) -> str:
    """The rules of a game with slides."""
    draw = Random(seed)
    worth = draw.choice(ENDLESS).format(draw.choice(NAMES[:2]))
    rules = layered_text(seed, width, height, NAMES[:2], is_opposed=True)
    return rules.replace("end:", SLIDE + "end:") + f"\nendless: {worth}\n"


def layered_text(
    seed: int,
    width: int = 3,
    height: int = 2,
    players: tuple[str, ...] = (),
    *,
    is_opposed: bool = False,
) -> str:
    """The rules of a game."""
    draw = Random(seed)
    players = players or NAMES[: draw.choice((1, 2, 2, 2, 3))]
    moves = draw.sample(MOVES[1:], draw.randrange(len(MOVES)))
    lines = [
        f"players {', '.join(players)}",
        f"board {width} wide {height} high",
        "",
        "state:",
        "    cell[square]: empty | players = empty",
        "",
        MOVES[0],
        *moves,
        "end:",
    ]
    if is_opposed or (len(players) == 2 and draw.random() < 0.7):
        run = draw.choice((2, 3))
        verb = draw.choice(("wins", "loses"))
        lines += ["    for p in players:", f"        if line(cell, p, {run}): p {verb}"]
        lines += ["    if full(cell): draw"]
    else:
        terms = [
            f"{p}: count(cell[s] == {p} for s in square) * {draw.randrange(1, 4)} % "
            f"{draw.randrange(2, 6)}"
            for p in players
        ]
        lines += ["    if full(cell):", f"        payoff {', '.join(terms)}"]
    return "\n".join(lines) + "\n"
