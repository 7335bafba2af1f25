"""The variables of a state as functions into sets: `cell : square → {empty, X, O}`.

A variable that is never assigned is no part of a state; a set of truth values has two elements, and
`square` is a set, no element.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from gamedsl.game import LoadedGame
from gamedsl.model.nodes import Variable
from gamedsl.model.values import Square, Value, text_of
from gamedsl.reports.explanations.mathematics import Mathematics, names_in
from gamedsl.source.plurals import count
from gamedsl.syntax import ast

MOST_NUMBERS = 5
"""Consecutive numbers written out individually at most."""


def variable_formulas(
    game: LoadedGame, declarations: Iterable[ast.Declaration], mathematics: Mathematics
) -> tuple[str, ...]:
    """The state as a tuple and the domains of the components, then the constants."""
    declared = {
        variable.name.text: variable
        for declaration in declarations
        if isinstance(declaration, ast.StateDecl)
        for variable in declaration.variables
    }
    moving = [v for v in game.model.variables if not v.is_constant]
    fixed = [v for v in game.model.variables if v.is_constant]
    signs = [_signature(v, declared.get(v.name), mathematics) for v in moving]
    if fixed:
        signs.append("constants, no part of the state, for nothing assigns them:")
        signs += [f"  {_signature(v, declared.get(v.name), mathematics)}" for v in fixed]
    return tuple(signs)


def set_text(values: tuple[Value, ...]) -> str:
    """`{empty, X, O}`, `{0, ..., 20}`, `square ∪ {none}`."""
    squares = [value for value in values if isinstance(value, Square)]
    is_board = len(squares) > MOST_NUMBERS
    remaining = [value for value in values if not (is_board and isinstance(value, Square))]
    parts = (["square"] if is_board else []) + ([_braced(remaining)] if remaining else [])
    return " ∪ ".join(parts)


def _braced(values: list[Value]) -> str:
    numbers = [value for value in values if _is_number(value)]
    is_run = len(numbers) > MOST_NUMBERS and numbers[-1] - numbers[0] == len(numbers) - 1
    words = [f"{numbers[0]}, ..., {numbers[-1]}"] if is_run else []
    words += [text_of(value) for value in values if not (is_run and _is_number(value))]
    return "{" + ", ".join(words) + "}"


def _is_number(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _signature(
    variable: Variable, written: ast.VariableDecl | None, mathematics: Mathematics
) -> str:
    indices = written.indices if written is not None else ()
    named = {index.name.text for index in indices if index.name is not None}
    is_dependent = variable.missing or (
        written is not None
        and variable.domains is not None
        and not named.isdisjoint(names_in(written.domain))
    )
    if not variable.indices:
        return f"{variable.name} ∈ {set_text(variable.domain.values)}"
    if written is not None and is_dependent:
        return _dependent(variable, written, mathematics)
    keys = " × ".join(set_text(index.values) for index in variable.indices)
    return f"{variable.name} : {keys} → {set_text(variable.domain.values)}"


def _dependent(variable: Variable, written: ast.VariableDecl, mathematics: Mathematics) -> str:
    """`edge[a, b] ∈ {empty, A, B} for a ∈ {1, ..., n}, b ∈ {a + 1, ..., n}`, and the count."""
    keys, bounds = [], []
    for index in written.indices:
        keys.append(mathematics.formula(index.domain) if index.name is None else index.name.text)
        if index.name is not None:
            such = "" if index.condition is None else (
                f" with {mathematics.formula(index.condition)}"
            )  # fmt: skip
            bounds.append(mathematics.bound(index.name.text, index.domain) + such)
    if variable.domains is None:
        domain = set_text(variable.domain.values)
    else:
        domain = mathematics.formula(written.domain)
    cells = f" ({count(len(variable.cells), 'cell')})" if variable.missing else ""
    where = f" for {', '.join(bounds)}" if bounds else ""
    return f"{variable.name}[{', '.join(keys)}] ∈ {domain}{where}{cells}"
