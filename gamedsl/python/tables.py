"""A solution as rows, for data frames: `pandas.DataFrame(gamedsl.rows(solution))`."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.archive.equilibria import SavedEquilibrium
from gamedsl.archive.saved import SavedSolution
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.exact.solved import Solved
from gamedsl.solvers.solution import Solution
from gamedsl.source.keywords import answering

Row = dict[str, object]


@answering
def rows(solution: Solution | SavedSolution | SavedEquilibrium) -> Iterator[Row]:
    """Rows of a solution, one flat dict per position, lazily, in order of distance from the start.

    Columns: `state`, the position; `to_move`, a player's name, `chance`, `simultaneous` or
    `terminal`; `value[PLAYER]`, the payoff of best play (`int`, or `Fraction`); `plies` to the end
    under best play, or None; `best`, the names of the best actions, joined by blanks; and a column
    per cell of every variable, `cell[a1]`.

    Raises UnsupportedGameError if not every position is solved.
    """
    solved: Solved | None = None
    if isinstance(solution, SavedSolution):
        solved = solution.table
    elif isinstance(solution, Solution):
        solved = solution.solved
    if solved is None:
        raise UnsupportedGameError("a row for every position needs a solution that is strong")
    return (_row(solved, state) for state in solved.states)


def _row(solved: Solved, state: State) -> Row:
    game = solved.game
    values = zip(game.players, solved.value(state), strict=True)
    best = (move.action for move in solved.assessed(state) if move.is_best)
    return {
        "state": state,
        "to_move": game.current_player(state).name,
        **{f"value[{name!r}]": int(x) if x.denominator == 1 else x for name, x in values},
        "plies": solved.remoteness(state),
        "best": " ".join(game.action_name(state, action) for action in best),
        **(_cells(game, state) if isinstance(game, LoadedGame) else {}),
    }


def _cells(game: LoadedGame, state: State) -> Row:
    columns: Row = {}
    for variable in game.model.variables:
        held = game.view(state)[variable.name]
        if not isinstance(held, dict):
            columns[variable.name] = held
            continue
        for index, value in held.items():
            written = ", ".join(map(str, index if isinstance(index, tuple) else (index,)))
            columns[f"{variable.name}[{written}]"] = value
    return columns
