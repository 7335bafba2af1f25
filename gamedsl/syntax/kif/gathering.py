"""Loops in place of assignments that differ in constants alone.

In: the statements of a move, in the order of the new values. Out: the statements, with
`for i in 1..3: cell[i] = cell[i + 1]` in place of `cell[1] = cell[2]`, `cell[2] = cell[3]` and
`cell[3] = cell[4]`. Assignments in a row take place at once if no assignment reads a
cell assigned before; the order of such assignments may change as long as no assignment reads a cell
assigned before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product

from gamedsl.syntax import ast
from gamedsl.syntax.kif.ground import components
from gamedsl.syntax.kif.quantifiers import Quantifying, Row
from gamedsl.syntax.kif.rules import order
from gamedsl.syntax.kif.shifting import shifted

FEWEST = 3
"""Fewest assignments that a loop replaces."""
Unit = tuple[Sequence[str], ast.Statement]
"""Cells, as written, and the statement that assigns them."""


class Gathering:
    """Writes loops.

    Attributes:
        read: the cells that a call of a definition reads, by the call as written.
    """

    def __init__(self, quantifying: Quantifying, read: Mapping[str, frozenset[str]]) -> None:
        self.quantifying = quantifying
        self.read = read
        self._known: dict[int, tuple[ast.Node, frozenset[str] | None]] = {}

    def block(self, statements: ast.Block) -> ast.Block:
        """The statements with loops."""
        return tuple(self._gathered(statements))

    def _gathered(self, statements: ast.Block) -> Iterator[ast.Statement]:
        run: dict[str, ast.Assign] = {}
        reads: dict[str, frozenset[str]] = {}
        for statement in statements:
            told = self._told(statement)
            if told is None or any(not cells.isdisjoint(run) for _, cells in told.values()):
                yield from self._ordered(run, reads)
                run, reads = {}, {}
            if told is None:
                if isinstance(statement, ast.If):
                    branches = tuple(
                        (test, self.block(block)) for test, block in statement.branches
                    )
                    otherwise = statement.otherwise and self.block(statement.otherwise)
                    statement = ast.If(statement.span, branches, otherwise)
                yield statement
                continue
            for cell, (assignment, cells) in told.items():
                run[cell], reads[cell] = assignment, cells - {cell}
        yield from self._ordered(run, reads)

    def _told(
        self, statement: ast.Statement
    ) -> dict[str, tuple[ast.Assign, frozenset[str]]] | None:
        """The assignments of a statement by cell, with the cells that are read; None where
        the text does not tell the cells."""
        if isinstance(statement, ast.AssignAll):
            pairs = [*zip(statement.targets, statement.values, strict=True)]
        elif isinstance(statement, ast.Assign) and statement.operator == "=":
            pairs = [(statement.target, statement.value)]
        else:
            return None
        told = {}
        for target, value in pairs:
            cells = self.cells(value)
            if cells is None or self.cells(target) is None:
                return None
            told[place_text(target)] = ast.Assign(target.span, target, "=", value), cells
        return told

    def cells(self, expression: ast.Node) -> frozenset[str] | None:
        """The cells that a part reads; None if a cell is not named by constants."""
        known = self._known.get(id(expression))
        if known is None:
            known = self._known[id(expression)] = expression, self._cells(expression)
        return known[1]

    def _cells(self, expression: ast.Node) -> frozenset[str] | None:
        """The cells in a part; None if a cell is not named by constants."""
        cells: set[str] = set()
        for node in ast.nodes_in(expression, is_once=True):
            place = place_text(node)
            if place in self.read:
                cells |= self.read[place]
            elif isinstance(node, ast.Call):
                return None
            elif isinstance(node, ast.Index):
                if not all(map(self.quantifying.is_constant, node.indices)):
                    return None
                cells.add(place)
            elif isinstance(node, ast.Name):
                cells.add(place)
        return frozenset(cells)

    def _ordered(
        self, run: Mapping[str, ast.Assign], reads: Mapping[str, frozenset[str]]
    ) -> Iterator[ast.Statement]:
        """Assignments that take place at once, as loops and assignments in a row."""
        if not run:
            return
        told = self._told_apart(run, reads)
        units = [*self._units(told, reads)]
        while units:
            wanted = [frozenset().union(*(reads[cell] for cell in cells)) for cells, _ in units]
            done = _in_turn(units, wanted)
            for number in done:
                yield units[number][1]
            left = (unit for number, unit in enumerate(units) if number not in done)
            units = [told[cell] for cell in _firsts(left, told)]

    def _told_apart(
        self, run: Mapping[str, ast.Assign], reads: Mapping[str, frozenset[str]]
    ) -> dict[str, Unit]:
        """The assignments by their first cells; cells that need each other are assigned at once."""
        units: dict[str, Unit] = {}
        places = {cell: place for place, cell in enumerate(run)}
        for cells in components({cell: [*(reads[cell] & run.keys())] for cell in run}):
            cells = sorted(cells, key=places.__getitem__)
            first = run[cells[0]]
            targets = tuple(run[cell].target for cell in cells)
            values = tuple(run[cell].value for cell in cells)
            together = ast.AssignAll(first.span, targets, values)
            units[cells[0]] = cells, first if len(cells) == 1 else together
        return {cell: units[cell] for cell in run if cell in units}

    def _units(
        self, told: Mapping[str, Unit], reads: Mapping[str, frozenset[str]]
    ) -> Iterator[Unit]:
        """The assignments in groups: a loop each, or single assignments."""
        groups: dict[object, list[str]] = {}
        for cell, (_, statement) in told.items():
            groups.setdefault(self.quantifying.shape(statement), []).append(cell)
        for group in groups.values():
            if len(group) < FEWEST:
                yield from (told[cell] for cell in group)
                continue
            units = [told[cell] for cell in group]
            rows, bases, pieces = self.quantifying.pieces([statement for _, statement in units])
            by_statement = {id(unit[1]): unit for unit in units}
            by_row = {row: by_statement[id(statement)] for row, statement in rows.items()}
            for whole in pieces:
                for piece in self._safe(whole, bases, by_row, reads):
                    ordered = [by_row[row] for row in self._in_order_of_loops(piece, bases)]
                    if len(piece) < FEWEST:
                        yield from ordered
                    else:
                        cells = [cell for cells, _ in ordered for cell in cells]
                        yield cells, self._loop(rows[piece[0]], piece, bases)

    def _safe(
        self,
        whole: list[Row],
        bases: Sequence[int],
        units: Mapping[Row, Unit],
        reads: Mapping[str, frozenset[str]],
    ) -> list[list[Row]]:
        """A product of values in few pieces, each a product, in whose loops no cell is read after
        the cell's assignment."""

        def is_safe(piece: list[Row]) -> bool:
            in_order = enumerate(self._in_order_of_loops(piece, bases))
            before = {cell: number for number, row in in_order for cell in units[row][0]}
            return all(
                before.get(read, number) >= number
                for cell, number in before.items()
                for read in reads[cell]
            )

        if is_safe(whole):
            return [whole]
        splits: list[list[list[Row]]] = []
        for base in bases:
            parts: dict[object, list[Row]] = {}
            for row in whole:
                parts.setdefault(row[base], []).append(row)
            splits.append([*parts.values()])
        safe = (parts for parts in sorted(splits, key=len) if all(map(is_safe, parts)))
        return next(safe, [[row] for row in whole])

    def _in_order_of_loops(self, rows: Iterable[Row], bases: Sequence[int]) -> list[Row]:
        """A product of values in the order in which nested loops meet them."""
        players = self.quantifying.players
        by_key = {tuple(row[base] for base in bases): row for row in rows}
        columns = [[*dict.fromkeys(column)] for column in zip(*by_key, strict=True)]
        for column in columns:
            if all(isinstance(value, int) for value in column):
                column.sort(key=int)
            elif set(column) == set(players):
                column[:] = players
            else:
                column.sort(key=lambda value: order(str(value)))
        return [by_key[key] for key in product(*columns)]

    def _loop(
        self, model: ast.Statement, rows: Sequence[Row], bases: Sequence[int]
    ) -> ast.Statement:
        assignment, _, clauses = self.quantifying.generalized(model, rows, bases)
        held = ast.Quantifier(model.span, ast.Name(model.span, "all"), assignment, clauses)  # type: ignore[arg-type]
        begun: ast.Quantifier = shifted(held)  # type: ignore[assignment]
        statement: ast.Statement = begun.element  # type: ignore[assignment]
        for clause in reversed(begun.clauses):
            name, domain = clause.name, clause.domain
            statement = ast.For(model.span, name, domain, None, None, (statement,))
        return statement


def _firsts(units: Iterable[Unit], told: Mapping[str, Unit]) -> list[str]:
    """The first cells of the assignments in units."""
    return [cell for cells, _ in units for cell in cells if cell in told]


def _in_turn(units: Sequence[Unit], wanted: Sequence[frozenset[str]]) -> dict[int, None]:
    """The numbers of units in an order in which no unit reads a cell assigned before; units that
    need each other are left out."""
    owners = {cell: number for number, (cells, _) in enumerate(units) for cell in cells}
    reads = [
        {owners[cell] for cell in cells if cell in owners} - {number}
        for number, cells in enumerate(wanted)
    ]
    readers = [0] * len(units)
    for number in chain.from_iterable(reads):
        readers[number] += 1
    done: dict[int, None] = {}
    ready = [number for number, count in enumerate(readers) if not count]
    while ready:
        done.update(dict.fromkeys(ready))
        free: list[int] = []
        for number in chain.from_iterable(reads[number] for number in ready):
            readers[number] -= 1
            if not readers[number]:
                free.append(number)
        ready = sorted(free)
    return done


def place_text(node: ast.Node) -> str:
    """A cell, or a call of a `def`, with constants, as written; "" for all other expressions."""
    match node:
        case ast.Name():
            return node.text
        case ast.Index(base=ast.Name() as base):
            return f"{base.text}[{', '.join(map(word, node.indices))}]"
        case ast.Call():
            return f"{node.function.text}({', '.join(map(word, node.arguments))})"
    return ""


def word(expression: ast.Expression) -> str:
    """A constant as written."""
    return (
        expression.text
        if isinstance(expression, ast.Name)
        else str(getattr(expression, "value", expression))
    )
