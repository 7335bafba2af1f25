"""The best moves of a position: proved where it can be solved, else estimated and called so.

In: a game, a position and two budgets. Out: `BestMoves`. It solves (see `planner`); where that is
refused or too large, it searches with the file's `evaluate` as deep as the budget allows, and
where there is none, or chance or more than two players forbid it, it simulates plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.montecarlo.uct import uct_search
from gamedsl.solvers.planner import solve
from gamedsl.solvers.requirements import EXACT_SOLVING, refuse_unless
from gamedsl.solvers.solution import MoveValue, Solution, Status
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.iterative_deepening import iterative_deepening_search

REQUIRES = EXACT_SOLVING


@dataclass(frozen=True, slots=True)
class BestMove:
    """A move that is as good as any for the player to move.

    Attributes:
        value: payoffs of all players in turn order; for an estimate by alpha-beta the first
            player's alone.
        plies: plies to the end under best play, this move included; None if there is no such
            number.
        line: names of the actions of best play, this move first, up to the first chance event.
    """

    name: str
    value: Vector
    plies: int | None
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BestMoves:
    """The answer, and how it is known.

    Attributes:
        moves: the best moves, in declaration order; of an estimate the one decided on.
        solution: what solving found; None if the answer is an estimate.
        estimate: what a search that proves nothing decided; None if the answer is proved.
        why_estimate: why the position was not solved, as a clause.
    """

    moves: tuple[BestMove, ...]
    solution: Solution | None = None
    estimate: Decision | None = None
    why_estimate: str | None = None

    @property
    def is_proved(self) -> bool:
        """Whether the moves are known to be best."""
        return self.estimate is None or self.estimate.is_exact


def best_moves(
    game: Game,
    state: State | None = None,
    *,
    max_positions: int,
    budget: int,
    rng: Random,
    progress: Progress | None = None,
) -> BestMoves:
    """The best moves at `state`.

    Args:
        max_positions: the most positions to look at for a proof.
        budget: nodes, or simulated plays, of an estimate.

    Raises:
        UnsupportedGameError: the game has secrets or simultaneous moves.
        ValueError: the position cannot be solved, and nobody is to move.
    """
    refuse_unless(game, REQUIRES)
    root = game.initial_state() if state is None else state
    try:
        solution = solve(game, root, max_positions=max_positions, progress=progress)
    except UnsupportedGameError as refusal:
        if not game.facts.pays_at_the_end:
            raise  # no estimate knows what is paid on the way
        return _estimated(game, root, budget, rng, refusal.reason)
    if solution.status is Status.OPEN and not solution.moves:
        return _estimated(
            game, root, budget, rng, f"more than {max_positions:,} positions lie ahead"
        )
    moves = tuple(_proved(solution, root, move) for move in solution.moves if move.is_best)
    return BestMoves(moves, solution)


def _proved(solution: Solution, root: State, move: MoveValue) -> BestMove:
    return BestMove(move.name, move.value, move.plies, _line_after(solution, root, move))


def _line_after(solution: Solution, root: State, move: MoveValue) -> tuple[str, ...]:
    """Best play after a best move; of a position solved weakly, only the line that was found."""
    solved = solution.solved
    if solved is None:
        line = solution.principal_variation
        return line if line[:1] == (move.name,) else (move.name,)
    game = solved.game
    after = solved.best_play(game.result(root, move.action))
    return (move.name, *(game.action_name(state, action) for state, action in after))


def _estimated(game: Game, root: State, budget: int, rng: Random, why: str) -> BestMoves:
    if game.current_player(root) < 0:
        raise ValueError("nobody is to move here")
    if not game.facts.pays_at_the_end:
        raise UnsupportedGameError(
            f"{why}, and estimates look at how play ends, not at what is paid on the way",
            "allow more positions (`--max-positions`)",
        )
    try:
        decision = iterative_deepening_search(game, root, nodes=budget)
    except UnsupportedGameError:
        decision = uct_search(game, root, iterations=budget, rng=rng)
    value = (decision.value,) if isinstance(decision.value, Fraction) else decision.value
    best = BestMove(decision.line[0], value, None, decision.line)
    return BestMoves((best,), estimate=decision, why_estimate=why)
