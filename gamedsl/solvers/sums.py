"""Values of normal-play positions in sums: the Grundy value, or the outcome class.

In: a two-player game with alternating turns, in which the player to move at the end loses, proved
from the rules. Out: a `SumValue`. For an impartial game: the Grundy value, the independent parts of
the position, and the value after each move. For a partizan game: J. Conway's outcome class, which
gives the winner for either player beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from time import perf_counter
from typing import Protocol

from gamedsl.game.accelerator import Refusal, SearchLimits, machine_code_of
from gamedsl.game.contract import Game, settings_of
from gamedsl.game.notebook import drawn
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_play import is_impartial, normal_play
from gamedsl.model.state import State
from gamedsl.solvers.exact.grundy import GrundySolver
from gamedsl.solvers.exact.grundy_tables import GrundyTables, are_heaps, emptied, table_of
from gamedsl.solvers.exact.rows import RowSolver, row_rules
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Progress
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status
from gamedsl.source.records import dataclass

MOST_PARTS = 1_000_000
"""Greatest number of parts of positions evaluated for a Grundy value; a kilobyte each."""

MOST_WRITTEN = 4096
"""Conditions on contents of cells (actions times contents) that are written out in less time than
machine code takes to begin."""


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
        period: for a game of rows, the length from which on the values of rows provably repeat,
            and the period; None if unknown.
    """

    game: str
    settings: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    grundy: int | None
    outcome: OutcomeClass
    parts: tuple[PartValue, ...]
    moves: tuple[tuple[str, int], ...]
    positions: int
    period: tuple[int, int] | None = None

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
    limits = SearchLimits(max_positions, progress=progress)
    solver = _fast_solver(game, model, state, limits) if is_impartial(model) else None
    if solver is None:
        play = normal_play(model)
        if isinstance(play, Unknown):
            raise UnsupportedGameError(
                f"normal play is not proved: {play.reason}",
                "Grundy values and outcome classes are of games that who is to move at the end"
                " loses",
            )
        if not play.is_impartial:
            return _outcome_class(game, state, max_positions, max_seconds, progress)
        solver = GrundySolver(model, play, most=max_positions or MOST_PARTS, progress=progress)
    return _grundy_value(game, model, solver, state)


class SumSolver(Protocol):
    """The Grundy values of positions as sums of parts."""

    @property
    def looked_at(self) -> int:
        """Parts of positions evaluated."""

    def values(self, digits: Sequence[int | None]) -> Sequence[tuple[int, tuple[int, ...]]]:
        """The value of each part of a position, and the part's cells."""

    def total(self, digits: Sequence[int | None]) -> int:
        """The value of a position."""


def _fast_solver(game: Game, model: Model, state: State, limits: SearchLimits) -> SumSolver | None:
    """A solver that writes no rules out for every content of a cell: the table of a row; or, where
    writing out would cost more, tables by machine code."""
    rules = row_rules(model)
    if rules is not None:
        most = limits.positions or MOST_PARTS
        return RowSolver(model, rules, most=most, progress=limits.progress)
    widest = max(len(variable.domain) for variable in model.variables)
    if model.facts.action_count * widest <= MOST_WRITTEN or game.is_terminal(state):
        return None
    accelerator = machine_code_of(game)
    if isinstance(accelerator, Refusal):
        return None
    heaps = emptied(game, state) if are_heaps(model) else None
    tables = GrundyTables(table_of(game, accelerator, limits), state, heaps)
    return tables if tables.refusal is None else None


def _grundy_value(game: Game, model: Model, solver: SumSolver, state: State) -> SumValue:
    parts = tuple(
        PartValue(value, cell_names(model, cells)) for value, cells in solver.values(state.cells)
    )
    value = solver.total(state.cells)
    actions = game.legal_actions(state)
    period = None
    if isinstance(solver, RowSolver):
        period = solver.period
        totals = solver.totals_after(state.cells, actions)
    else:
        totals = [solver.total(game.result(state, action).cells) for action in actions]
    names = (game.action_name(state, action) for action in actions)
    moves = tuple(zip(names, totals, strict=True))
    outcome = OutcomeClass.N if value else OutcomeClass.P
    about = game.name, settings_of(game), game.facts.players
    return SumValue(*about, value, outcome, parts, moves, solver.looked_at, period)


def cell_names(model: Model, cells: Sequence[int]) -> tuple[str, ...]:
    """The cells as written, `left[2]`."""
    return tuple(
        variable.cell_name(cell - variable.offset)
        for cell in cells
        for variable in model.variables
        if variable.offset <= cell < variable.offset + variable.size
    )


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
