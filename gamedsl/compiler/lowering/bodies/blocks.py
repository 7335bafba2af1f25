"""Statements of bodies: assignments, locals, branches, loops, guards; `statements` dispatches.

The statements are written into the current function, which works on the fields of the state by
name. Chance events are handled by `continuations`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import BOOL, FALSE, TRUE, Value, name, not_
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.sets import parallel_loops, quantified
from gamedsl.compiler.lowering.values import cells, collections, expressions, tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import (
    Code,
    Known,
    Later,
    Low,
    Meaning,
    Scope,
    Testing,
)
from gamedsl.model import messages, nodes
from gamedsl.model.messages import Said
from gamedsl.model.statement_facts import facts_in, facts_of
from gamedsl.model.types import Scalar, element_of, scalar_of
from gamedsl.model.values import NONE
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import blocks_of, conjuncts
from gamedsl.model.walk import statements as all_statements
from gamedsl.source import Span

KEPT = name("kept__", BOOL)

"""Whether the mover keeps the turn."""


def write_block(lowering: Lowering, block: nodes.Block, scope: Scope) -> bool:
    """The statements in order; True if a `return` makes the next statement unreachable."""
    for statement in block:
        next_scope = lowering.write_statement(statement, scope)
        if next_scope is None:
            return True
        scope = next_scope
    return False


def put(lowering: Lowering, statement: nodes.Put, scope: Scope) -> None:
    """An assignment."""
    match statement.place.variable.offset:
        case nodes.TURN:
            give_turn(lowering, lowering.lower(statement.value, scope), statement.span)
        case nodes.KEPT:
            lowering.builder.assign(KEPT, lowering.condition(statement.value, scope))
        case _:
            cells.write(lowering, statement.place, statement.value, scope, statement.span)


def give_turn(lowering: Lowering, value: Low, span: Span) -> None:
    """Give the turn to a player."""
    players = lowering.model.players
    if isinstance(value, Known) and value.value not in players:
        raise CannotCompileError("`turn` set to no player", span)
    if isinstance(value, Code) and value.type.kinds != {"player"}:
        held = lowering.program.hold(value.expr, "next")
        refuse_nobody(lowering, held, value, span, messages.no_mover)
        value = Code(held, scalar_of(players))
    code, first = lowering.value(value), lowering.codes.first_player
    lowering.builder.assign(lowering.field(TURN), code - first if first else code)


def refuse_nobody(
    lowering: Lowering, held: Value, value: Low, span: Span, told: Callable[[GameValue], Said]
) -> None:
    """Fail where a value, held in a local, is no player; `told`: the message about the value."""
    kind = value.type if isinstance(value, Code) else None
    known = value.value if isinstance(value, Known) else None

    def message(detail: int, _: int) -> Said:
        return told(known if kind is None else lowering.codes.value(detail, kind))  # type: ignore[arg-type]

    code = "E3001" if told is messages.no_mover else "E3005"
    site = lowering.origin.site(code, span, message, (told, kind, known))
    codes = [lowering.codes.code(player) for player in lowering.model.players]
    with lowering.builder.when(not_(lowering.among(held, codes))):
        lowering.builder.fault(site, held)


def let(lowering: Lowering, statement: nodes.Let, scope: Scope) -> Scope:
    """A local; returns the scope of the next statement."""
    return scope.having(
        statement.slot, held_value(lowering, statement.value, scope, statement.name, statement.slot)
    )


def held_value(lowering: Lowering, node: nodes.Expr, scope: Scope, stem: str, slot: int) -> Meaning:
    """A value evaluated now into a local of the generated code, unless the value is known or
    independent of the state.
    """
    if not isinstance(node.type, Scalar):
        return _held_collection(lowering, node, scope, stem)
    low = lowering.lower(node, scope)
    if isinstance(low, Known) or is_fixed_value(lowering, low.expr):
        return low
    local = name(f"{stem}_{slot}", low.expr.type)
    lowering.builder.assign(local, low.expr)
    return Code(local, low.type, low.per)


def _held_collection(lowering: Lowering, node: nodes.Expr, scope: Scope, stem: str) -> Meaning:
    meaning = expressions.meaning_of(lowering, node, scope)
    if meaning is None or (isinstance(meaning, Later) and not is_fixed(lowering, node, scope)):
        return collections.hold_collection(lowering, node, scope, stem)
    return meaning


def is_fixed_value(lowering: Lowering, value: Value) -> bool:
    """Whether a value is a constant or an unchanging local."""
    return value.is_atom and value.names.isdisjoint(lowering.program.fields)


def is_fixed(lowering: Lowering, node: nodes.Expr, scope: Scope) -> bool:
    """Whether an expression depends on unchanging locals only, not on the state."""
    free: dict[Value, Code] = {}
    if not tables.free_codes(lowering, node, scope, set(), free):
        return False
    return all(value.names.isdisjoint(lowering.program.fields) for value in free)


def write_branch_plain(lowering: Lowering, statement: nodes.Branch, scope: Scope) -> Scope | None:
    """Nested `if`s. Where the last guard stands in one of the blocks, an action that leaves the
    blocks or enters a later block is legal.
    """
    pending = list(statement.branches)

    def write(is_past: bool) -> bool:
        """The remaining branches; True if a `return` makes the next statement unreachable."""
        if not pending:
            return _one_block(lowering, statement.otherwise, scope, is_past)
        condition, block = pending.pop(0)
        low = lowering.lower(condition, scope)
        if isinstance(low, Known):
            if low.value is True:
                return _one_block(lowering, block, scope, is_past)
            return write(is_past or _holds_stop(block, scope))
        with lowering.builder.when(low.expr):
            ended = _one_block(lowering, block, scope, is_past)
        with lowering.builder.otherwise():
            return write(is_past or _holds_stop(block, scope)) and ended

    ended = write(False)
    holds_stop = _holds_stop((statement,), scope)
    if holds_stop and not ended:
        lowering.builder.give(TRUE)
    return None if ended or holds_stop else scope


def _one_block(lowering: Lowering, block: nodes.Block, scope: Scope, is_past: bool) -> bool:
    """One block of a branch; its statements are irrelevant if all guards lie behind."""
    if is_past:
        lowering.builder.give(TRUE)
        return True
    return write_block(lowering, block, scope)


def _holds_stop(block: nodes.Block, scope: Scope) -> bool:
    stop = scope.stop
    return stop is not None and any(inner is stop for inner in all_statements(block))


def write_loop_plain(lowering: Lowering, statement: nodes.Loop, scope: Scope) -> None:
    """`for`: for all squares at once, round by round, or over the initial elements of the
    domain.
    """
    if parallel_loops.lifted_loop(lowering, statement, scope):
        return
    changes = any(facts.changes for facts in facts_in(statement.body))
    if changes and not is_fixed(lowering, statement.domain, scope):
        _loop_over_held(lowering, statement, scope)
        return
    _loop_with(
        lowering,
        statement,
        scope,
        lambda each: collections.go_through_whole(
            lowering, statement.domain, scope, each, statement.name
        ),
    )


def _loop_with(
    lowering: Lowering,
    statement: nodes.Loop,
    scope: Scope,
    loop: Callable[[Callable[[Low], None]], None],
) -> None:
    going = None
    if statement.going is not None:
        going = lowering.program.hold(TRUE, "going")

    def round_with(element: Low) -> None:
        inner = scope.having(statement.slot, element)

        def body() -> None:
            write_block(lowering, statement.body, inner)

        def go_on() -> None:
            if statement.going is None or going is None:
                body()
                return
            lowering.builder.assign(going, lowering.condition(statement.going, inner))
            with lowering.builder.when(going):
                body()

        if going is None:
            collections.only_if(lowering, statement.condition, inner, go_on)
            return
        with lowering.builder.when(going):
            collections.only_if(lowering, statement.condition, inner, go_on)

    loop(round_with)


def _loop_over_held(lowering: Lowering, statement: nodes.Loop, scope: Scope) -> None:
    """The domain depends on the state, which the body changes: evaluate the domain first."""
    squares = quantified.set_of_squares(lowering, statement.domain, scope)
    if squares is None:
        items = collections.hold_collection(lowering, statement.domain, scope, statement.name)
        _loop_with(
            lowering,
            statement,
            scope,
            lambda each: collections.go_through_held(lowering, items, each, statement.name),
        )
        return
    held = lowering.program.hold(squares, f"{statement.name}s")
    _loop_with(
        lowering,
        statement,
        scope,
        lambda each: collections.go_through_bits(lowering, held, each, statement.name),
    )


def guard(lowering: Lowering, statement: nodes.Require, scope: Scope) -> Scope | None:
    """`require` and `ensure`: a test where legality is tested, else knowledge about locals."""
    testing = scope.purpose if isinstance(scope.purpose, Testing) else None
    if testing is None or any(guard is statement for guard in testing.established):
        return narrowed(lowering, statement.condition, scope)
    low = lowering.lower(statement.condition, scope)
    if statement is testing.stop:
        lowering.builder.give(lowering.value(low))
        return None
    if isinstance(low, Known):
        if low.value is True:
            return scope
        lowering.builder.give(FALSE)
        return None
    with lowering.builder.when(not_(low.expr)):
        lowering.builder.give(FALSE)
    return narrowed(lowering, statement.condition, scope)


def narrowed(lowering: Lowering, condition: nodes.Expr, scope: Scope) -> Scope:
    """Narrowed locals: `x != none`, or a cell at `x` that holds a value, imply that the locals are
    not `none`.
    """
    for part in conjuncts(condition):
        match part:
            case nodes.Compare(operator="!=", left=nodes.Local() as place, right=value):
                places = [place] if lowering.evaluator.known(value, scope) is NONE else []
            case nodes.Compare(operator="==", left=nodes.Cell() as cell, right=value):
                places = _places_in(cell) if value.type.is_something else []
            case nodes.Compare(operator="==", left=value, right=nodes.Cell() as cell):
                places = _places_in(cell) if value.type.is_something else []
            case nodes.Member(element=nodes.Cell() as cell, collection=collection):
                places = _places_in(cell) if element_of(collection.type).is_something else []
            case _:
                places = []
        for local in places:
            meaning = scope.slots.get(local.slot)
            if isinstance(meaning, Code):
                plain = replace(meaning, type=meaning.type.without_none())
                scope = scope.having(local.slot, plain)
    return scope


def last_guard(block: nodes.Block) -> nodes.Statement | None:
    """The last `require` or `ensure` of a body, or the outermost loop around it."""
    last: nodes.Statement | None = None
    for statement in block:
        if any(facts.forbids for facts in facts_in((statement,))):
            inner = blocks_of(statement) if facts_of(statement).over is None else ()
            last = next((stop for stop in map(last_guard, reversed(inner)) if stop), statement)
    return last


def _places_in(cell: nodes.Cell) -> list[nodes.Local]:
    """The locals that are indices of a cell: if an index is `none`, the cell is `none`."""
    return [index for index in cell.indices if isinstance(index, nodes.Local)]
