"""The variables of a state as functions into sets: `cell : square → {empty, X, O}`.

A variable that is never assigned is no part of a state; a set of truth values has two elements, and
`square` is a set, no element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeGuard

from gamedsl.game import LoadedGame
from gamedsl.model.nodes import Variable
from gamedsl.model.values import Square, Value, text_of
from gamedsl.reports.explanations.mathematics import Mathematics, names_in
from gamedsl.reports.formulas.tree import (
    Formula,
    Group,
    Indexed,
    Kind,
    Line,
    Word,
    joined,
    row,
)
from gamedsl.source.plurals import count
from gamedsl.syntax import ast

Named = Mapping[str, ast.Expression]
MOST_NUMBERS = 5
"""Consecutive numbers written out individually at most."""


def variable_formulas(
    game: LoadedGame, declarations: Iterable[ast.Declaration], mathematics: Mathematics
) -> tuple[Line, ...]:
    """The state as a tuple and the domains of the components, then the constants."""
    declared = {
        variable.name.text: variable
        for declaration in declarations
        if isinstance(declaration, ast.StateDecl)
        for variable in declaration.variables
    }
    moving = [v for v in game.model.variables if not v.is_constant]
    fixed = [v for v in game.model.variables if v.is_constant]
    lines = [Line(_signature(v, declared.get(v.name), mathematics)) for v in moving]
    if fixed:
        lines.append(Line(row("constants, no part of the state, for nothing assigns them:")))
        lines += [Line(_signature(v, declared.get(v.name), mathematics), 1) for v in fixed]
    return tuple(lines)


def initial_formulas(
    declarations: Iterable[ast.Declaration], mathematics: Mathematics
) -> tuple[Line, ...]:
    """`left = 20`, `cell[q] = empty for q ∈ square`: the values at the beginning of play, except
    values given by a diagram."""
    declarations, lines = tuple(declarations), []
    named: Named = {
        d.name.text: d.value
        for d in declarations
        if isinstance(d, ast.ParamDecl) or (isinstance(d, ast.DefDecl) and not d.parameters)
    }
    for declaration in declarations:
        if isinstance(declaration, ast.StateDecl):
            for written in declaration.variables:
                if written.initial is None or isinstance(written.initial, ast.Diagram):
                    continue
                if isinstance(written.initial, ast.Always):
                    lines.append(Line(_initial(written, written.initial.value, mathematics)))
                    continue
                lines.append(Line(_initial(written, written.initial, mathematics, named)))
    return tuple(lines)


def _initial(
    written: ast.VariableDecl,
    value: ast.Expression,
    mathematics: Mathematics,
    named: Named | None = None,
) -> Formula:
    """`named`: parameters and definitions, which may be lists, of which a cell gets the item; None
    where a list gives no value for each cell."""
    keys, bounds = _keys(written, mathematics)
    variable = Word(written.name.text)
    if not keys:
        return row(variable, " = ", mathematics.formula(value))
    if named is not None:
        names = tuple(ast.Name(written.name.span, key) for key in keys)
        value = _item(value, names, named)
    place = joined(", ", map(Word, keys))
    what = mathematics.formula(value)
    return row(Indexed(variable, place), " = ", what, " for ", joined(", ", bounds))


def _item(value: ast.Expression, keys: tuple[ast.Name, ...], named: Named) -> ast.Expression:
    """The value of a cell: of a list, or of a list of lists, the item."""
    if isinstance(value, ast.Conditional):
        then, otherwise = (_item(v, keys, named) for v in (value.then, value.otherwise))
        return replace(value, then=then, otherwise=otherwise)
    depth = _depth(value, named)
    return ast.Index(value.span, value, keys[:depth]) if depth else value


def _depth(value: ast.Expression, named: Named) -> int:
    """The number of lists within each other, as written: 2 of a list of lists."""
    match value:
        case ast.ListLiteral(items=(item, *_)) | ast.ListBuild(element=item):
            return 1 + _depth(item, named)
        case ast.Name(text=text) if text in named:
            return _depth(named[text], named)
        case ast.Conditional(then=then):
            return _depth(then, named)
        case _:
            return 0


def _keys(written: ast.VariableDecl, mathematics: Mathematics) -> tuple[list[str], list[Formula]]:
    """The indices of a cell and their sets; an index without a name is `i`, `j` or `k`."""
    taken = {index.name.text for index in written.indices if index.name is not None}
    free = iter(letter for letter in ("i", "j", "k", "l", "m") if letter not in taken)
    keys: list[str] = []
    bounds: list[Formula] = []
    for index in written.indices:
        name = next(free) if index.name is None else index.name.text
        keys.append(name)
        such = () if index.condition is None else (" with ", mathematics.formula(index.condition))
        bounds.append(row(mathematics.bound(name, index.domain), *such))
    return keys, bounds


def set_formula(values: tuple[Value, ...]) -> Formula:
    """`{empty, X, O}`, `{0, ..., 20}`, `square ∪ {none}`."""
    squares = [value for value in values if isinstance(value, Square)]
    is_board = len(squares) > MOST_NUMBERS
    remaining = [value for value in values if not (is_board and isinstance(value, Square))]
    board: list[Formula] = [Word("square")] if is_board else []
    return joined(" ∪ ", board + ([_braced(remaining)] if remaining else []))


def _braced(values: list[Value]) -> Formula:
    numbers = [value for value in values if _is_number(value)]
    is_run = len(numbers) > MOST_NUMBERS and numbers[-1] - numbers[0] == len(numbers) - 1
    members = [row(f"{numbers[0]}, ..., {numbers[-1]}")] if is_run else []
    members += [_value(value) for value in values if not (is_run and _is_number(value))]
    return Group("{", joined(", ", members), "}")


def _value(value: Value) -> Formula:
    return row(str(value)) if _is_number(value) else Word(text_of(value), Kind.VALUE)


def _is_number(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _signature(
    variable: Variable, written: ast.VariableDecl | None, mathematics: Mathematics
) -> Formula:
    indices = written.indices if written is not None else ()
    named = {index.name.text for index in indices if index.name is not None}
    is_dependent = variable.missing or (
        written is not None
        and variable.domains is not None
        and not named.isdisjoint(names_in(written.domain))
    )
    if not variable.indices:
        return row(Word(variable.name), " ∈ ", set_formula(variable.domain.values))
    if written is not None and is_dependent:
        return _dependent(variable, written, mathematics)
    keys = joined(" × ", (set_formula(index.values) for index in variable.indices))
    return row(Word(variable.name), " : ", keys, " → ", set_formula(variable.domain.values))


def _dependent(variable: Variable, written: ast.VariableDecl, mathematics: Mathematics) -> Formula:
    """`edge[a, b] ∈ {empty, A, B} for a ∈ {1, ..., n}, b ∈ {a + 1, ..., n}`, and the count."""
    keys: list[Formula] = []
    bounds: list[Formula] = []
    for index in written.indices:
        keys.append(mathematics.formula(index.domain) if index.name is None
                    else Word(index.name.text))  # fmt: skip
        if index.name is not None:
            such = () if index.condition is None else (
                " with ", mathematics.formula(index.condition)
            )  # fmt: skip
            bounds.append(row(mathematics.bound(index.name.text, index.domain), *such))
    if variable.domains is None:
        domain = set_formula(variable.domain.values)
    else:
        domain = mathematics.formula(written.domain)
    cells = f" ({count(len(variable.cells), 'cell')})" if variable.missing else ""
    where = (" for ", joined(", ", bounds)) if bounds else ()
    cell = Indexed(Word(variable.name), joined(", ", keys))
    return row(cell, " ∈ ", domain, *where, cells)
