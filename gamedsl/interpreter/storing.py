"""Store a value in a cell, in `turn` or in the mark of a kept turn; the range is checked."""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.interpreter.environment import Environment
from gamedsl.model import messages, nodes
from gamedsl.model.errors import GameRuleError
from gamedsl.model.values import Atom, Value
from gamedsl.source import Span

Store = Callable[[Environment, int | None, Value], None]
"""Stores a value in the cell with a number; None: an index is `none`. Raises GameRuleError."""


def store_in(place: nodes.Place, span: Span, players: tuple[Atom, ...]) -> Store:
    """The function that stores a value in a place; `turn` and the mark have no number."""
    if place.variable.offset == nodes.TURN:
        return _turn(span, players)
    if place.variable.offset == nodes.KEPT:
        return _keep_turn
    return _cell(place.variable, span)


def _cell(variable: nodes.Variable, span: Span) -> Store:
    digits, domains, offset = variable.domain.digit, variable.domains, variable.offset

    def store(env: Environment, number: int | None, value: Value) -> None:
        if number is None:
            raise GameRuleError.of("E3002", messages.off_the_board(variable), span)
        held = digits if domains is None else domains[number - offset].digit
        if value not in held:
            said = messages.out_of_range(variable, number - offset, value)
            raise GameRuleError.of("E3001", said, span)
        env.cells[number] = digits[value]

    return store


def _turn(span: Span, players: tuple[Atom, ...]) -> Store:
    def store(env: Environment, _: int | None, value: Value) -> None:
        if not isinstance(value, Atom) or value not in players:
            raise GameRuleError.of("E3001", messages.no_mover(value), span)
        env.turn = value

    return store


def _keep_turn(env: Environment, _: int | None, value: Value) -> None:
    env.keeps_turn = value is True
