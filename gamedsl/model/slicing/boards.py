"""Arrays of a few contents as boards: the cells become the squares of a board.

In: rules without a board. Out: the same rules, in which `cell: empty | X | O [1..5, 1..4]` has one
index, a square, and `cell[x, y]` is `cell[at(x, y)]`, with an operator that has no name in the
language. All that is made for the squares of a board (sets of squares, wins that are foreseen) is
thereby made for arrays. Cells, actions and errors stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from gamedsl.model import nodes
from gamedsl.model.board import FIRST_ORDER, Board
from gamedsl.model.model import Model
from gamedsl.model.semantics.evaluate import fold
from gamedsl.model.semantics.safety import fits
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.types import Scalar
from gamedsl.model.values import NONE, Domain, Square, text_of
from gamedsl.model.walk import (
    all_expressions,
    expressions_of_move,
    statements,
    with_blocks,
    with_parts,
    within,
)

MOST_CONTENTS = 4
"""Most values of a cell: a set of squares for each of more values takes more room than numbers."""
MOST_SQUARES = 64
"""Most cells in games with chance or secrets: the kernels for such games hold sets in a word."""
Indices = tuple[Domain, ...]


def on_squares(model: Model) -> Model:
    """The rules with the largest arrays of equal indices on squares; the model itself if the game
    has a board or no such array."""
    if model.board is not None or model.tree is not None:
        return model
    unfit = set(_unfit(model))
    if model.facts.has_chance or model.facts.has_secrets:
        unfit |= {v.offset for v in model.variables if v.size > MOST_SQUARES}
    arrays = [v for v in model.variables if _has_contents(v) and v.offset not in unfit]
    if not arrays:
        return model
    frame = max(arrays, key=lambda variable: variable.size).indices
    return _Moved(model, [v for v in arrays if v.indices == frame], frame).model()


def _has_contents(variable: nodes.Variable) -> bool:
    """Whether a variable is an array of more cells than values, which are few and no numbers."""
    return (
        len(variable.domain) <= min(MOST_CONTENTS, variable.size - 1)
        and not any(type(value) is int for value in variable.domain.values)
        and not (variable.is_constant or variable.may_be_unset or variable.missing)
        and variable.domains is None
    )


def _unfit(model: Model) -> Iterator[int]:
    """The arrays, by offset, with an index that may name no cell, and arrays that are read as a
    whole or in recursive calls."""
    for place in (facts_of(s).place for block in _blocks(model) for s in statements(block)):
        if place is not None and not _are_fit(place.variable, place.indices):
            yield place.variable.offset
    for node in _expressions(model):
        match node:
            case nodes.Cell() if not _are_fit(node.variable, node.indices):
                yield node.variable.offset
            case nodes.ArrayRef():
                yield node.variable.offset
            case nodes.ApplyRecursive():
                yield from (part.reads.offset for part in within(node) if part.reads is not None)


def _are_fit(variable: nodes.Variable, indices: Iterable[nodes.Expr]) -> bool:
    pairs = zip(indices, variable.indices, strict=False)
    return all(isinstance(i.type, Scalar) and fits(i.type, domain) for i, domain in pairs)


def _blocks(model: Model) -> tuple[nodes.Block, ...]:
    return (model.setup, model.end, *(move.body for move in model.moves))


def _expressions(model: Model) -> Iterator[nodes.Expr]:
    """Every expression of the rules."""
    for block in (model.setup, model.end):
        yield from all_expressions(block)
    for move in model.moves:
        yield from expressions_of_move(move)
    outcomes = [rule.outcome for rule in model.repeats if rule.outcome is not None]
    outcomes += [] if model.endless is None else [model.endless]
    for outcome in outcomes:
        yield from all_expressions((outcome,))
    if model.evaluation is not None:
        tests = model.evaluation.quiescent
        for expression in (model.evaluation.value, *(() if tests is None else (tests,))):
            yield from within(expression)


@cache
def _squares(names: tuple[str, ...]) -> tuple[Square, ...]:
    """The squares with some names, the same whenever they are asked for."""
    orders = range(FIRST_ORDER, FIRST_ORDER + len(names))
    return tuple(Square(name, order, None, None) for name, order in zip(names, orders, strict=True))


class _Moved:
    """The rules with some arrays of equal indices on squares."""

    def __init__(self, model: Model, arrays: list[nodes.Variable], frame: Indices) -> None:
        self._model, self.players = model, model.players
        size, told = arrays[0].size, arrays[0].indices_of
        names = (", ".join(map(text_of, told(number))) for number in range(size))
        self._squares = _squares(tuple(names))
        squares = Domain(self._squares)
        self.board = Board(self._squares, (), frame=frame)
        self._moved = {v.offset: replace(v, indices=(squares,)) for v in arrays}
        self._definitions: dict[int, tuple[nodes.Definition, nodes.Definition]] = {}

    def model(self) -> Model:
        """The rules."""
        model = self._model
        return replace(
            model,
            board=self.board,
            variables=tuple(map(self._variable, model.variables)),
            setup=self._block(model.setup),
            moves=tuple(map(self._move, model.moves)),
            end=self._block(model.end),
            endless=model.endless and with_parts(model.endless, self._expression),
            repeats=tuple(map(self._repeat, model.repeats)),
            evaluation=model.evaluation and self._evaluation(model.evaluation),
        )

    def _variable(self, variable: nodes.Variable) -> nodes.Variable:
        return self._moved.get(variable.offset, variable)

    def _block(self, block: nodes.Block) -> nodes.Block:
        return tuple(map(self._statement, block))

    def _statement(self, statement: nodes.Statement) -> nodes.Statement:
        made = with_blocks(with_parts(statement, self._expression), self._block)
        place = facts_of(made).place
        if place is None or place.variable.offset not in self._moved:
            return made
        assert isinstance(made, nodes.Put | nodes.Chance)
        square = self._square(place.indices)
        return replace(made, place=nodes.Place(self._variable(place.variable), (square,)))

    def _move(self, move: nodes.Move) -> nodes.Move:
        return replace(
            move,
            parameters=tuple(map(self._parameter, move.parameters)),
            body=self._block(move.body),
        )

    def _parameter(self, parameter: nodes.Parameter) -> nodes.Parameter:
        return replace(
            parameter,
            choices=parameter.choices and self._expression(parameter.choices),
            condition=parameter.condition and self._expression(parameter.condition),
        )

    def _repeat(self, rule: nodes.Repeat) -> nodes.Repeat:
        return replace(
            rule,
            variables=tuple(map(self._variable, rule.variables)),
            outcome=rule.outcome and with_parts(rule.outcome, self._expression),
        )

    def _evaluation(self, evaluation: nodes.Evaluation) -> nodes.Evaluation:
        return replace(
            evaluation,
            quiescent=evaluation.quiescent and self._expression(evaluation.quiescent),
            value=self._expression(evaluation.value),
        )

    def _expression(self, node: nodes.Expr) -> nodes.Expr:
        made = with_parts(node, self._expression)
        if isinstance(made, nodes.Cell) and made.variable.offset in self._moved:
            square = self._square(made.indices)
            return replace(made, variable=self._variable(made.variable), indices=(square,))
        if isinstance(made, nodes.Apply):
            return replace(made, definition=self._definition(made.definition))
        return made

    def _definition(self, definition: nodes.Definition) -> nodes.Definition:
        """The `def` with its body on squares, the same for all calls."""
        known = self._definitions.get(id(definition))
        if known is None:
            made = replace(definition, body=self._expression(definition.body))
            known = self._definitions[id(definition)] = (definition, made)
        return known[1]

    def _square(self, indices: tuple[nodes.Expr, ...]) -> nodes.Expr:
        """The square of a cell; `none` where an index is `none`."""
        span = indices[0].span.to(indices[-1].span)
        none = {NONE} if any(index.type.can_be_none for index in indices) else set()
        kind = Scalar(atoms=frozenset({*self._squares, *none}))
        return fold(nodes.Builtin(span, kind, "at", indices), self)
