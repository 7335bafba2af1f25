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
from functools import partial
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
from gamedsl.model.nodes.likeness import Keys
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import (
    Ending,
    Endings,
    endings_after,
    endings_of,
)
from gamedsl.model.rewriting.implications import Implications
from gamedsl.model.rewriting.moments import Moment, NotToldError
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.slicing.boards import on_squares
from gamedsl.model.statement_facts import facts_of, shares_of, wins_of
from gamedsl.model.types import BOOLEAN, SetType, scalar_of
from gamedsl.model.values import Square
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import conjuncts, parts, with_parts
from gamedsl.source.records import dataclass

UNSHARED = CompilerOptions(frozenset({Rewrite.SHARE.value}))
"""Sharing creates functions whose names could clash with the module's; LLVM shares by itself."""
MOST_CHOICES = 16
"""Limit on the combinations of parameter values that are examined singly."""
MOST_LINES = 64
"""Limit on the lines of one direction: no loop takes the place of a set of winning squares."""
WINS = "wins_at_once"
THREATS = "threats"
Arguments = Mapping[int, GameValue]
"""Values of parameters, by slot."""


@dataclass(frozen=True, slots=True)
class Winning:
    """A legal `move` wins if its `place` meets a condition, and the parameters, by slot, have the
    values `arguments`.

    Attributes:
        place: a square, by the locals of the move.
        slot: the local that stands for the square in `condition`.
    """

    move: nodes.Move
    place: nodes.Expr
    slot: int
    condition: nodes.Expr
    arguments: Arguments


def foresight(model: Model, generated: Generated) -> Module | None:
    """The module with `wins_at_once` and `threats`, one variant per player to move."""
    if not generated.codes.squares or generated.saved or model.facts.is_simultaneous:
        return None
    model = on_squares(model)
    possible = tuple(move for move in model.moves if move.size)
    lowering = GameLowering(replace(model, moves=possible), generated.codes, generated.layout)
    lowering.program.mark = "foreseen"
    lowering.most_cases = MOST_LINES
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
        for winning in told.winning(lowering.model.players[player]):
            scope = state_functions.scope_of(lowering, player, winning.move.body)
            squares = square_sets.lifted(lowering, winning.condition, winning.slot, scope)
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
            for winning in told.winning(opponent):
                scope = state_functions.scope_of(lowering, number, winning.move.body)
                squares = square_sets.lifted(lowering, winning.condition, winning.slot, scope)
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
    kind = SetType(winning.place.type, 1)
    among = nodes.Member(span, BOOLEAN, winning.place, nodes.Local(span, kind, "wins", slot))
    read = _slots(winning.place)
    bound = [n for n, statement in enumerate(body) if read.intersection(facts_of(statement).binds)]
    at = bound[-1] + 1 if bound else 0
    tests: list[nodes.Expr] = [among]
    for parameter in winning.move.parameters:
        if parameter.slot in winning.arguments:
            held = scalar_of(parameter.values.values)
            local = nodes.Local(span, held, parameter.name, parameter.slot)
            argument = constant(span, winning.arguments[parameter.slot])
            tests.append(nodes.Compare(span, BOOLEAN, "==", local, argument))
    required = (nodes.Require(span, test) for test in tests)
    return replace(winning.move, body=(*body[:at], *required, *body[at:]))


# --- winning squares, derived from the rules --------------------------------------------------


class _Told:
    """The effects of a game's moves and the endings behind the moves, each worked out once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.before = endings_of(model)
        self._behind: dict[tuple[object, ...], tuple[Effect, Endings] | None] = {}
        self._winning: dict[GameValue, tuple[Winning, ...]] = {}

    def winning(self, player: GameValue) -> tuple[Winning, ...]:
        """The moves by which a player wins, with their conditions."""
        if player not in self._winning:
            self._winning[player] = tuple(_winning(self, player))
        return self._winning[player]

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
    parameter values together, or else for each combination of the parameters that name no square.
    """
    for move in told.model.moves:
        if move.group:
            continue
        whole = _by_square(told, move, player, {})
        if whole is not None:
            yield whole
            continue
        few = _apart_from_squares(told, move)
        if prod(len(parameter.values) for parameter in few) <= MOST_CHOICES:
            for values in product(*(parameter.values.values for parameter in few)):
                arguments = {
                    parameter.slot: value for parameter, value in zip(few, values, strict=True)
                }
                winning = _by_square(told, move, player, arguments)
                if winning is not None:
                    yield winning


def _apart_from_squares(told: _Told, move: nodes.Move) -> list[nodes.Parameter]:
    """The parameters that are no squares; if they are too many, those by which no written square is
    named."""
    few = [
        parameter
        for parameter in move.parameters
        if not all(isinstance(value, Square) for value in parameter.values.values)
    ]
    behind = told.behind(move, {})
    if behind is None or prod(len(parameter.values) for parameter in few) <= MOST_CHOICES:
        return few
    written = (index for write in behind[0].writes for index in write.indices)
    naming = {slot for index in written if index.type.is_square for slot in _slots(index)}
    return [parameter for parameter in few if parameter.slot not in naming]


def _by_square(
    told: _Told, move: nodes.Move, player: GameValue, arguments: Arguments
) -> Winning | None:
    """The condition on one square by which a move wins; None if unknown or dependent on more than
    the square. The requirements of legal moves on the same square are added: the set of squares
    gets smaller, often empty.
    """
    behind = told.behind(move, arguments)
    if behind is None:
        return None
    effect, endings = behind
    terms = Terms(told.model.board, told.model.players)
    rewriter = Rewriter(terms, endings.slot_names)
    moment = Moment(turn=constant(move.span, player))
    try:
        wins = _condition(told, endings, rewriter, moment)
        needs = [rewriter.before(need, moment) for need in _needs(effect, rewriter)]
    except NotToldError:
        return None
    slot = rewriter.slot("place")
    slots = {parameter.slot for parameter in move.parameters}
    slots |= {statement.slot for statement in move.body if isinstance(statement, nodes.Let)}
    for place in _places(effect, wins):
        among = partial(_by_local, place=place, slot=slot, keys=terms.keys)
        condition = among(wins)
        if _slots(condition) == {slot} and _slots(place) <= slots:
            needed = [need for need in map(among, needs) if _slots(need) <= {slot}]
            condition = terms.conjunction(move.span, (condition, *needed))
            return Winning(move, place, slot, condition, arguments)
    return None


def _places(effect: Effect, wins: nodes.Expr) -> Iterator[nodes.Expr]:
    """The squares that a move names: the locals on which a win depends, and the written squares."""
    written = (index for write in effect.writes for index in write.indices)
    for place in (*_free(wins, frozenset()), *written):
        if place.type.is_square:
            yield place


def _by_local(node: nodes.Expr, place: nodes.Expr, slot: int, keys: Keys) -> nodes.Expr:
    """An expression in which a local stands for a square."""
    if keys.of(node) == keys.of(place):
        return nodes.Local(node.span, node.type, "place", slot)
    return with_parts(node, partial(_by_local, place=place, slot=slot, keys=keys))


def _condition(told: _Told, endings: Endings, rewriter: Rewriter, moment: Moment) -> nodes.Expr:
    """The condition under which a legal move of the player to move wins, by an ending that no other
    ending can precede."""
    assert moment.turn is not None
    assert isinstance(told.before, Endings)
    before = (rewriter.before(ending.condition, moment) for ending in told.before.endings)
    known = Implications(rewriter)
    false = known.all_false(before)
    won: list[nodes.Expr] = []
    for ending in endings.endings:
        holds = known.without(rewriter.before(ending.condition, moment), false)
        if is_known(holds, False):
            continue
        if not _is_won(ending, rewriter, moment, told.model):
            break
        won.append(holds)
    return rewriter.terms.disjunction(moment.turn.span, won)


def _needs(effect: Effect, rewriter: Rewriter) -> Iterator[nodes.Expr]:
    """Conditions that hold before a legal move, and conditions on squares bound by `first`."""
    for need in effect.needs:
        yield from conjuncts(need, rewriter.opened)
    for slot, value in effect.bindings:
        local = nodes.Local(value.span, value.type, effect.slot_names[slot], slot)
        first = rewriter.condition_of_first(value, local)
        if first is not None:
            yield from conjuncts(first, rewriter.opened)


def _is_won(ending: Ending, rewriter: Rewriter, moment: Moment, model: Model) -> bool:
    """Whether an ending is a win of the player to move, and the opponent's loss."""
    if len(model.players) != 2 or moment.turn is None:
        return False
    outcome = with_parts(ending.outcome, lambda part: rewriter.before(part, moment))
    won = dict(zip(model.players, wins_of(model), strict=True))
    return shares_of(outcome, model.players) == won[moment.turn.known]  # type: ignore[index]


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
