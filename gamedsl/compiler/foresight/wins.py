"""Foresight: a function that tells whether the player to move has an action that wins at once.

`foresight` returns a module with two functions, `wins_at_once(state)` and `threats(state)`, or None
if no win can be foreseen. The conditions of `end:` after a move are rewritten as conditions before
the move (`model.rewriting.endings`). Where a condition depends on a single square, the winning
squares are computed as one set (`lowering.sets`). A legal move whose square is in the set wins: the
move is enumerated with membership in the set as an additional requirement. The answer true is
certain, false is not: actions of other forms may win too. The winning squares themselves are the
player's threats, whether or not a move reaches the squares now. The number of threats of the player
not to move is evidence about the last move and proves no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import FALSE, TRUE, Value, count, integer
from gamedsl.compiler.lowering.bodies import dispatch, enumeration, state_functions
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.sets import square_sets
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Scope, SquareSet
from gamedsl.compiler.options import CompilerOptions, Rewrite
from gamedsl.compiler.passes.pipeline import run_passes
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import Ending, Endings, endings_after, endings_of
from gamedsl.model.rewriting.moments import Moment, NotToldError
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.statement_facts import amount_of, stake
from gamedsl.model.types import BOOLEAN, SetType, scalar_of
from gamedsl.model.values import Square
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import conjuncts, parts
from gamedsl.source.records import dataclass

UNSHARED = CompilerOptions(frozenset({Rewrite.SHARE.value}))
"""Sharing creates functions whose names could clash with the module's; LLVM shares by itself."""
MOST_CHOICES = 16
"""Limit on the combinations of parameter values that are examined singly."""
WINS = "wins_at_once"
THREATS = "threats"
Arguments = Mapping[int, GameValue]
"""Values of parameters, by slot."""


@dataclass(frozen=True, slots=True)
class Winning:
    """A legal `move` wins if its local `square` meets `condition` and the parameters, by slot, have
    the values `arguments`.
    """

    move: nodes.Move
    square: nodes.Local
    condition: nodes.Expr
    arguments: Arguments


def foresight(model: Model, generated: Generated) -> Module | None:
    """The module with `wins_at_once` and `threats`, one variant per player to move."""
    if not generated.codes.squares or generated.saved or model.facts.is_simultaneous:
        return None
    possible = tuple(move for move in model.moves if move.size)
    lowering = GameLowering(replace(model, moves=possible), generated.codes, generated.layout)
    lowering.program.mark = "foreseen"
    told = _Told(lowering.model)
    try:
        foresees = [_write_function(lowering, told, player) for player in range(len(model.players))]
    except CannotCompileError:
        return None
    if not any(foresees):
        return None
    for player in range(len(model.players)):
        _write_threats(lowering, told, player)
    dispatch.dispatch(lowering, WINS, ())
    dispatch.dispatch(lowering, THREATS, ())
    return run_passes(lowering.program.module, generated.layout, 0, UNSHARED)


def _write_function(lowering: Lowering, told: _Told, player: int) -> bool:
    """Write `wins_at_once_PLAYER`; return whether the function can return true."""
    written: list[Value] = []

    def write() -> None:
        for winning in _winning(told, lowering.model.players[player]):
            scope = state_functions.scope_of(lowering, player, winning.move.body)
            squares = square_sets.lifted(lowering, winning.condition, winning.square.slot, scope)
            if squares is not None and not squares.is_const:
                written.append(squares)
                _write_instances(lowering, winning, squares, scope)
        lowering.builder.give(FALSE)

    state_functions.state_function(lowering, f"{WINS}_{player}", (), write)
    return bool(written)


def _write_threats(lowering: Lowering, told: _Told, player: int) -> None:
    """Write `threats_PLAYER`: the squares that would win at once for the opponent, in games of two
    players.
    """

    def write() -> None:
        threats = integer(0)
        for number, opponent in enumerate(lowering.model.players):
            if number == player:
                continue
            for winning in _winning(told, opponent):
                scope = state_functions.scope_of(lowering, number, winning.move.body)
                squares = square_sets.lifted(
                    lowering, winning.condition, winning.square.slot, scope
                )
                if squares is not None and not squares.is_const:
                    threats = threats + count(squares)
        lowering.builder.give(threats)

    state_functions.state_function(lowering, f"{THREATS}_{player}", (), write)


def _write_instances(lowering: Lowering, winning: Winning, squares: Value, scope: Scope) -> None:
    """Return `true` from the function if a legal instance has its square in `squares`."""
    slot = len(lowering.model.slot_names)
    move = _with_requirement(winning, slot)
    if not enumeration.is_safe(lowering, move):
        return
    held = lowering.program.hold(squares, "wins")

    def if_any(bits: Value) -> None:
        with lowering.builder.when(bits.ne(0)):
            lowering.builder.give(TRUE)

    sink = ActionSink(lambda _: lowering.builder.give(TRUE), if_any)
    enumeration.instances(lowering, move, scope.having(slot, SquareSet(held)), sink)


def _with_requirement(winning: Winning, slot: int) -> nodes.Move:
    """The move with two further requirements: its square is in the set held in local `slot`, and
    its parameters equal the given values.
    """
    span, body = winning.move.span, winning.move.body
    kind = SetType(winning.square.type, 1)
    among = nodes.Member(span, BOOLEAN, winning.square, nodes.Local(span, kind, "wins", slot))
    bound = [n for n, statement in enumerate(body) if _binds(statement, winning.square)]
    at = bound[0] + 1 if bound else 0
    tests: list[nodes.Expr] = [among]
    for parameter in winning.move.parameters:
        if parameter.slot in winning.arguments:
            held = scalar_of(parameter.values.values)
            local = nodes.Local(span, held, parameter.name, parameter.slot)
            argument = constant(span, winning.arguments[parameter.slot])
            tests.append(nodes.Compare(span, BOOLEAN, "==", local, argument))
    required = (nodes.Require(span, test) for test in tests)
    return replace(winning.move, body=(*body[:at], *required, *body[at:]))


def _binds(statement: nodes.Statement, local: nodes.Local) -> bool:
    return isinstance(statement, nodes.Let) and statement.slot == local.slot


# --- winning squares, derived from the rules --------------------------------------------------


class _Told:
    """The effects of a game's moves and the endings behind the moves, each worked out once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.before = endings_of(model)
        self._behind: dict[tuple[object, ...], tuple[Effect, Endings] | None] = {}

    def behind(self, move: nodes.Move, arguments: Arguments) -> tuple[Effect, Endings] | None:
        """The effect of a move, and the endings after the move; None if either is unknown."""
        key = (move.first_id, *arguments.items())
        if key not in self._behind:
            self._behind[key] = self._asked(move, arguments)
        return self._behind[key]

    def _asked(self, move: nodes.Move, arguments: Arguments) -> tuple[Effect, Endings] | None:
        effect = effect_of(self.model, move, dict(arguments))
        if not isinstance(effect, Effect):
            return None
        endings = endings_after(self.model, effect, self.before)
        return (effect, endings) if isinstance(endings, Endings) else None


def _winning(told: _Told, player: GameValue) -> Iterator[Winning]:
    """For each move outside a group, the condition on the square by which the move wins: for all
    parameter values together, or else for each combination of the parameters that are not squares.
    """
    for move in told.model.moves:
        if move.group:
            continue
        whole = _by_square(told, move, player, {})
        few = [parameter for parameter in move.parameters if not _is_of_squares(parameter)]
        if whole is not None:
            yield whole
        elif prod(len(parameter.values) for parameter in few) <= MOST_CHOICES:
            for values in product(*(parameter.values.values for parameter in few)):
                arguments = {
                    parameter.slot: value for parameter, value in zip(few, values, strict=True)
                }
                winning = _by_square(told, move, player, arguments)
                if winning is not None:
                    yield winning


def _is_of_squares(parameter: nodes.Parameter) -> bool:
    return all(isinstance(value, Square) for value in parameter.values.values)


def _by_square(
    told: _Told, move: nodes.Move, player: GameValue, arguments: Arguments
) -> Winning | None:
    """The condition on one square by which a move wins; None if unknown or dependent on more than
    the square.
    """
    behind = told.behind(move, arguments)
    if behind is None:
        return None
    try:
        condition = _condition(told.model, *behind, player)
    except NotToldError:
        return None
    free = {local.slot: local for local in _free(condition, frozenset())}
    slots = {parameter.slot for parameter in move.parameters}
    slots |= {statement.slot for statement in move.body if isinstance(statement, nodes.Let)}
    if len(free) != 1 or not free.keys() <= slots:
        return None
    (square,) = free.values()
    is_square = square.type.is_square
    return Winning(move, square, condition, arguments) if is_square else None


def _condition(model: Model, effect: Effect, endings: Endings, player: GameValue) -> nodes.Expr:
    """The condition under which a legal move of a player wins, by an ending that no other ending
    can precede. The requirements of legal moves on the same square are added: the set of squares
    gets smaller, often empty.
    """
    span = effect.move.span
    terms = Terms(model.board, model.players)
    rewriter = Rewriter(terms, endings.slot_names)
    moment = Moment(turn=constant(span, player))
    won: list[nodes.Expr] = []
    for ending in endings.endings:
        holds = rewriter.before(ending.condition, moment)
        if is_known(holds, False):
            continue
        if not _is_won(ending, rewriter, moment, model, player):
            break
        won.append(holds)
    wins = terms.disjunction(span, won)
    free = _slots(wins)
    needed = (need for need in _needs(effect, rewriter) if _slots(need) <= free)
    return terms.conjunction(span, (wins, *(rewriter.before(need, moment) for need in needed)))


def _needs(effect: Effect, rewriter: Rewriter) -> Iterator[nodes.Expr]:
    """Conditions that hold before a legal move, and conditions on squares bound by `first`."""
    for need in effect.needs:
        yield from conjuncts(need, rewriter.opened)
    for slot, value in effect.bindings:
        local = nodes.Local(value.span, value.type, effect.slot_names[slot], slot)
        first = rewriter.condition_of_first(value, local)
        if first is not None:
            yield from conjuncts(first, rewriter.opened)


def _is_won(
    ending: Ending, rewriter: Rewriter, moment: Moment, model: Model, player: GameValue
) -> bool:
    """Whether an ending is a win of `player`, and a loss of the opponent, by the stake."""
    outcome = ending.outcome
    if not isinstance(outcome, nodes.Win) or len(model.players) != 2:
        return False
    if amount_of(outcome) != stake(model):
        return False
    (opponent,) = (candidate for candidate in model.players if candidate is not player)
    winner = player if outcome.sign > 0 else opponent
    return is_known(rewriter.before(outcome.player, moment), winner)


def _slots(node: nodes.Expr) -> set[int]:
    return {local.slot for local in _free(node, frozenset())}


def _free(node: nodes.Expr, bound: frozenset[int]) -> Iterator[nodes.Local]:
    """The free locals of an expression."""
    if isinstance(node, nodes.Local):
        if node.slot not in bound:
            yield node
        return
    bound = bound.union(node.binds)
    for part in parts(node):
        yield from _free(part, bound)
