"""Reading and writing variables: bit tests on planes, digits in chunks, guards where needed.

The positions of planes and chunks in words are known only to `layout`; this module uses their names
only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

from gamedsl.compiler.codes import domain_type
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import missing_cell, off_the_board, out_of_range
from gamedsl.compiler.ir.values import (
    FALSE,
    ZERO,
    all_of,
    any_of,
    guard,
    integer,
    lookup,
    not_,
    select,
    truth,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Digits, Place, Planes
from gamedsl.compiler.lowering.values import conditions, numbers, order
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.compiler.lowering.values.tables import LARGEST_TABLE, LARGEST_WORTH
from gamedsl.model import nodes
from gamedsl.model.messages import Said, no_cell
from gamedsl.model.semantics.safety import fits
from gamedsl.model.types import Scalar, meet
from gamedsl.model.values import NONE, Domain, Value
from gamedsl.source import Span


def _index(
    lowering: Lowering, node: nodes.Expr, variable: nodes.Variable, place: int, scope: Scope
) -> Low:
    """An index whose value lies in its domain or is `none`, guarded if necessary; `place` counts
    the indices from 0.
    """
    low, domain = lowering.lower(node, scope), variable.indices[place]

    def said(value: Value) -> Said:
        return no_cell(variable, place, value)

    index_type = domain_type(domain)
    if isinstance(low, Known):
        value = low.value
        if value is NONE or value in domain.digit:
            return low
        key = (variable.name, place, type(value), value)
        site = lowering.origin.site("E3002", node.span, lambda _, __: said(value), key)
        return Code(guard(FALSE, ZERO, site), index_type)
    kind = low.type
    if fits(kind, domain):
        return low

    def message(detail: int, _: int) -> tuple[str, str | None]:
        return said(lowering.codes.value(detail, kind))

    site = lowering.origin.site("E3002", node.span, message, (variable.name, place, kind))
    code = lowering.integer_of(low)
    inside = lowering.among(code, lowering.codes.of_domain(domain))
    if kind.can_be_none:
        inside = any_of([code.eq(lowering.codes.none), inside])
        index_type = replace(index_type, atoms=index_type.atoms | {NONE})
    return Code(guard(inside, code, site, code), index_type)


def digit_of(lowering: Lowering, low: Low, domain: Domain) -> Expr:
    """The digit of a value (not `none`) that lies in a domain."""
    if isinstance(low, Known):
        return integer(domain.digit[low.value])
    code, none = lowering.integer_of(low), lowering.codes.none
    digits = {value: digit for digit, value in enumerate(lowering.codes.of_domain(domain))}
    if none in digits and max(digits) - none >= LARGEST_WORTH:
        of_none = integer(digits.pop(none))  # `none` lies far below all other codes
        return select(code.eq(none), of_none, _looked_up(lowering, code, digits))
    return _looked_up(lowering, code, digits)


def _looked_up(lowering: Lowering, code: Expr, digits: Mapping[int, int]) -> Expr:
    """The digit of a code; `digits`: by code."""
    first, last = min(digits), max(digits)
    entries = tuple(digits.get(value, 0) for value in range(first, last + 1))
    if entries == tuple(range(entries[0], entries[0] + len(digits))):
        return lowering.offset(code, first - entries[0])
    return lookup(entries, lowering.offset(code, first))


def cell_index(
    lowering: Lowering, variable: nodes.Variable, indices: tuple[nodes.Expr, ...], scope: Scope
) -> tuple[list[Low], bool]:
    """The indices, or the first few, and whether some of them may be `none`."""
    lows = [_index(lowering, node, variable, place, scope) for place, node in enumerate(indices)]
    return lows, any(isinstance(low, Code) and low.type.can_be_none for low in lows)


def number_of(lowering: Lowering, variable: nodes.Variable, lows: Sequence[Low]) -> Expr:
    """The number of a cell within its variable; given only the first indices, the number of the
    first cell with these indices.
    """
    return _number_among(lowering, variable.indices, lows)


def _number_among(lowering: Lowering, indices: tuple[Domain, ...], lows: Sequence[Low]) -> Expr:
    number, known, stride = ZERO, 0, prod(map(len, indices))
    for low, domain in zip(lows, indices, strict=False):
        stride //= len(domain)
        term = digit_of(lowering, low, domain) * stride
        if term.is_const:
            known += term.const
        else:
            number = number + term
    return number + known


def square_at(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """The square of some indices, on a board that was an array; `none` where an index is `none`."""
    assert lowering.model.board is not None
    frame = lowering.model.board.frame
    lows = [lowering.lower(index, scope) for index in node.arguments]
    if any(isinstance(low, Known) and low.value is NONE for low in lows):
        return Known(NONE)

    kind, base = node.type, lowering.codes.code(lowering.codes.squares[0])
    assert isinstance(kind, Scalar)

    def square(held: Sequence[Low]) -> Low:
        number, none = _number_among(lowering, frame, held), integer(lowering.codes.none)
        return Code(select(_is_nowhere(lowering, held), none, number + base), kind)

    return order.worked_out(lowering, lows, square) if kind.can_be_none else square(lows)


def number_if_any(
    lowering: Lowering, variable: nodes.Variable, indices: tuple[nodes.Expr, ...], scope: Scope
) -> Expr:
    """The number of a cell within its variable, -1 where an index is `none`."""
    lows, _ = cell_index(lowering, variable, indices, scope)
    if any(isinstance(low, Known) and low.value is NONE for low in lows):
        return integer(-1)
    lows = [order.hold(lowering, low, "at") for low in lows]
    return select(_is_nowhere(lowering, lows), integer(-1), number_of(lowering, variable, lows))


def _is_nowhere(lowering: Lowering, lows: Sequence[Low]) -> Expr:
    """Whether an index is `none`."""
    return any_of(
        numbers.as_number(lowering, low).eq(lowering.codes.none)
        for low in lows
        if (low.value is NONE if isinstance(low, Known) else low.type.can_be_none)
    )


def read(lowering: Lowering, node: nodes.Cell, scope: Scope, left: Scalar | None = None) -> Low:
    """The value of a cell; `none` where an index is `none`. If a condition has narrowed the cell to
    the type `left`, the result for other values is arbitrary within the type.
    """
    variable = node.variable
    lows, doubtful = cell_index(lowering, variable, node.indices, scope)
    if any(isinstance(low, Known) and low.value is NONE for low in lows):
        if order.may_fail(lows):
            raise CannotCompileError("a cell whose indices are `none` or may fail", node.span)
        return Known(NONE)
    kind = node.type
    assert isinstance(kind, Scalar)
    if left is not None:
        none = kind.atoms & {NONE} if doubtful else frozenset()
        kind = meet(kind, replace(left, atoms=left.atoms | none))
    is_left = left is not None
    place = lowering.layout.place_of(variable)
    if not doubtful:
        return _read_at(lowering, node, place, number_of(lowering, variable, lows), kind, is_left)

    def read_or_none(held: Sequence[Low]) -> Low:
        number = number_of(lowering, variable, held)
        cell_value = _read_at(lowering, node, place, number, kind, is_left)
        none = integer(lowering.codes.none)
        return Code(
            select(_is_nowhere(lowering, held), none, numbers.as_number(lowering, cell_value)), kind
        )

    if len(lows) == 1:
        return read_or_none(lows)
    return order.worked_out(lowering, lows, read_or_none)


def _read_at(
    lowering: Lowering, node: nodes.Cell, place: Place, number: Expr, kind: Scalar, is_left: bool
) -> Low:
    number = _there(lowering, node, number)
    if isinstance(place, Planes):
        return _read_planes(lowering, place, number, kind, is_left)
    digit = digit_at(lowering, place, number)
    if place.unset is not None:
        message = f"`{node.variable.name}` is read before it is set"
        site = lowering.origin.site("E3008", node.span, lambda _, __: (message, None), (message,))
        digit = guard(digit.ne(place.unset), digit, site)
    return of_digit(lowering, digit, node.variable.domain, kind, is_left)


def _there(lowering: Lowering, node: nodes.Cell, number: Expr) -> Expr:
    """The number of a cell, guarded where the declaration excludes some cells."""
    variable = node.variable
    if not variable.missing or not node.indices:
        return number
    site = _missing_site(lowering, variable, node.indices[0].span.to(node.indices[-1].span))
    return guard(is_there(variable, number), number, site, number)


def _missing_site(lowering: Lowering, variable: nodes.Variable, span: Span) -> int:
    def message(cell: int, _: int) -> tuple[str, str | None]:
        return missing_cell(variable, cell)

    return lowering.origin.site("E3002", span, message, (variable.name, "missing"))


def is_there(variable: nodes.Variable, number: Expr) -> Expr:
    """Whether a cell, by its number, is declared."""
    return _holds_for([n not in variable.missing for n in range(variable.size)], number)


def _holds_for(answers: list[bool], number: Expr) -> Expr:
    """Whether the answer for a number is true."""
    if len(answers) > LARGEST_TABLE:
        raise CannotCompileError("domains of this many cells")
    if number.is_const:
        return truth(answers[number.const])
    return lookup(tuple(map(int, answers)), number).ne(0)


def of_digit(
    lowering: Lowering, digit: Expr, domain: Domain, kind: Scalar, is_left: bool = False
) -> Code:
    """The value of a digit; with `is_left`, restricted to the type `kind`."""
    codes, cell_type = lowering.codes.of_domain(domain), domain_type(domain)
    if is_left:
        codes, cell_type = tuple(lowering.codes.code(kind.settled(v)) for v in domain.values), kind
    if cell_type.is_boolean and not kind.can_be_none:
        return Code(digit.eq(domain.digit[True]) if True in domain.values else FALSE, cell_type)
    kind = kind if kind.can_be_none else cell_type
    if _are_consecutive(codes):
        return Code(digit + codes[0], kind)
    return Code(lookup(codes, digit), kind)


def digit_at(lowering: Lowering, place: Digits, number: Expr) -> Expr:
    """The digit in a cell."""
    if place.variable.size == 1 and not number.can_fail:
        return lowering.field(place.names[0])
    word = _from_chunk(lowering, place, len(place.names) - 1, number)
    for chunk in range(len(place.names) - 2, -1, -1):
        is_here = number.lt((chunk + 1) * place.per_chunk)
        word = select(is_here, _from_chunk(lowering, place, chunk, number), word)
    return word & ((1 << place.bits) - 1)


def _from_chunk(lowering: Lowering, place: Digits, chunk: int, number: Expr) -> Expr:
    """A word whose lowest bits are the digit of a cell, if the cell lies in the chunk."""
    at = lowering.offset(number, chunk * place.per_chunk) * place.bits
    return lowering.field(place.names[chunk]) >> at


def _read_planes(
    lowering: Lowering, place: Planes, number: Expr, kind: Scalar, is_left: bool
) -> Low:
    domain = place.variable.domain
    default = domain.values[place.default]
    if not place.names:
        return Known(default)
    cell_type = kind if kind.can_be_none or is_left else domain_type(domain)
    if cell_type.is_boolean:
        digit = domain.position(default is not True)  # the other truth value, if there is one
        test = FALSE if digit is None else bit(lowering, plane(lowering, place, digit), number)
        return numbers.answer(not_(test) if default is True else test)
    code = integer(lowering.codes.code(kind.settled(default) if is_left else default))
    for digit, title in reversed(place.names):
        if is_left and not kind.admits(domain.values[digit]):
            continue
        held = integer(lowering.codes.code(domain.values[digit]))
        code = select(bit(lowering, lowering.field(title), number), held, code)
    return Code(code, cell_type)


def bit(lowering: Lowering, plane: Expr, number: Expr) -> Expr:
    """Whether a square, by its number, is in a set; false for the constant `none`."""
    if number.is_const and number.const < 0:
        return FALSE
    if number.is_const:
        return (plane & lowering.sets.constant(1 << number.const)).ne(0)
    return ((plane >> number) & 1).ne(0)


def is_cell(lowering: Lowering, node: nodes.Cell, value: Value, scope: Scope) -> Expr | None:
    """Whether `cell == value`: one bit of a plane; None if the variable has no planes."""
    place = lowering.layout.place_of(node.variable)
    if not isinstance(place, Planes) or value is NONE:
        return None
    digit = place.variable.domain.position(value)
    if digit is None:
        return None
    lows, _ = cell_index(lowering, node.variable, node.indices, scope)
    if any(isinstance(low, Known) and low.value is NONE for low in lows):
        return FALSE
    test = bit(lowering, plane(lowering, place, digit), number_of(lowering, node.variable, lows))
    return all_of([not_(_is_nowhere(lowering, lows)), test])


def plane(lowering: Lowering, place: Planes, digit: int) -> Expr:
    """The set of squares that hold a digit."""
    title = place.name_of(digit)
    if title is not None:
        return lowering.field(title)
    taken = lowering.sets.constant(0)
    for _, plane_title in place.names:
        taken = taken | lowering.field(plane_title)
    return lowering.sets.constant((1 << place.variable.size) - 1) & ~taken


def write(lowering: Lowering, place: nodes.Place, node: nodes.Expr, scope: Scope, at: Span) -> None:
    """`variable[indices] = value`, in the order of the language: place, value, guards."""
    lows = written_cell(lowering, place, scope)
    value = order.hold(lowering, lowering.lower(node, scope), "value")
    store(lowering, place.variable, lows, value, at)


def written_cell(lowering: Lowering, place: nodes.Place, scope: Scope) -> list[Low]:
    """The indices of a cell, evaluated now and guarded against an undeclared cell."""
    variable, indices = place.variable, place.indices
    lows, _ = cell_index(lowering, variable, indices, scope)
    held = [order.hold(lowering, low, "at") for low in lows]
    if not variable.missing or any(isinstance(low, Known) and low.value is NONE for low in held):
        return held
    number = order.held(lowering, number_of(lowering, variable, held), "cell")
    site = _missing_site(lowering, variable, indices[0].span.to(indices[-1].span))
    may_write = any_of([_is_nowhere(lowering, held), is_there(variable, number)])
    with lowering.builder.when(not_(may_write)):
        lowering.builder.fault(site, number)
    return held


def store(
    lowering: Lowering, variable: nodes.Variable, lows: Sequence[Low], value: Low, at: Span
) -> None:
    """Put a value into a written cell, guarded unless proved to fit; the value is already held."""
    _only_on_the_board(lowering, variable, lows, at)
    if any(isinstance(low, Known) and low.value is NONE for low in lows):
        return
    number = number_of(lowering, variable, lows)
    value = _in_domain(lowering, variable, number, value, at)
    _in_own_domain(lowering, variable, number, value, at)
    place = lowering.layout.place_of(variable)
    if isinstance(value, Known) and variable.domain.position(value.value) is None:
        return
    if isinstance(place, Planes):
        store_planes(lowering, place, lowering.sets.constant(1) << number, value)
    else:
        _store_digit(lowering, place, number, digit_of(lowering, value, variable.domain))


def _in_own_domain(
    lowering: Lowering, variable: nodes.Variable, number: Expr, value: Low, at: Span
) -> None:
    """A guard against a value allowed in other cells of the variable but not in this cell."""
    domain = variable.domain
    if variable.domains is None or (isinstance(value, Known) and value.value not in domain.digit):
        return
    kind = value.type if isinstance(value, Code) else domain_type(domain)
    allowed = [
        held in cell_domain.digit for cell_domain in variable.domains for held in domain.values
    ]

    def message(detail: int, cell: int) -> tuple[str, str | None]:
        held = value.value if isinstance(value, Known) else lowering.codes.value(detail, kind)
        return out_of_range(variable, cell, held)

    known = (type(value.value), value.value) if isinstance(value, Known) else kind
    site = lowering.origin.site("E3001", at, message, (variable.name, "own", known))
    digit = digit_of(lowering, value, domain)
    fits_there = _holds_for(allowed, number * len(domain) + digit)
    with lowering.builder.when(not_(fits_there)):
        lowering.builder.fault(site, numbers.as_number(lowering, value), number)


def _only_on_the_board(
    lowering: Lowering, variable: nodes.Variable, lows: Sequence[Low], at: Span
) -> None:
    nowhere = _is_nowhere(lowering, lows)
    if nowhere is FALSE:
        return
    site = lowering.origin.site(
        "E3002", at, lambda _, __: off_the_board(variable), (variable.name,)
    )
    conditions.branch(lowering, nowhere, lambda: lowering.builder.fault(site))


def _in_domain(
    lowering: Lowering, variable: nodes.Variable, number: Expr, value: Low, at: Span
) -> Low:
    domain = variable.domain
    if isinstance(value, Known):
        known = value.value
        if domain.position(known) is None:
            key = (variable.name, type(known), known)
            site = lowering.origin.site(
                "E3001", at, lambda _, cell: out_of_range(variable, cell, known), key
            )
            lowering.builder.fault(site, 0, number)
        return value
    if value.per != 1:
        raise CannotCompileError("a fraction that is stored", at)
    kind = value.type
    if fits(kind, domain) and not (kind.can_be_none and domain.position(NONE) is None):
        return value

    def message(detail: int, cell: int) -> tuple[str, str | None]:
        return out_of_range(variable, cell, lowering.codes.value(detail, kind))

    site = lowering.origin.site("E3001", at, message, (variable.name, kind))
    code = lowering.integer_of(value)
    with lowering.builder.when(not_(lowering.among(code, lowering.codes.of_domain(domain)))):
        lowering.builder.fault(site, code, number)
    return numbers.coded(value.expr, domain_type(domain))


def store_planes(lowering: Lowering, place: Planes, squares: Expr, value: Low) -> None:
    """Put a value on all squares of a set."""
    squares = order.held(lowering, squares, "bit")
    values = place.variable.domain.values
    for digit, title in place.names:
        field, held = lowering.field(title), Known(values[digit])
        test = lowering.value(conditions.equal_lowered(lowering, value, held))
        lowering.builder.assign(field, select(test, field | squares, field & ~squares))


def _store_digit(lowering: Lowering, place: Digits, number: Expr, digit: Expr) -> None:
    """Put a digit into a cell, in the cell's chunk."""
    if place.variable.size == 1:
        lowering.builder.assign(lowering.field(place.names[0]), digit)
        return
    if len(place.names) > 1:
        number, digit = (
            order.held(lowering, expression, stem)
            for expression, stem in ((number, "cell"), (digit, "digit"))
        )
    for chunk, title in enumerate(place.names):
        at = lowering.offset(number, chunk * place.per_chunk)
        tests = [at.ge(0)] if chunk else []
        tests += [at.lt(place.per_chunk)] if chunk + 1 < len(place.names) else []
        conditions.branch(
            lowering, all_of(tests), partial(_store_in_chunk, lowering, place, title, at, digit)
        )


def _store_in_chunk(lowering: Lowering, place: Digits, title: str, at: Expr, digit: Expr) -> None:
    field, shift, mask = lowering.field(title), at * place.bits, integer((1 << place.bits) - 1)
    lowering.builder.assign(field, (field & ~(mask << shift)) | (digit << shift))


def _are_consecutive(codes: tuple[int, ...]) -> bool:
    return codes == tuple(range(codes[0], codes[0] + len(codes)))
