"""Which moves, values and squares of a game occur in recorded plays, and which never do.

In: a model with rules, plays at random and plays of a strong player. Out: for each move, value and
square the number of occurrences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import choosers
from gamedsl.model import nodes
from gamedsl.model.action_names import arguments_of, move_of
from gamedsl.model.model import Model
from gamedsl.model.state import CHANCE, State
from gamedsl.model.values import Atom, Square, Value, text_of
from gamedsl.solvers.analysis.plays import RecordedPlay
from gamedsl.source.records import dataclass

OFTEN = 20
"""Positions in which strong players had a move, from which its absence is told."""
MOST_VALUES = 64
"""Values of a variable up to which missing values are named."""


@dataclass(frozen=True, slots=True)
class MoveUse:
    """How often a move of the rules was possible and made.

    Attributes:
        legal: positions in which the move was legal; of random plays and of strong plays.
        random, strong: times made.
    """

    name: str
    legal: tuple[int, int]
    random: int
    strong: int


@dataclass(frozen=True, slots=True)
class SquareUse:
    """How often a square was used.

    Attributes:
        plays: number of plays of any kind in which the square was used.
        strong: uses by strong players: changes of a cell, or naming in a move.
    """

    name: str
    plays: int
    strong: int


@dataclass(frozen=True, slots=True)
class IdleRules:
    """Parts of the rules whose removal, one at a time, made no difference in positions of plays.

    Attributes:
        parts: line, column and text of each part.
        tried: number of parts left out; all: number of parts of the rules.
        positions: number of positions in which the rules were compared.
    """

    parts: tuple[tuple[int, int, str], ...]
    tried: int
    all: int
    positions: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What occurs in plays.

    Attributes:
        positions: number of decisions looked at; plays: number of random and of strong plays.
        moves: () for a game given as a tree.
        squares: in the order of the board; () without a board.
        missing_values: variable and value that no cell had; only named values.
        unchanged: variables that never changed, though the rules assign them.
        coverage: mean share of the squares used in a strong play (in a random play, without strong
            plays); None without a board.
    """

    positions: int
    plays: tuple[int, int]
    moves: tuple[MoveUse, ...]
    squares: tuple[SquareUse, ...]
    missing_values: tuple[tuple[str, str], ...]
    unchanged: tuple[str, ...]
    coverage: float | None

    @property
    def dead_squares(self) -> tuple[str, ...]:
        """Squares that no play used."""
        return tuple(use.name for use in self.squares if not use.plays)

    @property
    def never_legal(self) -> tuple[str, ...]:
        """Moves that were never legal."""
        return tuple(move.name for move in self.moves if not any(move.legal))

    @property
    def shunned(self) -> tuple[str, ...]:
        """Moves that were often legal for strong players, and never made by them."""
        return tuple(move.name for move in self.moves if move.legal[1] >= OFTEN and not move.strong)


def usage_of(
    game: Game, model: Model, random: Sequence[RecordedPlay], strong: Sequence[RecordedPlay]
) -> Usage:
    """The use of the parts of a game in plays."""
    plays = (*random, *strong)
    squares = Squares(model)
    used = [squares.used(play) for play in plays]
    for_coverage = used[len(random) :] or used
    by_strong = sum(used[len(random) :], Counter[str]())
    seen = _digits_seen(model, plays)
    board = model.board
    names = [square.name for square in board.squares] if board is not None else []
    covered = [len(set(names) & set(each)) / len(names) for each in for_coverage if names]
    return Usage(
        positions=sum(play.plies for play in plays),
        plays=(len(random), len(strong)),
        moves=_moves(game, model, random, strong),
        squares=tuple(
            SquareUse(name, sum(name in each for each in used), by_strong[name]) for name in names
        ),
        missing_values=tuple(_missing(model, seen)),
        unchanged=tuple(_unchanged(model, plays)),
        coverage=sum(covered) / len(covered) if covered else None,
    )


def moments_of(
    plays: Iterable[RecordedPlay], most_actions: int
) -> tuple[tuple[State, tuple[Action | JointAction, ...]], ...]:
    """The states of plays in which players choose or the game is over, without repetition, the most
    visited first, each with some of the actions taken there."""
    taken: dict[State, list[Action | JointAction]] = {}
    visits = Counter[State]()
    for play in plays:
        for mover, (state, action) in zip(play.movers, play.steps, strict=True):
            if mover != CHANCE:
                visits[state] += 1
                actions = taken.setdefault(state, [])
                if action not in actions and len(actions) < most_actions:
                    actions.append(action)
        if play.payoffs is not None:
            visits[play.state] += 1
            taken.setdefault(play.state, [])
    return tuple((state, tuple(taken[state])) for state, _ in visits.most_common())


def board_cells(model: Model) -> tuple[int, ...]:
    """The numbers of the cells that belong to squares."""
    return tuple(
        variable.offset + cell
        for variable in model.variables
        if not variable.is_constant and _on_squares(variable)
        for cell in variable.cells
    )


def _on_squares(variable: nodes.Variable) -> bool:
    return any(isinstance(domain.values[0], Square) for domain in variable.indices)


class Squares:
    """The squares that a play uses: by a change of a cell of the square, by a value of a cell, or
    as an argument of a move."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._of_cell: dict[int, tuple[str, ...]] = {}
        self._holding: list[tuple[int, tuple[str | None, ...]]] = []
        for variable in model.variables:
            values = [v.name if isinstance(v, Square) else None for v in variable.domain.values]
            for cell in variable.cells:
                named = _named_squares(variable, cell)
                if named:
                    self._of_cell[variable.offset + cell] = named
                if any(values):
                    self._holding.append((variable.offset + cell, tuple(values)))

    def used(self, play: RecordedPlay) -> Counter[str]:
        """The number of uses of each square in a play."""
        uses: Counter[str] = Counter()
        states = [*(state for state, _ in play.steps), play.state]
        for place, (state, action) in enumerate(play.steps):
            before, after = state.cells, states[place + 1].cells
            touched: set[str] = set()
            for cell, names in self._of_cell.items():
                if before[cell] != after[cell]:
                    touched.update(names)
            for cell, held in self._holding:
                for digit in (before[cell], after[cell]):
                    if digit is not None and before[cell] != after[cell]:
                        touched.add(held[digit] or "")
            if play.movers[place] != CHANCE:
                touched.update(self._arguments(action))
            uses.update(touched)
        return uses

    def _arguments(self, action: Action | JointAction) -> Iterable[str]:
        if self._model.tree is not None:
            return
        for each in action if isinstance(action, tuple) else (action,):
            for value in arguments_of(move_of(self._model.moves, each), each):
                if isinstance(value, Square):
                    yield value.name


def _named_squares(variable: nodes.Variable, cell: int) -> tuple[str, ...]:
    names = []
    for domain in reversed(variable.indices):
        cell, digit = divmod(cell, len(domain))
        value = domain.values[digit]
        if isinstance(value, Square):
            names.append(value.name)
    return tuple(names)


def _moves(
    game: Game, model: Model, random: Sequence[RecordedPlay], strong: Sequence[RecordedPlay]
) -> tuple[MoveUse, ...]:
    if model.tree is not None:
        return ()
    legal, made = zip(
        *(_move_counts(game, model, plays) for plays in (random, strong)), strict=True
    )
    return tuple(
        MoveUse(
            move.name,
            (legal[0][move.name], legal[1][move.name]),
            made[0][move.name],
            made[1][move.name],
        )
        for move in model.moves
    )


def _move_counts(
    game: Game, model: Model, plays: Sequence[RecordedPlay]
) -> tuple[Counter[str], Counter[str]]:
    """How often each move was legal and made."""
    legal: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for play in plays:
        for mover, (state, action) in zip(play.movers, play.steps, strict=True):
            if mover == CHANCE:
                continue
            legal.update({move_of(model.moves, each).name for each in _legal(game, state, mover)})
            chosen = action if isinstance(action, tuple) else (action,)
            made.update(move_of(model.moves, each).name for each in chosen)
    return legal, made


def _legal(game: Game, state: State, mover: int) -> Iterable[Action]:
    return [action for seat in choosers(game, state) for action in game.legal_actions(state, seat)]


def _digits_seen(model: Model, plays: Iterable[RecordedPlay]) -> dict[str, set[int | None]]:
    """The digits that cells of each variable had."""
    seen: dict[str, set[int | None]] = {variable.name: set() for variable in model.variables}
    places = [(v.name, v.offset, v.offset + v.size) for v in model.variables]
    for play in plays:
        for state in [*(state for state, _ in play.steps), play.state]:
            cells = state.cells
            for name, begin, end in places:
                seen[name].update(cells[begin:end])
    return seen


def _missing(model: Model, seen: dict[str, set[int | None]]) -> Iterable[tuple[str, str]]:
    for variable in model.variables:
        values: Sequence[Value] = variable.domain.values
        if variable.is_constant or len(values) > MOST_VALUES:
            continue
        for digit, value in enumerate(values):
            is_named = isinstance(value, Atom) and not isinstance(value, Square)
            if is_named and digit not in seen[variable.name]:
                yield variable.name, text_of(value)


def _unchanged(model: Model, plays: Sequence[RecordedPlay]) -> Iterable[str]:
    for variable in model.variables:
        if variable.is_constant or model.tree is not None:
            continue
        part = slice(variable.offset, variable.offset + variable.size)
        if all(
            play.steps[0][0].cells[part] == state.cells[part]
            for play in plays
            if play.steps
            for state in [*(state for state, _ in play.steps), play.state]
        ):
            yield variable.name
