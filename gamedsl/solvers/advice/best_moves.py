"""Finds the best moves of a position: proved where the position can be solved, else estimated.

In: a game, a position, a time or budgets. Out: `BestMoves`: the results of the `adviser` in one
answer, preferably a proof. With imperfect information or simultaneous choices, the answer is the
equilibrium's strategy, or a single player's best actions, after the play that led to the position.
"""

from __future__ import annotations

from random import Random
from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.game.notebook import drawn
from gamedsl.game.slices import game_for_search, in_slice, relevant_game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.advice.adviser import HEAD_START, Adviser
from gamedsl.solvers.advice.sampled_play import SampledAnswer
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.requirements import EXACT_SOLVING, refuse_unless
from gamedsl.solvers.solution import MoveValue, Others, Solution, Status
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.records import dataclass

REQUIRES = EXACT_SOLVING
MOST_SIGHTS = 60
"""Greatest number of information sets listed after a chance event."""
FOR_PROOF = 0.6
"""Share of the time for a proof where an estimate with a budget follows."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """A best move for the player to move.

    Attributes:
        value: payoffs of all players in turn order; for an estimate by alpha-beta only the first
            player's payoff.
        plies: plies to the end under best play, including the move; None if undefined.
        line: names of the actions of best play, from the move to the first chance event.
    """

    name: str
    value: Vector
    plies: int | None
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BestMoves:
    """The best moves, with the kind of evidence.

    Attributes:
        moves: the best moves, in declaration order; for an estimate only the chosen move.
        solution: the solution; None if the answer is an estimate.
        estimate: the decision of a search without proof; None if the answer is proved.
        why_estimate: the reason why the position was not solved, as a clause.
        preparing: seconds that an estimate waited for machine code and its choice.
        is_compiled: whether there was machine code by then, if it was waited for.
        mixed: each player's probabilities in an equilibrium, where strategies are randomised; then
            `moves` is empty.
        informed: with imperfect information, the strategies (or a single player's best actions)
            with the value of each action given the player's observations.
        sampled: the simulated plays behind `mixed`; None if `mixed` is from the solution.
    """

    moves: tuple[BestMove, ...]
    solution: Solution | None = None
    estimate: Decision | None = None
    why_estimate: str | None = None
    preparing: float = 0.0
    is_compiled: bool = True
    mixed: tuple[LocalStrategy, ...] = ()
    informed: tuple[InformedChoice, ...] = ()
    sampled: SampledAnswer | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the moves."""
        return tuple(move.name for move in self.moves)

    @property
    def is_proved(self) -> bool:
        """Whether the moves are proved best, or the probabilities proved to form an equilibrium.

        Never true for several equilibria with different payoffs, none of which is best.
        """
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

    def _repr_html_(self) -> str:
        return drawn("best_moves_html", self)


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
        seconds: limit of wall-clock time, for a proof and an estimate together.
        max_positions: greatest number of positions searched for a proof.
        budget: nodes, or simulated plays, of an estimate, in place of the remaining time.

    Raises:
        UnsupportedGameError: the game has secrets or simultaneous moves.
        ValueError: the position cannot be solved, and no player is to move; or an estimate has no
            limit.
    """
    root = game.initial_state() if state is None else state
    if game_for_search(game) is not game:
        game, root = in_slice(game, root)
    refuse_unless(game, REQUIRES)
    if seconds is None and budget is None:
        raise ValueError("an estimate has a limit: seconds, or a budget")
    adviser = Adviser(game, rng, max_positions=max_positions)
    can_be_estimated = adviser.can_estimate() and game.current_player(root) >= 0
    if budget is None and seconds is not None and can_be_estimated:
        return _answered(adviser, root, seconds, progress)
    try:
        share = seconds if seconds is None or not can_be_estimated else seconds * FOR_PROOF
        solution = adviser.solve(root, share, progress)
        why = adviser.why_not
    except UnsupportedGameError as refusal:
        if not adviser.can_estimate():
            raise
        solution, why = None, refusal.reason
    if solution is not None:
        return proved_moves(solution, root)
    if game.current_player(root) >= 0 and not adviser.can_estimate():
        raise UnsupportedGameError(
            f"{why}, and estimates look at how play ends, not at what is paid on the way",
            "allow more time (`--time`)",
        )
    return _estimated(adviser, root, adviser.estimate(root, budget=budget))


def _answered(
    adviser: Adviser, root: State, seconds: float, progress: Progress | None
) -> BestMoves:
    answer = adviser.answer(root, seconds, progress)
    if isinstance(answer, Solution):
        return proved_moves(answer, root)
    return _estimated(adviser, root, answer)


def proved_moves(solution: Solution, state: State) -> BestMoves:
    """The best moves at a solved state."""
    moves = (_proved(solution, state, move) for move in solution.moves if move.is_best)
    return BestMoves(tuple(moves), solution)


def asks_for_chances(game: Game) -> bool:
    """Whether a position of the game is a question for `equilibrium_moves`."""
    facts = relevant_game(game).facts
    return facts.has_secrets or facts.is_simultaneous


def equilibrium_moves(
    game: Game,
    history: History,
    *,
    seconds: float,
    max_positions: int | None = None,
    budget: int | None = None,
    rng: Random,
    progress: Progress | None = None,
) -> BestMoves:
    """The equilibrium's strategies after a play from the beginning; else strategies by simulated
    plays.

    For a position with perfect information of one player, or for a single player, the best moves.

    Args:
        seconds: limit of wall-clock time.
        max_positions: greatest number of positions searched for an equilibrium.
        budget: simulated plays, in place of the remaining time.

    Raises UnsupportedGameError if no equilibrium is known and no plays can be simulated, ValueError
    if no player is to choose.
    """
    adviser = Adviser(game, rng, max_positions=max_positions)
    root = history[0 if relevant_game(game).facts.has_secrets else -1][0]
    begun, why_unsampled = perf_counter(), adviser.sampled.refusal(history)
    share = seconds if why_unsampled else seconds * FOR_PROOF

    def listen(explored: int, waiting: int) -> None:
        if perf_counter() > begun + share * HEAD_START:
            adviser.sampled.prepare(history)
        if progress is not None:
            progress(explored, waiting)

    try:
        solution = adviser.solve(root, share, listen)
    except UnsupportedGameError as refusal:
        if why_unsampled:
            raise
        solution, adviser.why_not = None, refusal.reason
    if solution is not None:
        return moves_of_equilibrium(game, solution, history)
    if why_unsampled:
        raise UnsupportedGameError(f"no equilibrium is known: {adviser.why_not}")
    if game.current_player(history[-1][0]) == CHANCE:
        raise UnsupportedGameError(
            f"no equilibrium is known: {adviser.why_not}; and chance comes next",
            "name its outcome (`--at`)",
        )
    left = None if budget is not None else max(0.0, begun + seconds - perf_counter())
    answer = adviser.sampled.answer(history, seconds=left, plays=budget)
    mixed = tuple(choice.local for choice in answer.choices)
    return BestMoves(
        (), why_estimate=adviser.why_not, mixed=mixed, informed=answer.choices, sampled=answer
    )


def moves_of_equilibrium(game: Game, solution: Solution, history: History) -> BestMoves:
    """The equilibrium's strategies, for a solved game. Raises ValueError if no player is to
    choose."""
    informed = tuple(_informed(game, solution, history))
    if len(informed) == 1 == len(game.players):
        return _best_informed(solution, informed[0])
    mixed = tuple(choice.local for choice in informed) or solution.strategies_at(history)
    if mixed:
        return BestMoves((), solution, mixed=mixed, informed=informed)
    if solution.informed is not None:
        raise ValueError("nobody is to move after that play")
    state = history[-1][0]
    moves = tuple(_proved(solution, state, move) for move in solution.moves if move.is_best)
    return BestMoves(moves, solution)


def _informed(game: Game, solution: Solution, history: History) -> list[InformedChoice]:
    """Players' choices by their observations after a play; at chance events, after each
    distinguishable outcome, player by player."""
    choices: dict[tuple[int, int], InformedChoice] = {}
    plays = [history]
    while plays:
        play = plays.pop()
        state = play[-1][0]
        if solution.informed is not None and game.current_player(state) == CHANCE:
            for outcome, _ in reversed(game.chance_outcomes(state)):
                after = game.result(state, outcome)
                plays.append((*play[:-1], (state, outcome), (after, None)))
        for choice in solution.informed_choices(play):
            choices.setdefault((choice.local.player, choice.place), choice)
        if len(choices) > MOST_SIGHTS:
            raise UnsupportedGameError(
                f"chance comes next, and what follows can be told apart in more than {MOST_SIGHTS} "
                "ways",
                "name its outcome",
            )
    return sorted(choices.values(), key=lambda choice: choice.local.player)


def _best_informed(solution: Solution, choice: InformedChoice) -> BestMoves:
    """The best actions of a single player with imperfect information."""
    assert choice.worths is not None, "there are no others who could keep play away"
    moves = (
        BestMove(name, (payoff,), None, (name,))
        for (name, _), payoff in zip(choice.local.choices, choice.worths, strict=True)
        if payoff == max(choice.worths)
    )
    return BestMoves(tuple(moves), solution, informed=(choice,))


def _proved(solution: Solution, root: State, move: MoveValue) -> BestMove:
    return BestMove(move.name, move.value, move.plies, _line_after(solution, root, move))


def _line_after(solution: Solution, root: State, move: MoveValue) -> tuple[str, ...]:
    """Best play after a best move; of a weakly solved position, only the known line."""
    solved = solution.solved
    if solved is None:
        line = solution.principal_variation
        return line if line[:1] == (move.name,) else (move.name,)
    game, stands = solved.game, solution.state_of(root)
    assert stands is not None, "the position is solved"
    after = solved.best_play(game.result(stands, move.action))
    return (move.name, *(game.action_name(state, action) for state, action in after))


def _estimated(adviser: Adviser, root: State, decision: Decision) -> BestMoves:
    proof = adviser.proof(root)
    if proof is not None:
        return proved_moves(proof, root)
    best = BestMove(decision.line[0], decision.payoffs(adviser.game.facts), None, decision.line)
    return BestMoves(
        (best,),
        estimate=decision,
        why_estimate=adviser.why_not,
        preparing=adviser.preparing,
        is_compiled=adviser.is_compiled,
    )
