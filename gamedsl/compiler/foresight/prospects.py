"""Prospects: a function that tells which of two players may still win.

The module returned in `Prospects` has one function, `prospects(state)`. The function returns the
sum of 1 if the first player may win and 2 if the second player may win. `prospects` gives None if
the rules do not show that a player's chances can vanish. The rules show this if every move puts a
man on an empty square of a board that no man leaves, and if `end:` tests the squares of a player's
men: `line(cell, p, n)`, `any(cell[s] == p and ...)`. From any state on, a player's men will stand
on squares that are now the player's or empty. The function therefore tests whether the player would
have won with men on all these squares. All other tests of `end:` are assumed to hold. The answer
"cannot win" is certain, "may win" is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.foresight.lines import ranks_by_lines
from gamedsl.compiler.foresight.wins import UNSHARED
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import FALSE, integer, select
from gamedsl.compiler.ir.values import Value as Code
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.lowering.bodies import state_functions
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.passes.pipeline import run_passes
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import Ending, Endings, endings_of
from gamedsl.model.rewriting.moments import Moment, NotToldError, Write
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.slicing.boards import on_squares
from gamedsl.model.statement_facts import Shares, shares_of, wins_of
from gamedsl.model.types import Scalar, scalar_of
from gamedsl.model.values import Atom, Value
from gamedsl.model.walk import parts, with_parts
from gamedsl.source.records import dataclass

PROSPECTS = "prospects"


@dataclass(frozen=True, slots=True)
class Prospects:
    """The function and the payoff left to a player without prospects.

    Attributes:
        module: the module with the function `prospects`.
        rest: for each player, what both players are paid where the player cannot win and gets the
            most: by a draw, or else by the opponent's win.
        ranks: a rank for each action, by the lines through the cells that the action fills; () if
            unknown.
    """

    module: Module
    rest: tuple[int, ...]
    ranks: tuple[int, ...]


def prospects(model: Model, generated: Generated) -> Prospects | None:
    """The function `prospects`; None if the function would always say that both players may win."""
    if len(model.players) != 2 or generated.saved or model.facts.is_simultaneous or model.repeats:
        return None
    model = on_squares(model)
    boards = _filling_boards(model, generated)
    try:
        asked = _Asked(model, boards) if boards else None
        wins = [asked.wins_of(player) for player in model.players] if asked else []
        if asked is None or all(
            any(is_known(condition, True) for condition in each) for each in wins
        ):
            return None
        lowering = GameLowering(model, generated.codes, generated.layout)
        lowering.program.mark = "prospects"
        _write(lowering, boards, wins)
    except (CannotCompileError, NotToldError):
        return None
    module = run_passes(lowering.program.module, generated.layout, 0, UNSHARED)
    return Prospects(module, asked.rest(), _ranks(model, wins))


def _ranks(model: Model, wins: list[list[nodes.Expr]]) -> tuple[int, ...]:
    """The ranks of actions; () if the rules are too long to be written out."""
    try:
        return ranks_by_lines(model, chain.from_iterable(wins))
    except NotToldError:
        return ()


def _write(lowering: Lowering, boards: list[Planes], wins: list[list[nodes.Expr]]) -> None:
    """Write the function; `wins`: for each player the conditions of a win, by the player to
    move.
    """

    def write() -> None:
        for board in boards:
            fields = [lowering.field(name) for _, name in board.names]
            taken = fields[0]
            for field in fields[1:]:
                taken = taken | field
            whole = lowering.sets.constant((1 << board.variable.size) - 1)
            free = lowering.program.hold(whole & ~taken, "free")
            for field in fields:
                lowering.builder.assign(field, field | free)
        winners = integer(0)
        for player, conditions in enumerate(wins):
            may_win: Code = FALSE
            for mover, condition in enumerate(conditions):
                scope = state_functions.scope_of(lowering, mover)
                may_win = may_win | lowering.condition(condition, scope)
            winners = winners + select(may_win, integer(1 << player), integer(0))
        lowering.builder.give(winners)

    state_functions.state_function(lowering, PROSPECTS, (), write)


# --- what the rules say -----------------------------------------------------------------------


def _filling_boards(model: Model, generated: Generated) -> list[Planes]:
    """Boards whose squares keep their men for the rest of the game; empty if some move leaves all
    boards unchanged, because play might then go on for ever.
    """
    effects = [effect_of(model, move) for move in model.moves]
    told = [effect for effect in effects if isinstance(effect, Effect)]
    if len(told) < len(effects):
        return []
    boards = [
        place
        for place in generated.layout.places
        if isinstance(place, Planes)
        and all(_fills(write, effect, place) for effect in told for write in _writes(effect, place))
    ]
    is_filled = (any(map(_is_surely, _writes(effect, *boards))) for effect in told)
    return boards if all(is_filled) else []


def _writes(effect: Effect, *boards: Planes) -> Iterator[Write]:
    offsets = {board.variable.offset for board in boards}
    return (write for write in effect.writes if write.variable.offset in offsets)


def _vacant(board: Planes) -> Value:
    """The value of a square without a man."""
    return board.variable.domain.values[board.default]


def _fills(write: Write, effect: Effect, board: Planes) -> bool:
    """Whether a write puts a man on an empty square."""
    kind = Scalar(atoms=frozenset())
    cell = nodes.Cell(write.value.span, kind, write.variable, write.indices)
    held, put, vacant = effect.after.known.kind_of(cell), write.value.type, _vacant(board)
    is_empty = held == scalar_of((vacant,))
    return is_empty and isinstance(put, Scalar) and not put.unknown and not put.admits(vacant)


def _is_surely(write: Write) -> bool:
    return is_known(write.guard, True)


class _Asked:
    """The conditions of `end:` under which a player wins."""

    def __init__(self, model: Model, boards: list[Planes]) -> None:
        endings = endings_of(model)
        if not isinstance(endings, Endings):
            raise NotToldError(endings.reason)
        self._model = model
        self._endings = endings.endings
        self._vacant = {board.variable.offset: _vacant(board) for board in boards}
        self._terms = Terms(model.board, model.players)
        self._rewriter = Rewriter(self._terms, endings.slot_names)
        self._won = wins_of(model)
        self._draws = set[Shares]()

    def wins_of(self, player: Atom) -> list[nodes.Expr]:
        """The conditions of a win, by the player to move, with men on all squares the player may
        reach.
        """
        return [self._wins(player, mover) for mover in self._model.players]

    def _wins(self, player: Atom, mover: Atom) -> nodes.Expr:
        span = self._endings[0].condition.span
        moment = Moment(turn=constant(span, mover))
        conditions = []
        for ending in self._endings:
            if self._winner(ending, moment) == player:
                conditions.append(self._loosened(self._rewriter.before(ending.condition, moment)))
        return self._terms.disjunction(span, conditions)

    def rest(self) -> tuple[int, ...]:
        """As `Prospects.rest`, after `wins_of` has been asked for both players."""
        first, second = self._won
        most = max((*self._draws, second)), max((*self._draws, first), key=itemgetter(1))
        return tuple(chain.from_iterable(most))

    def _winner(self, ending: Ending, moment: Moment) -> Atom | None:
        """The winner by an ending; None for a draw. Raises NotToldError if the payoffs depend on
        the state, or have another sum than those of a win.
        """
        players = self._model.players
        outcome = with_parts(ending.outcome, lambda part: self._rewriter.before(part, moment))
        shares = shares_of(outcome, players)
        if shares is None or sum(shares) != sum(self._won[0]):
            raise NotToldError("the payoffs depend on the state")
        if shares in self._won:
            return players[self._won.index(shares)]
        self._draws.add(shares)
        return None

    def _loosened(self, node: nodes.Expr) -> nodes.Expr:
        """A weaker condition: if `node` holds now or later, the result holds once each player's
        plane includes all free squares. Only tests for the squares of a player's men are kept.
        """
        match node:
            case nodes.Apply():
                return self._loosened(self._rewriter.opened(node))
            case nodes.Logic(operator=operator, operands=operands):
                join = self._terms.conjunction if operator == "and" else self._terms.disjunction
                return join(node.span, map(self._loosened, operands))
            case nodes.Const():
                return node
            case _ if self._asks_for_men(node):
                return node
        return self._terms.truth(node.span, True)

    def _asks_for_men(self, node: nodes.Expr) -> bool:
        """Whether additional men never make the condition false."""
        match node:
            case nodes.Apply():
                return self._asks_for_men(self._rewriter.opened(node))
            case nodes.Builtin(name="line", arguments=(board, man, *rest)):
                return self._is_of_men(board, man) and self._are_fixed(rest)
            case nodes.Compare(operator="==", left=nodes.Cell() as cell, right=man):
                return self._is_of_men(cell, man)
            case nodes.Logic():
                return all(map(self._asks_for_men, node.operands))
            case nodes.Comprehension(kind="any" | "all"):
                clauses = [(clause.domain, clause.condition) for clause in node.clauses]
                fixed = self._are_fixed(part for each in clauses for part in each if part)
                return fixed and self._asks_for_men(node.element)
        return self._are_fixed([node])

    def _is_of_men(self, read: nodes.Expr, value: nodes.Expr) -> bool:
        """Whether cells of a board are read, and the value is one that an occupied square holds."""
        vacant = None if read.reads is None else self._vacant.get(read.reads.offset)
        kind = value.type
        if vacant is None or not isinstance(kind, Scalar) or kind.unknown or kind.admits(vacant):
            return False
        return self._are_fixed((*parts(read), value))

    def _are_fixed(self, several: Iterable[nodes.Expr]) -> bool:
        """Whether the expressions read no part of the state."""
        reads = [self._rewriter.footprint(expression) for expression in several]
        return not any(read.turn or read.stuck or read.variables for read in reads)
