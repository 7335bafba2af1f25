"""Elaborate the lines of `state:`: domains, cells, initial values, players who see secret cells.

A `VariableDecl` becomes a `Variable` with a digit for every cell (None: left to `setup`). Initial
values are constants, evaluated cell by cell.
"""

from __future__ import annotations

from collections.abc import Set

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.elaborate.declarations.declared_cells import (
    Cell,
    Cells,
    cell_scope,
    cells_of,
    in_order,
    names_in,
)
from gamedsl.model.elaborate.domains import domain_of
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.operations import as_collection
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import ListType, SetType
from gamedsl.model.values import EMPTY, NONE, Atom, Domain, Square, Value, text_of
from gamedsl.source import Severity, Span, nearest
from gamedsl.source.plurals import count
from gamedsl.syntax import ast


def elaborate_variable(elaborator: Elaborator, declared: ast.VariableDecl) -> nodes.Variable | None:
    """The variable; its cells are placed behind the cells of earlier variables."""
    cells = cells_of(elaborator, declared)
    if cells is None:
        return None
    offset = elaborator.symbols.cells
    elaborator.symbols.cells += len(cells.every)
    domains = _domains(elaborator, declared, cells)
    if domains is None:
        return None
    initial = _initial(elaborator, declared, cells, domains)
    viewers = _viewers(elaborator, declared, cells)
    if initial is None:
        return None
    domain = _together(domains)
    are_alike = all(cell_domain == domain for cell_domain in domains.values())
    cell_domains = None if are_alike else tuple(domains.get(cell, domain) for cell in cells.every)
    digits = tuple(
        0 if cell not in domains else None if value is None else domain.position(value)
        for cell, value in zip(cells.every, initial, strict=True)
    )
    return nodes.Variable(
        declared.name.text,
        declared.name.span,
        cells.indices,
        domain,
        offset,
        digits,
        viewers,
        cell_domains,
        frozenset(number for number, cell in enumerate(cells.every) if cell not in domains),
        declared.name.text not in elaborator.symbols.assigned
        and declared.initial is not None
        and declared.secret is None,
        None in digits and elaborator.symbols.setup_may_draw,
    )


def _domains(
    elaborator: Elaborator, declared: ast.VariableDecl, cells: Cells
) -> dict[Cell, Domain] | None:
    """The domain of each cell: a common domain, unless the domain names an index."""
    subject = f"`{declared.name.text}`"
    names = {index.name.text for index in declared.indices if index.name is not None}
    if not names & names_in(elaborator, declared.domain):
        domain = domain_of(elaborator, declared.domain, Scope(RuleContext.CONSTANT), subject)
        return None if domain is None else dict.fromkeys(cells.there, domain)
    domains: dict[Cell, Domain] = {}
    for cell in cells.there:
        domain = domain_of(elaborator, declared.domain, cell_scope(declared, cell), subject)
        if domain is None:
            return None
        domains[cell] = domain
    return domains


def _initial(
    elaborator: Elaborator, declared: ast.VariableDecl, cells: Cells, domains: dict[Cell, Domain]
) -> list[Value | None] | None:
    """The initial value of each cell; None for a cell that `setup:` sets or that is missing."""
    written = declared.initial
    if written is None or isinstance(written, ast.Always):
        return [None] * len(cells.every)
    if isinstance(written, ast.Diagram):
        return _diagram(elaborator, declared, written, cells, domains)
    values: list[Value | None] = []
    names = {index.name.text for index in declared.indices if index.name is not None}
    depends = bool(names & names_in(elaborator, written))
    constant = None
    for cell in cells.every:
        if cell not in domains:
            values.append(None)
            continue
        if constant is None or depends:
            constant = elaborator.constant(written, cell_scope(declared, cell))
        if constant is None:
            return None
        value, kind = constant.value, constant.type
        for number, (index, domain) in enumerate(zip(cell, cells.indices, strict=True), 1):
            if not isinstance(kind, ListType) or not isinstance(value, tuple):
                break
            if len(value) != len(domain):
                _report_length(elaborator, declared, number, len(value), domain)
                return None
            value, kind = value[domain.digit[index]], kind.element
        if domains[cell].position(value) is None:
            where = f" at {', '.join(text_of(index) for index in cell)}" if cell else ""
            is_left_out = value is EMPTY or value is NONE
            elaborator.reporter.report(
                "E1201",
                written.span,
                f"`{declared.name.text}` starts as {text_of(value)}{where},"
                f" its domain is `{domains[cell]}`",
                label="the initial value",
                hint=f"write `{text_of(value)} | {elaborator.text(declared.domain)}`"
                if is_left_out
                else None,
            )
            return None
        values.append(value)
    return values


def _report_length(
    elaborator: Elaborator, declared: ast.VariableDecl, number: int, length: int, domain: Domain
) -> None:
    """Report a list of initial values that are too few or too many for an index."""
    assert declared.initial is not None
    which = f"index {number}" if len(declared.indices) > 1 else "its index"
    elaborator.reporter.report(
        "E1201",
        declared.initial.span,
        f"`{declared.name.text}` starts as a list of {count(length, 'item')}; {which} has"
        f" {count(len(domain), 'value')}: `{domain}`",
        label="the initial values",
    )


def _viewers(
    elaborator: Elaborator, declared: ast.VariableDecl, cells: Cells
) -> tuple[frozenset[int], ...] | None:
    """The players who see each cell; None for a public variable: all players see all cells of a
    variable that is `secret to` a set."""
    if declared.secret is None:
        return None
    written, there = declared.secret.owner, set(cells.there)
    nobody = (frozenset[int](),) * len(cells.every)
    if written is None:
        return nobody
    if isinstance(written, ast.Logic | ast.Unary):
        elaborator.reporter.report(
            "E1101",
            written.span,
            "`secret to` needs a player, or a set of players, not a condition",
            hint="two players: `{p, next(p)}`; all players but p: `players - p`",
        )
        return nobody
    if _is_index_without_name(elaborator, declared, written):
        return nobody
    if (changing := _changing_name(elaborator, declared, written)) is not None:
        elaborator.reporter.report(
            "E1306",
            changing.span,
            f"`{changing.text}` changes during the game; the players who see a cell"
            " are known before it starts",
            hint="a variable for what each player sees:"
            " `seen[p in players, ...]: ... always ... if ... else ... secret to p`",
        )
        return nobody
    players = elaborator.symbols.players
    viewers: list[frozenset[int]] = []
    is_open = True
    for cell in cells.every:
        if cell not in there:
            viewers.append(frozenset())
            continue
        constant = elaborator.constant(written, cell_scope(declared, cell))
        if constant is None:
            return nobody
        several = isinstance(constant.type, SetType)
        seeing = as_collection(constant.value) if several else (constant.value,)
        if not set(seeing) <= set(players):
            elaborator.reporter.report(
                "E1101",
                written.span,
                "`secret to` needs a player, or a set of players; this is"
                f" {text_of(constant.value)}",
                hint="name the index: `card[p in players]: Card secret to p`",
            )
            return nobody
        viewers.append(frozenset(players.index(player) for player in seeing))
        is_open &= several and len(viewers[-1]) == len(players)
    _note_one_viewer(elaborator, declared, cells, viewers)
    return None if is_open else tuple(viewers)


def _is_index_without_name(
    elaborator: Elaborator, declared: ast.VariableDecl, written: ast.Expression
) -> bool:
    """Whether `secret to` is followed by an unknown letter, which means an index without a name;
    reported."""
    known = {index.name.text for index in declared.indices if index.name is not None}
    if not isinstance(written, ast.Name) or written.text in known:
        return False
    if len(written.text) > 1 or not written.text.islower():
        return False
    indices = [elaborator.text(index) for index in declared.indices]
    if "players" not in indices or elaborator.symbols.knows(written.text):
        return False
    indices[indices.index("players")] = f"{written.text} in players"
    elaborator.reporter.report(
        "E1001",
        written.span,
        f"unknown name `{written.text}`",
        hint=f"name the index: `{declared.name.text}[{', '.join(indices)}]`",
    )
    return True


def _changing_name(
    elaborator: Elaborator, declared: ast.VariableDecl, written: ast.Expression
) -> ast.Name | None:
    """The first other variable in an expression that changes during the game."""
    symbols = elaborator.symbols
    for node in ast.nodes_in(written):
        if isinstance(node, ast.Name) and node.text in symbols.variable_decls:
            variable = None if node.text == declared.name.text else symbols.find(node.text)
            if isinstance(variable, nodes.Variable) and not variable.is_constant:
                return node
    return None


def _note_one_viewer(
    elaborator: Elaborator,
    declared: ast.VariableDecl,
    cells: Cells,
    viewers: list[frozenset[int]],
) -> None:
    """Report a note if each player has cells and a single player sees all cells."""
    assert declared.secret is not None
    assert declared.secret.owner is not None
    players, name = elaborator.symbols.players, declared.name.text
    first = {cell[0] for cell in cells.there if cell}
    seen_by = {viewers[number] for number, cell in enumerate(cells.every) if cell in cells.there}
    if len(players) > 1 and first == {*players} and len(seen_by) == 1:
        (seeing,) = seen_by
        if len(seeing) != 1:
            return
        (player,) = seeing
        elaborator.reporter.report(
            "W1004",
            declared.secret.owner.span,
            f"`{name}` has a cell for each player, and {players[player]} alone sees them all",
            hint=f"each his own: `{name}[p in players]: ... secret to p`",
            severity=Severity.NOTE,
        )


def _diagram(
    elaborator: Elaborator,
    declared: ast.VariableDecl,
    diagram: ast.Diagram,
    cells: Cells,
    domains: dict[Cell, Domain],
) -> list[Value | None] | None:
    board, indices = elaborator.symbols.board, cells.indices
    squares = board.squares if board else ()
    if board is None or not board.is_grid or len(indices) != 1 or indices[0].values != squares:
        elaborator.reporter.report(
            "E1107",
            diagram.span,
            f"a diagram needs a board of squares, and `{declared.name.text}` indexed by `square`",
            hint=_WITHOUT_DIAGRAM if board is not None and not board.is_grid else None,
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
    domain = _together(domains)
    for row, tokens in zip(numbers, diagram.rows, strict=True):
        if not _read_row(elaborator, board, row, tokens, domain, digits):
            return None
    values = [domain.values[digits[cell[0]]] for cell in cells.every]
    for cell, value in zip(cells.every, values, strict=True):
        if domains[cell].position(value) is None:
            elaborator.reporter.report(
                "E1201",
                diagram.span,
                f"`{declared.name.text}` starts as {text_of(value)} at {text_of(cell[0])},"
                f" its domain is `{domains[cell]}`",
            )
            return None
    return list(values)


def _together(domains: dict[Cell, Domain]) -> Domain:
    """The values of all cells' domains together."""
    each = set(domains.values())
    if len(each) == 1:
        return next(iter(each))
    return Domain(in_order(value for domain in domains.values() for value in domain.values))


def _rows_drawn(board: Board, count: int) -> list[int] | None:
    """The rows of the board, from the top, that a diagram of `count` rows draws: all rows, or all
    rows with squares."""
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
    tokens = _apart(tokens, {board.width, len(on_row)}, domain)
    if len(tokens) == board.width:
        by_column = {square.column: square for square in on_row}
        places: list[Square | None] = [by_column.get(c) for c in range(1, board.width + 1)]
    elif len(tokens) == len(on_row):
        places = list(on_row)
    else:
        span = tokens[0].span.to(tokens[-1].span) if tokens else Span(0, 0)
        hint = None
        if len(on_row) < board.width:
            hint = f"draw {board.width} places, or {len(on_row)}: only the squares that exist"
        elif len(tokens) == 1 and len(tokens[0].text) > 1:
            hint = "put a blank between the places"
        elaborator.reporter.report(
            "E1107",
            span,
            f"this row has {count(len(tokens), 'place')}, the board is {board.width} wide",
            hint=hint,
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


def _apart(tokens: tuple[ast.Name, ...], lengths: Set[int], domain: Domain) -> tuple[ast.Name, ...]:
    """The places of a row written without blanks, if every sign is known; else the tokens. A value
    that fills a row of one square is a single place: `SW`."""
    if len(tokens) != 1 or len(tokens[0].text) not in lengths:
        return tokens
    start, text = tokens[0].span.start, tokens[0].text
    if 1 in lengths and _digits_meant(text, domain):
        return tokens
    if not all(_digits_meant(sign, domain) for sign in text):
        return tokens
    return tuple(ast.Name(Span(start + n, start + n + 1), sign) for n, sign in enumerate(text))


_WITHOUT_DIAGRAM = (
    "a graph has no rows: name the index and its points, as in "
    "`man[s in square]: empty | players = X if s in {a, b} else empty`"
)
_TRUE_SIGNS = frozenset({"x", "X"})
"""Signs for true in boards and diagrams; `.` is false."""


def _digits_meant(token: str, domain: Domain) -> list[int]:
    """The digits that a sign in a diagram may mean; a single digit if the sign is unambiguous."""
    if token == ".":
        return [domain.digit.get(EMPTY, 0)]
    texts = [text_of(value) for value in domain.values]
    if token in texts:
        return [texts.index(token)]
    if token in _TRUE_SIGNS and True in domain.digit and "true" in texts:
        return [texts.index("true")]
    return [
        number
        for number, value in enumerate(domain.values)
        if isinstance(value, Atom) and value.name.startswith(token) and len(token) == 1
    ]


def _report_place(
    elaborator: Elaborator, token: ast.Name, place: Square | None, domain: Domain, meant: list[int]
) -> None:
    """Report a sign that cannot be read, or a value at a place without a square."""
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
