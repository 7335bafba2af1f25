"""The best moves of a position: proved where it can be solved, else estimated and called so.

In: a game, a position, a time or budgets. Out: `BestMoves`: what the `adviser` finds, a proof
first, put into one answer. Where players do not see everything, or choose at once, what an
equilibrium does there, or is best for a single player, after the play that led to the position.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.requirements import EXACT_SOLVING, SEARCH, meets, refuse_unless
from gamedsl.solvers.solution import MoveValue, Others, Solution, Status
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.records import dataclass

REQUIRES = EXACT_SOLVING
MOST_SIGHTS = 60
"""Information sets behind a chance event that are told of."""
FOR_PROOF = 0.6
"""The part of the time in which a proof is looked for where an estimate with a budget follows."""


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
        mixed: with what probabilities each player chooses in an equilibrium, where there is a
            question of chances; then there are no `moves`.
        informed: where players do not see everything, the same (or, of a single player, what is
            best) with what each action is worth by what the player has seen.
    """

    moves: tuple[BestMove, ...]
    solution: Solution | None = None
    estimate: Decision | None = None
    why_estimate: str | None = None
    mixed: tuple[LocalStrategy, ...] = ()
    informed: tuple[InformedChoice, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the moves."""
        return tuple(move.name for move in self.moves)

    @property
    def is_proved(self) -> bool:
        """Whether the moves are known to be best, or the chances to be those of an equilibrium; of
        several equilibria with payoffs of their own none is best."""
        if self.solution is not None and self.solution.others is not Others.NONE:
            return False
        if self.mixed:
            unproved = (Status.OPEN, Status.MODEL)
            return self.solution is not None and self.solution.status not in unproved
        return self.estimate is None or self.estimate.is_exact

    def __repr__(self) -> str:
        is_known = self.estimate is None and not self.is_proved
        how = "of one equilibrium" if is_known else "proved" if self.is_proved else "estimated"
        return f"<BestMoves {', '.join(self.names)}: {how}>"


def best_moves(
    game: Game,
    state: State | None = None,
    *,
    seconds: float | None = None,
    max_positions: int | None = None,
    budget: int | None = None,
    rng: Random,
    progress: Progress | None = None,
) -> BestMoves:
    """The best moves at `state`.

    Args:
        seconds: the most wall-clock time, for a proof and an estimate together.
        max_positions: the most positions to look at for a proof.
        budget: nodes, or simulated plays, of an estimate, in place of the time that is left.

    Raises:
        UnsupportedGameError: the game has secrets or simultaneous moves.
        ValueError: the position cannot be solved, and nobody is to move; or an estimate has no
            limit.
    """
    refuse_unless(game, REQUIRES)
    if seconds is None and budget is None:
        raise ValueError("an estimate has a limit: seconds, or a budget")
    root = game.initial_state() if state is None else state
    adviser = Adviser(game, rng, max_positions=max_positions)
    can_be_estimated = meets(game, SEARCH) and game.current_player(root) >= 0
    if budget is None and seconds is not None and can_be_estimated:
        return _answered(adviser, root, seconds, progress)
    try:
        share = seconds if seconds is None or not can_be_estimated else seconds * FOR_PROOF
        solution = adviser.solve(root, share, progress)
        why = adviser.why_not
    except UnsupportedGameError as refusal:
        if not game.facts.pays_at_the_end:
            raise  # no estimate knows what is paid on the way
        solution, why = None, refusal.reason
    if solution is not None:
        return proved_moves(solution, root)
    if game.current_player(root) >= 0 and not game.facts.pays_at_the_end:
        raise UnsupportedGameError(
            f"{why}, and estimates look at how play ends, not at what is paid on the way",
            "allow more time (`--time`)",
        )
    return _estimated(adviser, root, adviser.estimate(root, budget=budget))


def _answered(
    adviser: Adviser, root: State, seconds: float, progress: Progress | None
) -> BestMoves:
    found = adviser.answer(root, seconds, progress)
    if isinstance(found, Solution):
        return proved_moves(found, root)
    return _estimated(adviser, root, found)


def proved_moves(solution: Solution, state: State) -> BestMoves:
    """The best moves at the state that has been solved."""
    moves = (_proved(solution, state, move) for move in solution.moves if move.is_best)
    return BestMoves(tuple(moves), solution)


def asks_for_chances(game: Game) -> bool:
    """Whether a position of the game is a question for `equilibrium_moves`."""
    return game.facts.has_secrets or game.facts.is_simultaneous


def equilibrium_moves(
    game: Game,
    history: History,
    *,
    seconds: float,
    max_positions: int | None = None,
    rng: Random,
    progress: Progress | None = None,
) -> BestMoves:
    """What an equilibrium does after a play, which begins at the beginning; of a position of
    which one player sees everything, and for a single player, the best moves.

    Raises UnsupportedGameError where none is found, ValueError where nobody is to choose.
    """
    adviser = Adviser(game, rng, max_positions=max_positions)
    root = history[0 if game.facts.has_secrets else -1][0]
    solution = adviser.solve(root, seconds, progress)
    if solution is None:
        raise UnsupportedGameError(f"no equilibrium is known: {adviser.why_not}")
    return moves_of_equilibrium(game, solution, history)


def moves_of_equilibrium(game: Game, solution: Solution, history: History) -> BestMoves:
    """The same, where the game is solved already. Raises ValueError where nobody is to choose."""
    informed = tuple(_informed(game, solution, history))
    if len(informed) == 1 == len(game.players):
        return _best_informed(solution, informed[0])
    mixed = tuple(one.local for one in informed) or solution.strategies_at(history)
    if mixed:
        return BestMoves((), solution, mixed=mixed, informed=informed)
    if solution.informed is not None:
        raise ValueError("nobody is to move after that play")
    state = history[-1][0]
    moves = tuple(_proved(solution, state, move) for move in solution.moves if move.is_best)
    return BestMoves(moves, solution)


def _informed(game: Game, solution: Solution, history: History) -> list[InformedChoice]:
    """What players do by what they have seen after a play, or, where chance is next, after each of
    its outcomes that they can tell apart."""
    found: dict[tuple[int, int], InformedChoice] = {}
    plays = [history]
    while plays:
        play = plays.pop()
        state = play[-1][0]
        if solution.informed is not None and game.current_player(state) == CHANCE:
            for outcome, _ in reversed(game.chance_outcomes(state)):
                after = game.result(state, outcome)
                plays.append((*play[:-1], (state, outcome), (after, None)))
        for one in solution.informed_choices(play):
            found.setdefault((one.local.player, one.place), one)
        if len(found) > MOST_SIGHTS:
            raise UnsupportedGameError(
                f"chance comes next, and what follows can be told apart in more than {MOST_SIGHTS} "
                "ways",
                "name its outcome",
            )
    return list(found.values())


def _best_informed(solution: Solution, choice: InformedChoice) -> BestMoves:
    """What is best for a single player who does not see everything."""
    assert choice.worths is not None, "there are no others who could keep play away"
    moves = (
        BestMove(name, (worth,), None, (name,))
        for (name, _), worth in zip(choice.local.choices, choice.worths, strict=True)
        if worth == max(choice.worths)
    )
    return BestMoves(tuple(moves), solution, informed=(choice,))


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


def _estimated(adviser: Adviser, root: State, decision: Decision) -> BestMoves:
    proof = adviser.proof(root)
    if proof is not None:
        return proved_moves(proof, root)
    value = (decision.value,) if isinstance(decision.value, Fraction) else decision.value
    best = BestMove(decision.line[0], value, None, decision.line)
    return BestMoves((best,), estimate=decision, why_estimate=adviser.why_not)
