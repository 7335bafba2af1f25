"""Values of normal-play positions in sums: the Grundy value, or the outcome class.

In: a two-player game with alternating turns, in which the player to move at the end loses, proved
from the rules. Out: a `SumValue`. For an impartial game: the Grundy value, the independent parts of
the position, and the value after each move. For a partizan game: J. Conway's outcome class, which
gives the winner for either player beginning.
"""

from __future__ import annotations

from enum import StrEnum
from time import perf_counter

from gamedsl.game.contract import Game, settings_of
from gamedsl.game.notebook import drawn
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_play import NormalPlay, normal_play
from gamedsl.model.state import State
from gamedsl.solvers.exact.grundy import GrundySolver, Part
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Progress
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status
from gamedsl.source.records import dataclass

MOST_PARTS = 1_000_000
"""Greatest number of parts of positions evaluated for a Grundy value; a kilobyte each."""


class OutcomeClass(StrEnum):
    """The winner by the beginning player. Left is the player declared first, Right the opponent."""

    N = "N"
    """The next player: the player to move."""
    P = "P"
    """The previous player: the player not to move."""
    L = "L"
    """Left, whoever begins."""
    R = "R"
    """Right, whoever begins."""


@dataclass(frozen=True, slots=True)
class PartValue:
    """The Grundy value of a part of a position, and the part's cells that can still change."""

    value: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class SumValue:
    """The value of a position in sums.

    Attributes:
        game, settings, players: the title, the parameters that differ from the file, and the names
            in the order of turns.
        grundy: the Grundy value; None where the game is not impartial.
        outcome: the outcome class.
        parts: the independent parts of an impartial position; no possible later move joins two
            parts. One part without cells where the position is not split.
        moves: the Grundy value after each legal action, by name; only for impartial games.
        positions: number of positions evaluated; for an impartial game, parts of positions.
    """

    game: str
    settings: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    grundy: int | None
    outcome: OutcomeClass
    parts: tuple[PartValue, ...]
    moves: tuple[tuple[str, int], ...]
    positions: int

    def __str__(self) -> str:
        return drawn("sum_text", self)

    __repr__ = __str__


def sum_value(
    game: Game,
    model: Model,
    state: State,
    *,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
) -> SumValue:
    """The value of `state` in sums; `model` is the model of the game's rules.

    Raises:
        UnsupportedGameError: normal play cannot be proved, with the reason.
        OutOfBudgetError: too many positions, or the time ended before the game was solved for both
            beginning players.
    """
    play = normal_play(model)
    if isinstance(play, Unknown):
        raise UnsupportedGameError(
            f"normal play is not proved: {play.reason}",
            "Grundy values and outcome classes are of games that who is to move at the end loses",
        )
    if play.is_impartial:
        return _grundy_value(game, model, play, state, max_positions or MOST_PARTS, progress)
    return _outcome_class(game, state, max_positions, max_seconds, progress)


def _grundy_value(
    game: Game, model: Model, play: NormalPlay, state: State, most: int, progress: Progress | None
) -> SumValue:
    solver = GrundySolver(model, play, most=most, progress=progress)
    parts = tuple(_part_value(model, solver, part) for part in solver.parts(state.cells))
    value = solver.total(state.cells)
    moves = tuple(
        (game.action_name(state, action), solver.total(game.result(state, action).cells))
        for action in game.legal_actions(state)
    )
    outcome = OutcomeClass.N if value else OutcomeClass.P
    about = game.name, settings_of(game), game.facts.players
    return SumValue(*about, value, outcome, parts, moves, solver.looked_at)


def _part_value(model: Model, solver: GrundySolver, part: Part) -> PartValue:
    names = [
        variable.cell_name(cell - variable.offset)
        for cell in part.cells
        for variable in model.variables
        if variable.offset <= cell < variable.offset + variable.size
    ]
    return PartValue(solver.value(part), tuple(names))


def _outcome_class(
    game: Game,
    state: State,
    max_positions: int | None,
    max_seconds: float | None,
    progress: Progress | None,
) -> SumValue:
    wins, positions = [], 0
    ends = None if max_seconds is None else perf_counter() + max_seconds
    for beginner in range(2):
        solution = solve(
            game,
            State(state.cells, beginner),
            SolveOptions(
                max_positions=max_positions,
                max_seconds=None if ends is None else max(0.0, ends - perf_counter()),
                progress=progress,
            ),
        )
        positions += solution.positions
        if solution.status is Status.OPEN or solution.value is None:
            raise OutOfBudgetError(solution.positions, solution.positions, 0)
        wins.append(solution.value[0] > 0)
    outcome = {
        (True, True): OutcomeClass.L,
        (True, False): OutcomeClass.N,
        (False, True): OutcomeClass.P,
        (False, False): OutcomeClass.R,
    }[wins[0], wins[1]]
    about = game.name, settings_of(game), game.facts.players
    return SumValue(*about, None, outcome, (), (), positions)
