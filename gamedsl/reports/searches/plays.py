"""The plays of Monte-Carlo tree search, a row each: the path in the tree, and the payoffs."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.reports.searches.as_json import decision_data
from gamedsl.reports.searches.as_text import play_name, summary_text
from gamedsl.solvers.montecarlo.uct import SimulatedPlay
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.trace import Value

NEW, ENDING = "new", "end"


def plays_text(game: Game, root: State, plays: Sequence[SimulatedPlay], decision: Decision) -> str:
    """The table, the mean payoffs of the root's actions, and the decision."""
    players = [player.name for player in game.players]
    rows = [("play", "simulated from", "", *players)]
    for number, play in enumerate(plays, start=1):
        note = ENDING if game.is_terminal(play.states[-1]) else NEW if play.is_new else ""
        paid = (f"{payoff:g}" for payoff in play.payoffs)
        rows.append((str(number), play_name(game, root, play.path), note, *paid))
    moves = [("move", "plays", *players)]
    for move in decision.moves:
        moves.append((move.name, str(move.visits), *_means(move.value)))
    tables = (_aligned(rows, {1, 2}), _aligned(moves, {0}))
    return "\n\n".join((*tables, summary_text(game, root, decision)))


def plays_data(game: Game, plays: Sequence[SimulatedPlay], decision: Decision) -> dict[str, object]:
    """The plays as JSON-ready data."""
    return {
        **decision_data(game, decision),
        "plays": [
            {
                "path": _names(game, play),
                "is_new": play.is_new,
                "payoffs": list(play.payoffs),
                "bounds": [
                    {game.action_name(state, action): bound for action, bound in bounds}
                    for state, bounds in zip(play.states, play.bounds, strict=False)
                ],
            }
            for play in plays
        ],
    }


def _names(game: Game, play: SimulatedPlay) -> list[str]:
    steps = zip(play.states, play.path, strict=False)
    return [game.action_name(state, action) for state, action in steps]


def _means(value: Value) -> list[str]:
    """Averages of payoffs, in two decimals."""
    payoffs = value if isinstance(value, tuple) else (value,)
    return [f"{float(payoff):.2f}" for payoff in payoffs]


def _aligned(rows: Sequence[tuple[str, ...]], left: set[int]) -> str:
    """Columns of text; columns in `left` are left-aligned, numeric columns right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = (
            text.ljust(widths[column]) if column in left else text.rjust(widths[column])
            for column, text in enumerate(row)
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
