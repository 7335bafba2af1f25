"""Elaborate indexing (`base[indices]`): a cell of a state variable, an item of a list.

Indices of a wrong kind, or certainly out of range, are reported.
"""

from __future__ import annotations

from gamedsl.model import messages, nodes
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.narrowing import narrowed
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    UNKNOWN,
    ArrayType,
    ListType,
    OptionalType,
    Scalar,
    TupleType,
    Type,
    can_be_equal,
    describe,
    is_number,
    or_none,
    scalar_of,
    type_of,
    without_none,
)
from gamedsl.model.values import EMPTY, NONE, Domain, Square, Value, text_of
from gamedsl.source import Label, Span
from gamedsl.syntax import ast


def indexed(elaborator: Elaborator, written: ast.Index, scope: Scope) -> nodes.Expr:
    """`base[indices]`."""
    base = elaborator.expression(written.base, scope)
    indices = tuple(elaborator.expression(index, scope) for index in written.indices)
    if base.whole is not None:
        return _of_variable(elaborator, written, base.whole, indices, scope)
    if base.type == UNKNOWN:
        return base
    whole = without_none(base.type)
    if not isinstance(whole, ListType):
        return elaborator.wrong(
            "E1104",
            written.base.span,
            f"`{elaborator.text(written.base)}` has no cells to choose from;"
            f" it is {describe(base.type)}",
            hint=_instead_of_index(elaborator, written),
        )
    if len(indices) != 1 or not is_number(indices[0].type):
        one_by_one = "".join(f"[{elaborator.text(index)}]" for index in written.indices)
        return elaborator.wrong(
            "E1104",
            written.span,
            "a list is indexed by one number, counted from 1",
            hint=f"of a list of lists write `{elaborator.text(written.base)}{one_by_one}`"
            if len(indices) > 1
            else _table_hint(elaborator, written, whole, indices[0].type),
        )
    position = indices[0].known
    if isinstance(position, int) and position < 1 and base.known is None:
        message = f"position {position} is outside the list, whose positions count from 1"
        return elaborator.wrong("E1204", written.span, message)
    kind = whole.element
    if isinstance(base.type, OptionalType) or _may_be_none(indices[0]):
        kind = or_none(kind)
    return elaborator.folded(nodes.Builtin(written.span, kind, "[]", (base, indices[0])))


def _table_hint(
    elaborator: Elaborator, written: ast.Index, whole: ListType, kind: Type
) -> str | None:
    """A hint for a list indexed by a player or another named value: a table."""
    values = " | ".join(kind.without_none().kinds) if isinstance(kind, Scalar) else ""
    name = {"player": "players", "bool": "bool"}.get(values, values)
    symbols = elaborator.symbols
    if name in symbols.variable_decls or not isinstance(symbols.find(name), nodes.Const):
        return None  # a hint must not elaborate a variable
    base, index = elaborator.text(written.base), elaborator.text(written.indices[0])
    more = ", ..." if isinstance(whole.element, ListType) else ""
    return (
        f"a list becomes a table under `state:`, as in `table[{name}{more}]: 0..9 = {base}`,"
        f" and then `table[{index}{more}]` is an item"
    )


def _instead_of_index(elaborator: Elaborator, written: ast.Index) -> str | None:
    """A hint for `players[p]` and `Suit[c]`."""
    name = elaborator.text(written.base)
    if name in elaborator.symbols.tables:
        return f"a part of a value is `{name}({elaborator.text(written.indices[0])})`"
    return "a player is named; the one after p is `next(p)`" if name == "players" else None


def _may_be_none(index: nodes.Expr) -> bool:
    """Whether `none` is possible, as far as the type is known. In an effect that is never called
    the types of parameters are unknown, and not checked."""
    kind = index.type
    return kind.can_be_none and not kind.unknown


def _of_variable(
    elaborator: Elaborator,
    written: ast.Index,
    whole: nodes.ArrayRef,
    indices: tuple[nodes.Expr, ...],
    scope: Scope,
) -> nodes.Expr:
    """`a[i]`: a cell; or, if `a` has further indices, all cells with the given first indices."""
    variable, all_indices = whole.variable, (*whole.fixed, *indices)
    if len(all_indices) < len(variable.indices):
        all_indices = (*whole.fixed, *(narrowed(index, scope) for index in indices))
        return _part(elaborator, written, variable, all_indices)
    if not check_indices(elaborator, written.span, variable, all_indices):
        return in_error(written.span)
    known = (index.known for index in all_indices)
    number = variable.number_of(known) if is_worked_out(variable, scope) else None
    if number is not None:
        return initial_value(elaborator, written.span, variable, number)
    kind: Type = cell_type(variable)
    if any(map(_may_be_none, all_indices)):
        kind = or_none(kind)
    return nodes.Cell(written.span, kind, variable, all_indices)


def _part(
    elaborator: Elaborator,
    written: ast.Index,
    variable: nodes.Variable,
    fixed: tuple[nodes.Expr, ...],
) -> nodes.Expr:
    """The cells of a variable with given first indices."""
    for place, index in enumerate(fixed):
        if not _is_index(elaborator, variable, index, place):
            return in_error(written.span)
        if index.type.can_be_none:
            text = elaborator.text(index)
            return elaborator.wrong(
                "E1104",
                index.span,
                f"`{text}` may be `none`, and then `{elaborator.text(written)}` is nothing",
                hint=f"ask first: `if {text} != none:` or `{text} != none and ...`",
            )
    kind = ArrayType(variable.name, tuple(index.type for index in fixed))
    return nodes.ArrayRef(written.span, kind, variable, fixed)


def check_indices(
    elaborator: Elaborator,
    span: Span,
    variable: nodes.Variable,
    indices: tuple[nodes.Expr, ...],
    hint: str | None = None,
) -> bool:
    """Report indices that are too few, too many, of a wrong kind or certainly out of range; `hint`
    is told where there are none."""
    if len(indices) != len(variable.indices):
        wanted = len(variable.indices)
        plural = "index" if wanted == 1 else "indices"
        elaborator.reporter.report(
            "E1104",
            span,
            f"`{variable.name}` has {wanted or 'no'} {plural}, found {len(indices)}"
            if indices
            else f"`{variable.name}` is many cells; say which: `{variable.name}[...]`",
            secondary=(Label(variable.span, "declared here"),),
            hint=_square_hint(variable, indices) if indices else hint,
        )
        return False
    each = (_is_index(elaborator, variable, index, place) for place, index in enumerate(indices))
    return all(each) and _is_there(elaborator, span, variable, indices)


def _is_there(
    elaborator: Elaborator, span: Span, variable: nodes.Variable, indices: tuple[nodes.Expr, ...]
) -> bool:
    """Report a combination of known indices that the declaration leaves out."""
    number = variable.number_of(index.known for index in indices)
    if number is None or number not in variable.missing:
        return True
    message, hint = messages.missing_cell(variable, number)
    declared = Label(variable.span, "declared here")
    elaborator.reporter.report("E1202", span, message, secondary=(declared,), hint=hint)
    return False


def _square_hint(variable: nodes.Variable, indices: tuple[nodes.Expr, ...]) -> str | None:
    """A hint for `cell[r, c]`: how to name a square of a board."""
    places = [domain.values[0] for domain in variable.indices if domain.values]
    is_by_square = len(places) == 1 and isinstance(places[0], Square)
    if is_by_square and len(indices) == 2 and all(is_number(index.type) for index in indices):
        name = variable.name
        return f"a square is one value: `{name}[s]` with `s in square`, or `{name}[square(c, r)]`"
    return None


def _is_index(
    elaborator: Elaborator, variable: nodes.Variable, index: nodes.Expr, place: int
) -> bool:
    hint, domain = None, variable.indices[place]
    if not _is_kind_of(index.type, domain):
        code = "E1104"
        if domain.values == elaborator.symbols.players and is_number(index.type):
            first = text_of(domain.values[0])
            hint = f"players are named: `{variable.name}[{first}]`, `{variable.name}[turn]`"
        elif isinstance(index.type, TupleType) and isinstance(domain.values[0], Square):
            hint = f"the square in column c and row r is `{variable.name}[square(c, r)]`"
        message = f"`{variable.name}` is indexed by `{domain}`; this is {describe(index.type)}"
    elif (
        index.known is not None
        and index.type != UNKNOWN
        and index.known is not NONE
        and index.known not in domain.digit
    ):
        code = "E1202"
        message, how = messages.no_cell(variable, place, index.known)
        hint = how if variable.missing else None
    else:
        return True
    declared = Label(variable.span, "declared here")
    elaborator.reporter.report(code, index.span, message, secondary=(declared,), hint=hint)
    return False


def _is_kind_of(kind: Type, domain: Domain) -> bool:
    return isinstance(kind, Scalar) and (
        kind.unknown
        or kind.kinds == {"none"}
        or can_be_equal(kind.without_none(), scalar_of(domain.values))
    )


def is_worked_out(variable: nodes.Variable, scope: Scope) -> bool:
    """Whether cells of a table are replaced by their values: in constants, and if all values are of
    one kind, so that every operation on the cell is allowed on the value."""
    return variable.is_constant and (scope.is_constant or len(cell_type(variable).kinds) == 1)


def initial_value(
    elaborator: Elaborator, span: Span, variable: nodes.Variable, number: int
) -> nodes.Const:
    """The value of a cell of a variable that is never assigned, by the number of the cell."""
    elaborator.symbols.looked_up.add(variable.name)
    digit = variable.initial[number]
    assert digit is not None
    value = variable.domain.values[digit]
    return nodes.Const(span, type_of(value), value)


def how_to_hold(elaborator: Elaborator, variable: nodes.Variable, value: Value) -> str | None:
    """A hint for a variable that cannot hold `empty` or `none`: the variable's own word for an
    empty cell, or a declaration that adds the value."""
    counterpart = NONE if value is EMPTY else EMPTY
    if value in {EMPTY, NONE} and counterpart in variable.domain.digit:
        return f"where it holds nothing it holds `{counterpart}`: write `{counterpart}`"
    declared = elaborator.symbols.variable_decls.get(variable.name)
    if declared is None or (value is not EMPTY and value is not NONE):
        return None
    before = elaborator.reporter.source.text[declared.name.span.start : declared.domain.span.start]
    domain = elaborator.text(declared.domain)
    return f"to let it hold that, declare `{before}{text_of(value)} | {domain}`"


def cell_type(variable: nodes.Variable) -> Scalar:
    """The type of a cell of a variable."""
    return scalar_of(variable.domain.values)
