"""Draw the gallery: a picture of every shipped game, and the page with all pictures.

    python docs/gallery/make.py

In: the rule files of `games/`, and `positions.txt`. Out: `NAME.svg` for each game, and `README.md`.
The output depends on the input alone: a second run changes no file.
"""

from __future__ import annotations

from pathlib import Path

import gamedsl
from gamedsl.game import LoadedGame, shipped_games
from gamedsl.game.reading import Step, read_play
from gamedsl.game.writing import written_play
from gamedsl.model import CHANCE, SIMULTANEOUS, State
from gamedsl.python.exports import is_single_choice
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.trees.as_svg import tree_svg

HERE = Path(__file__).resolve().parent
PLIES = 5
"""Number of moves played in games without a given position."""
MOST_STEPS = 60
"""Number of moves and chance events, at most."""
PAGE = """# Gallery

Every shipped game as `gamedsl show NAME --format svg` draws it, or, where it is written as a tree,
`gamedsl tree NAME --format svg`, or, where all choose once and at the same time, `--format
matrix-svg`; made by `python docs/gallery/make.py`. The rules determine
a picture: names, the shape of the board, and the section
[`show:`](../language/reference.md#pictures). The program knows no game.

"""
CELLS = 3
"""Pictures in a row."""


def positions() -> dict[str, str]:
    """Moves by the name of the game."""
    lines = (HERE / "positions.txt").read_text("utf-8").splitlines()
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {name.strip(): moves.strip() for name, _, moves in pairs}


def drawn(game: LoadedGame, moves: str | None) -> tuple[str, str]:
    """The picture of a position, and the moves to the position; for a game given as a tree, the
    tree; for two players with a single simultaneous choice, the payoff matrix."""
    if game.facts.is_tree:
        return tree_svg(gamedsl.tree(game)), ""
    root = game.initial_state()
    if moves is None and is_single_choice(game):
        return gamedsl.matrix(game), ""
    steps = _some_steps(game, root) if moves is None else read_play(game, root, moves)[0]
    state = game.result(*steps[-1]) if steps else root
    picture = state_svg(game, state, last=steps[-1] if steps else None, earlier=steps[:-1])
    return picture, written_play(game, steps)


def _some_steps(game: LoadedGame, root: State) -> tuple[Step, ...]:
    """The first moves of a pseudo-random play, equal on every machine."""
    steps: list[Step] = []
    state, number = root, 7
    moves = 0
    while moves < PLIES and len(steps) < MOST_STEPS and not game.is_terminal(state):
        if game.current_player(state) == SIMULTANEOUS:
            break
        number = (1103515245 * number + 12345) % 2**31
        if game.current_player(state) == CHANCE:
            choices = [outcome for outcome, _ in game.chance_outcomes(state)]
        else:
            choices = list(game.legal_actions(state))
            moves += 1
        if not choices:
            break
        action = choices[(number >> 8) % len(choices)]
        after = game.result(state, action)
        if game.is_terminal(after):
            break
        steps.append((state, action))
        state = after
    return tuple(steps)


def draw(path: Path, moves: str | None, folder: Path) -> str:
    """Write the picture of a game's file into a folder, and give the game's title."""
    game = gamedsl.load(path, engine="interpreter")
    svg, _ = drawn(game, moves)
    (folder / f"{path.stem}.svg").write_text(svg + "\n", "utf-8", newline="\n")
    return game.name


def page(titles: dict[str, str]) -> str:
    """The page, from file names and titles of games."""
    cells = [
        f'<td align="center"><img src="{name}.svg" alt="{title}" width="280"><br>'
        f'<a href="../../games/{name}.game">{title}</a></td>'
        for name, title in sorted(titles.items())
    ]
    rows = [cells[n : n + CELLS] for n in range(0, len(cells), CELLS)]
    body = "\n".join("<tr>\n" + "\n".join(row) + "\n</tr>" for row in rows)
    return f"{PAGE}<table>\n{body}\n</table>\n"


def main() -> None:
    """Draw all pictures and write the page."""
    known = positions()
    titles = {path.stem: draw(path, known.get(path.stem), HERE) for path in shipped_games()}
    (HERE / "README.md").write_text(page(titles), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
