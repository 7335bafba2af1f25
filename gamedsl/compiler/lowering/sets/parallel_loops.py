"""Loops over a few known values around loops over squares, with all rounds executed at once.

An example is `for d in directions where ...:` around a `for` over squares. The squares of every
round are computed from the state before the loop and assigned together. No round may read a square
that an earlier round can change; this is checked in advance for every value of the parameter that
decides it. All other loops are left to `set_loops`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, select
from gamedsl.compiler.lowering.sets import set_loops
from gamedsl.compiler.lowering.sets.read_sets import ReadSets
from gamedsl.compiler.lowering.sets.set_loops import Put
from gamedsl.compiler.lowering.sets.square_sets import Bits
from gamedsl.compiler.lowering.values import expressions, tables
from gamedsl.compiler.lowering.values.collections import UNROLLED
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Later, Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.model.statement_facts import written_in
from gamedsl.model.types import Scalar
from gamedsl.model.values import NONE, Value
from gamedsl.model.walk import conjuncts, expressions_of, parts
from gamedsl.model.walk import statements as all_statements
from gamedsl.source.records import dataclass

MOST_ROUNDS = 16

MOST_VALUES = 512

"""Largest number of parameter values examined to show that rounds are independent."""

Tests = tuple[tuple[nodes.Expr, Scope], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A loop over squares in one round: its tests, its squares, and the values put on the
    squares.
    """

    loop: nodes.Loop
    scope: Scope
    tests: Tests
    squares: Bits
    puts: tuple[Put, ...]


def lifted_loop(lowering: Lowering, statement: nodes.Loop, scope: Scope) -> bool:
    """Write a loop as operations on sets of squares, if possible; return whether it was."""
    if set_loops.lifted_loop_plain(lowering, statement, scope):
        return True
    if not lowering.does(Strategy.PARALLEL_LOOPS):
        return False
    values = lowering.evaluator.known(statement.domain, scope)
    if not isinstance(values, tuple) or not 1 < len(values) <= MOST_ROUNDS:
        return False
    if statement.going is not None or len(values) * lowering.builder.copies > UNROLLED:
        return False
    lets = {s.slot for s in all_statements(statement.body) if isinstance(s, nodes.Let)}
    inner = replace(scope, evaluated=scope.evaluated | lets)
    pieces = _pieces_of_rounds(lowering, statement, values, inner)
    if not pieces or not _are_apart(lowering, pieces, written_in(statement.body)):
        return False
    _join(lowering, pieces)
    return True


def _pieces_of_rounds(
    lowering: Lowering, loop: nodes.Loop, values: tuple[Value, ...], scope: Scope
) -> list[Piece] | None:
    pieces: list[Piece] = []
    for value in values:
        inner = scope.having(loop.slot, Known(value))
        tests = _tests(lowering, loop.condition, inner)
        new_pieces = None if tests is None else _pieces(lowering, loop.body, inner, tests, loop)
        if new_pieces is None:
            return None
        pieces += new_pieces
    return pieces


def _tests(lowering: Lowering, condition: nodes.Expr | None, scope: Scope) -> Tests | None:
    """The parts of a condition, definitions opened; None if the condition may fail."""
    if condition is None:
        return ()
    if lowering.can_fail(condition):
        return None
    return tuple(_opened_parts(lowering, condition, scope))


def _opened_parts(
    lowering: Lowering, node: nodes.Expr, scope: Scope
) -> Iterator[tuple[nodes.Expr, Scope]]:
    for part in conjuncts(node):
        opened, inner = expressions.opened(lowering, part, scope)
        if opened is part:
            yield part, scope
        else:
            yield from _opened_parts(lowering, opened, inner)


def _pieces(
    lowering: Lowering, block: nodes.Block, scope: Scope, tests: Tests, whole: nodes.Loop
) -> list[Piece] | None:
    """The pieces of a block; None if the block has other statements."""
    pieces: list[Piece] = []
    for statement in block:
        new_pieces: list[Piece] | None = None
        match statement:
            case nodes.Let() if not lowering.can_fail(statement.value):
                scope = scope.having(statement.slot, Later(statement.value, scope))
                new_pieces = []
            case nodes.Branch(branches=((condition, inner),), otherwise=()):
                more = _tests(lowering, condition, scope)
                if more is not None:
                    new_pieces = _pieces(lowering, inner, scope, (*tests, *more), whole)
            case nodes.Loop():
                new_pieces = _piece(lowering, statement, scope, tests, written_in(whole.body))
        if new_pieces is None:
            return None
        pieces += new_pieces
    return pieces


def _piece(
    lowering: Lowering, loop: nodes.Loop, scope: Scope, tests: Tests, written: frozenset[int]
) -> list[Piece] | None:
    puts = set_loops.puts_of(lowering, loop, scope, written)
    plain = tuple(put for put in puts or () if isinstance(put, Put) and put.value is not None)
    if puts is None or plain != puts:
        return None
    squares = set_loops.squares_of(lowering, loop, scope, written)
    return None if squares is None else [Piece(loop, scope, tests, squares, plain)]


def _are_apart(lowering: Lowering, pieces: list[Piece], written: frozenset[int]) -> bool:
    """Whether no piece reads a square that an earlier piece may change."""
    free: dict[Expr, Code] = {}
    for piece in pieces:
        domain, inner = expressions.opened(lowering, piece.loop.domain, piece.scope)
        fixed: tuple[nodes.Expr, ...] = (domain,)
        if domain.called == "sight":
            fixed = parts(domain)[1:]
        if not all(tables.free_codes(lowering, node, inner, set(), free) for node in fixed):
            return False
    spans = [tables.span_of_codes(lowering, code.type) for code in free.values()]
    span = spans[0] if len(spans) == 1 else None
    if len(spans) > 1 or (spans and (span is None or span[1] > MOST_VALUES)):
        return False
    assumptions = [{code: v} for code in free for v in span[2].values()] if span else [{}]
    return all(
        _are_apart_given(pieces, ReadSets(lowering, written, values)) for values in assumptions
    )


def _are_apart_given(pieces: list[Piece], reads: ReadSets) -> bool:
    changed: list[tuple[int, tuple[Put, ...]]] = []
    for piece in pieces:
        squares = reads.collection(piece.loop.domain, piece.scope)
        seen = reads.reads(piece.loop.domain, piece.scope)
        for test, scope in piece.tests:
            seen |= reads.reads(test, scope)
        inner = reads.among(piece.loop.slot, squares, piece.scope)
        for node in _own_expressions(piece.loop):
            seen |= reads.reads(node, inner)
        for before, puts in changed:
            if before & seen or (before & squares and puts != piece.puts):
                return False
        changed.append((squares, piece.puts))
    return True


def _join(lowering: Lowering, pieces: list[Piece]) -> None:
    together: dict[object, tuple[Piece, Bits]] = {}
    for piece in pieces:
        if piece.squares is lowering.sets.nothing:
            continue
        lowering.comment(piece.loop.span.start)
        said = _said_by_loop(lowering, piece)
        tests = [lowering.condition(test, scope) for test, scope in piece.tests]
        is_run = all_of(test for test in tests if test is not said)
        made = select(is_run, piece.squares, lowering.sets.nothing)
        held = lowering.program.hold(made, f"{piece.loop.name}s")
        key = tuple((put.place.names, put.value) for put in piece.puts)
        first, joined = together.get(key, (piece, lowering.sets.nothing))
        together[key] = (first, joined | held)
    for piece, squares in together.values():
        for statement in piece.loop.body:
            lowering.comment(statement.span.start)
        everything = lowering.program.hold(squares, "all")
        for put in piece.puts:
            set_loops.put_on(lowering, put, everything)


def _said_by_loop(lowering: Lowering, piece: Piece) -> Expr | None:
    """The condition under which a loop along a ray has a round: its `while`, for the first
    square.
    """
    loop = piece.loop
    ray, scope = expressions.opened(lowering, loop.domain, piece.scope)
    if loop.going is None or loop.condition is not None or ray.called != "ray":
        return None
    kind = Scalar(atoms=frozenset({*lowering.codes.squares, NONE}))
    first = Later(nodes.Builtin(ray.span, kind, "s+d", parts(ray)), scope)
    return lowering.condition(loop.going, piece.scope.having(loop.slot, first))


def _own_expressions(loop: nodes.Loop) -> Iterator[nodes.Expr]:
    """The expressions evaluated in every round of a loop."""
    yield from (node for node in (loop.condition, loop.going) if node is not None)
    for statement in all_statements(loop.body):
        yield from expressions_of(statement)
