"""Elaborate the lines of `state:`: domains, cells, initial values, who sees them.

In: a `VariableDecl`. Out: a `Variable` with a digit for every cell (None: left to `setup`), or
diagnostics. Initial values are constants, worked out here cell by cell.
"""

from __future__ import annotations

from itertools import product

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.elaborate.domains import domain_of
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.limits import MOST_CELLS
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import type_of
from gamedsl.model.values import EMPTY, NONE, Atom, Domain, Square, Value, text_of
from gamedsl.source import Span, nearest
from gamedsl.syntax import ast


def elaborate_variable(elaborator: Elaborator, declared: ast.VariableDecl) -> nodes.Variable | None:
    """The variable, its cells placed after those already placed."""
    scope = Scope(RuleContext.CONSTANT)
    name = declared.name.text
    indices: list[Domain] = []
    for number, index in enumerate(declared.indices, 1):
        if index.name is not None:
            elaborator.check_free(index.name, scope)
        found = domain_of(elaborator, index.domain, scope, f"index {number} of `{name}`", 1)
        if found is None:
            return None
        indices.append(found)
    domain = domain_of(elaborator, declared.domain, scope, f"`{name}`")
    if domain is None:
        return None
    size = 1
    for index_domain in indices:
        size *= len(index_domain)
    if elaborator.symbols.cells + size > MOST_CELLS:
        elaborator.reporter.report(
            "E1203", declared.span, f"the state has more than {MOST_CELLS:,} cells"
        )
        return None
    offset = elaborator.symbols.cells
    elaborator.symbols.cells += size
    cells = list(product(*(index_domain.values for index_domain in indices)))
    initial = _initial(elaborator, declared, indices, domain, cells)
    owners = _owners(elaborator, declared, cells)
    if initial is None:
        return None
    return nodes.Variable(name, declared.name.span, tuple(indices), domain, offset, initial, owners)


def _cell_scope(declared: ast.VariableDecl, cell: tuple[Value, ...]) -> Scope:
    scope = Scope(RuleContext.CONSTANT)
    for index, value in zip(declared.indices, cell, strict=True):
        if index.name is not None:
            meaning = nodes.Const(index.name.span, type_of(value), value)
            scope = scope.having(index.name.text, meaning)
    return scope


def _initial(
    elaborator: Elaborator,
    declared: ast.VariableDecl,
    indices: list[Domain],
    domain: Domain,
    cells: list[tuple[Value, ...]],
) -> tuple[int | None, ...] | None:
    written = declared.initial
    if written is None:
        return (None,) * len(cells)
    if isinstance(written, ast.Diagram):
        return _diagram(elaborator, declared, written, indices, domain, cells)
    digits: list[int | None] = []
    for cell in cells:
        found = elaborator.constant(written, _cell_scope(declared, cell))
        if found is None:
            return None
        digit = domain.position(found.value)
        if digit is None:
            where = f" at {', '.join(text_of(value) for value in cell)}" if cell else ""
            elaborator.reporter.report(
                "E1201",
                written.span,
                f"`{declared.name.text}` starts as {text_of(found.value)}{where},"
                f" its domain is `{domain}`",
                label="the initial value",
                hint=_initial_hint(elaborator, declared, found.value),
            )
            return None
        digits.append(digit)
    return tuple(digits)


def _initial_hint(elaborator: Elaborator, declared: ast.VariableDecl, value: Value) -> str | None:
    """What may be meant by an initial value that is not in the domain."""
    text = elaborator.text
    if value is EMPTY or value is NONE:
        return f"write `{text_of(value)} | {text(declared.domain)}`"
    if isinstance(value, tuple) and len(declared.indices) == 1 and declared.initial is not None:
        index = text(declared.indices[0].domain)
        name, domain = declared.name.text, text(declared.domain)
        values = text(declared.initial)
        return f"a value for each cell: `{name}[i in {index}]: {domain} = {values}[i]`"
    return None


def _owners(
    elaborator: Elaborator, declared: ast.VariableDecl, cells: list[tuple[Value, ...]]
) -> tuple[int | None, ...] | None:
    if declared.secret is None:
        return None
    owner = declared.secret.owner
    if owner is None:
        return (None,) * len(cells)
    owners: list[int | None] = []
    for cell in cells:
        found = elaborator.constant(owner, _cell_scope(declared, cell))
        if found is None:
            return (None,) * len(cells)
        if found.value not in elaborator.symbols.players:
            elaborator.reporter.report(
                "E1101",
                owner.span,
                f"`secret to` needs a player; this is {text_of(found.value)}",
                hint="name the index: `card[p in players]: Card secret to p`",
            )
            return (None,) * len(cells)
        owners.append(elaborator.symbols.players.index(found.value))
    return tuple(owners)


def _diagram(
    elaborator: Elaborator,
    declared: ast.VariableDecl,
    diagram: ast.Diagram,
    indices: list[Domain],
    domain: Domain,
    cells: list[tuple[Value, ...]],
) -> tuple[int | None, ...] | None:
    board = elaborator.symbols.board
    squares = board.squares if board else ()
    if board is None or not board.is_grid or len(indices) != 1 or indices[0].values != squares:
        elaborator.reporter.report(
            "E1107",
            diagram.span,
            f"a diagram needs a board of squares, and `{declared.name.text}` indexed by `square`",
        )
        return None
    numbers = _rows_drawn(board, len(diagram.rows))
    if numbers is None:
        elaborator.reporter.report(
            "E1107",
            diagram.span,
            f"the diagram has {len(diagram.rows)} rows, the board is {board.height} high",
        )
        return None
    digits: dict[Value, int] = {}
    for row, tokens in zip(numbers, diagram.rows, strict=True):
        if not _read_row(elaborator, board, row, tokens, domain, digits):
            return None
    return tuple(digits[cell[0]] for cell in cells)


def _rows_drawn(board: Board, count: int) -> list[int] | None:
    """The rows of the board that so many rows of a diagram stand for, from the top: all, or all
    that have squares."""
    every = list(range(board.height, 0, -1))
    inhabited = {square.row for square in board.squares}
    with_squares = [row for row in every if row in inhabited]
    return next((rows for rows in (every, with_squares) if len(rows) == count), None)


def _read_row(
    elaborator: Elaborator,
    board: Board,
    row: int,
    tokens: tuple[ast.Name, ...],
    domain: Domain,
    digits: dict[Value, int],
) -> bool:
    on_row = [square for square in board.squares if square.row == row]
    if len(tokens) == board.width:
        by_column = {square.column: square for square in on_row}
        places: list[Square | None] = [by_column.get(c) for c in range(1, board.width + 1)]
    elif len(tokens) == len(on_row):
        places = list(on_row)
    else:
        span = tokens[0].span.to(tokens[-1].span) if tokens else Span(0, 0)
        hint = f"draw {board.width} places, or {len(on_row)}: only the squares that exist"
        elaborator.reporter.report(
            "E1107",
            span,
            f"this row has {len(tokens)} places, the board is {board.width} wide",
            hint=hint if len(on_row) < board.width else None,
        )
        return False
    for token, place in zip(tokens, places, strict=True):
        meant = _digits_meant(token.text, domain)
        if place is not None and len(meant) == 1:
            digits[place] = meant[0]
        elif place is not None or (meant and token.text != "."):
            _report_place(elaborator, token, place, domain, meant)
            return False
    return True


def _digits_meant(token: str, domain: Domain) -> list[int]:
    """The values that a place of a diagram may stand for: one, if it can be read."""
    if token == ".":
        return [domain.digit.get(EMPTY, 0)]
    texts = [text_of(value) for value in domain.values]
    if token in texts:
        return [texts.index(token)]
    return [
        number
        for number, value in enumerate(domain.values)
        if isinstance(value, Atom) and value.name.startswith(token) and len(token) == 1
    ]


def _report_place(
    elaborator: Elaborator, token: ast.Name, place: Square | None, domain: Domain, meant: list[int]
) -> None:
    """A place that cannot be read, or holds a value where there is no square."""
    texts = [text_of(value) for value in domain.values]
    if place is None:
        message = f"there is no square here for `{token.text}`"
        hint: str | None = "draw it as `.`, or as a sign that is no value, such as `-`"
    elif meant:
        values = " or ".join(f"`{texts[digit]}`" for digit in meant)
        message = f"`{token.text}` may stand for {values}"
        hint = "write the value in full"
    else:
        message = f"`{token.text}` stands for no value of `{domain}`"
        near = nearest(token.text, texts)
        hint = f"did you mean `{near}`?" if near else None
    elaborator.reporter.report("E1107", token.span, message, hint=hint)
