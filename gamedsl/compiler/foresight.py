"""Wins seen before they are made: whether the player to move has an action that wins at once.

In: a model, and the module that was made of it. Out: the text of one function of a state,
`wins_at_once(*state)`, in terms that kernels and generated Python share; None where nothing can be
foreseen. What `end:` asks after a move is asked before it (`model.rewriting.endings`); as far as
that depends on one square, the squares that win are worked out all at once (`lowering.sets`), and
a move wins that is legal with the square among them. The answer yes is certain; no is not: other
actions may win too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import FALSE, TRUE, Value
from gamedsl.compiler.lowering.bodies import dispatch, enumeration, state_functions
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import SquareSet
from gamedsl.compiler.module import Generated
from gamedsl.compiler.passes.pipeline import run_passes
from gamedsl.compiler.options import CompilerOptions, Rewrite
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import Ending, Endings, endings_after
from gamedsl.model.rewriting.moments import Moment, NotToldError
from gamedsl.model.rewriting.pins import conjuncts
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.types import BOOLEAN, Scalar, SetType, scalar_of
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import parts
from gamedsl.source.records import dataclass

UNSHARED = CompilerOptions(frozenset({Rewrite.SHARE.value}))
"""Kernels have no names for parts of an expression; LLVM works equal ones out once."""
WINS = "wins_at_once"


@dataclass(frozen=True, slots=True)
class Winning:
    """That a move wins if a local of its is a square for which a condition holds."""

    move: nodes.Move
    square: nodes.Local
    condition: nodes.Expr


def foresight(model: Model, generated: Generated) -> Module | None:
    """The function, and what it needs."""
    if not generated.codes.squares or generated.saved or model.facts.is_simultaneous:
        return None
    possible = tuple(move for move in model.moves if move.size)
    lowering = GameLowering(replace(model, moves=possible), generated.codes, generated.layout)
    try:
        told = [_write_function(lowering, player) for player in range(len(model.players))]
    except CannotCompileError:
        return None
    if not any(told):
        return None
    dispatch.dispatch(lowering, WINS, ())
    return run_passes(lowering.program.module, generated.layout, 0, UNSHARED)


def _write_function(lowering: Lowering, player: int) -> bool:
    """`wins_at_once_PLAYER`; whether it ever says yes."""
    told = list(_winning(lowering.model, lowering.model.players[player]))
    found: list[Value] = []

    def write() -> None:
        for one in told:
            squares = _squares(lowering, one, player)
            if squares is not None:
                found.append(squares)
                _write_instances(lowering, one, squares, player)
        lowering.builder.give(FALSE)

    state_functions.state_function(lowering, f"{WINS}_{player}", (), write)
    return bool(found)


def _squares(lowering: Lowering, one: Winning, player: int) -> Value | None:
    """The squares that win; None where there are none, or they cannot be told."""
    scope = state_functions.scope_of(lowering, player, one.move.body)
    found = lowering.lifted(one.condition, one.square.slot, scope)
    is_none = found is None or (found.is_const and found.const == 0)
    return None if is_none else found


def _write_instances(lowering: Lowering, one: Winning, squares: Value, player: int) -> None:
    """Give `true` if there is a legal instance whose square is one of these."""
    held = lowering.program.hold(squares, "wins")
    move, slot = _with_requirement(lowering.model, one)
    if not enumeration.is_safe(lowering, move):
        return
    scope = state_functions.scope_of(lowering, player, move.body).having(slot, SquareSet(held))

    def if_any(bits: Value) -> None:
        with lowering.builder.when(bits.ne(0)):
            lowering.builder.give(TRUE)

    sink = ActionSink(lambda _: lowering.builder.give(TRUE), if_any)
    enumeration.instances(lowering, move, scope, sink)


def _with_requirement(model: Model, one: Winning) -> tuple[nodes.Move, int]:
    """The move that requires its square to be in a set, and the slot of the set."""
    slot = len(model.slot_names) + 1_000
    span = one.move.span
    kind = SetType(one.square.type, len(model.board.squares) if model.board else 0)
    among = nodes.Member(span, BOOLEAN, one.square, nodes.Local(span, kind, "wins", slot))
    body = one.move.body
    places = [
        n + 1
        for n, statement in enumerate(body)
        if isinstance(statement, nodes.Let) and statement.slot == one.square.slot
    ]
    at = places[0] if places else 0
    return replace(one.move, body=(*body[:at], nodes.Require(span, among), *body[at:])), slot


# --- what wins, as the rules say it ----------------------------------------------------------


def _winning(model: Model, player: GameValue) -> Iterator[Winning]:
    """For each move of the first group by what square it wins."""
    for move in model.moves:
        if move.group or not move.size:
            continue
        effect = effect_of(model, move)
        if not isinstance(effect, Effect):
            continue
        endings = endings_after(model, effect)
        if isinstance(endings, Endings):
            try:
                condition = _condition(model, move, endings, player)
            except NotToldError:
                continue
            condition = terms_and(model, effect, condition)
            locals_ = list({one.slot: one for one in _free(condition, frozenset())}.values())
            if len(locals_) == 1 and _is_square(locals_[0]) and _is_own(move, locals_[0]):
                yield Winning(move, locals_[0], condition)


def terms_and(model, effect, condition):
    terms = Terms(model.board, model.players)
    rewriter = Rewriter(terms, effect.slot_names)
    free = {one.slot for one in _free(condition, frozenset())}
    needs = [part for need in effect.needs for part in conjuncts(need, rewriter.opened)]
    for slot, value in effect.bindings:
        own = nodes.Local(value.span, value.type, effect.slot_names[slot], slot)
        first = rewriter.condition_of_first(value, own)
        if first is not None:
            needs += conjuncts(first, rewriter.opened)
    kept = [one for one in needs if {l.slot for l in _free(one, frozenset())} <= free]
    return terms.conjunction(condition.span, [condition, *kept])


def _condition(
    model: Model, move: nodes.Move, endings: Endings, player: GameValue
) -> nodes.Expr:
    """That a move of a player wins: by an ending before which no other one can apply."""
    terms = Terms(model.board, model.players)
    rewriter = Rewriter(terms, endings.slot_names)
    moment = Moment(turn=constant(move.span, player))
    won: list[nodes.Expr] = []
    for ending in endings.endings:
        holds = rewriter.before(ending.condition, moment)
        if is_known(holds, False):
            continue
        if not _is_won(ending, rewriter, moment, model, player):
            break
        won.append(holds)
    return terms.disjunction(move.span, won)


def _is_won(
    ending: Ending, rewriter: Rewriter, moment: Moment, model: Model, player: GameValue
) -> bool:
    outcome = ending.outcome
    if not isinstance(outcome, nodes.Win) or outcome.amount is not None:
        return False
    who = rewriter.before(outcome.player, moment)
    winner = player if outcome.sign > 0 else next(p for p in model.players if p != player)
    return is_known(who, winner)


def _free(node: nodes.Expr, bound: frozenset[int]) -> Iterator[nodes.Local]:
    """The locals of an expression that it does not bind itself."""
    if isinstance(node, nodes.Local):
        if node.slot not in bound:
            yield node
        return
    if isinstance(node, nodes.Comprehension):
        bound |= {clause.slot for clause in node.clauses}
    for part in parts(node):
        yield from _free(part, bound)


def _is_square(one: nodes.Local) -> bool:
    return isinstance(one.type, Scalar) and one.type.is_square


def _is_own(move: nodes.Move, one: nodes.Local) -> bool:
    """Whether a local is a parameter of the move, or a `let` at the head of its body."""
    lets = (s.slot for s in move.body if isinstance(s, nodes.Let))
    return one.slot in {p.slot for p in move.parameters} | set(lets)
