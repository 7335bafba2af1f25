"""Enumerate the cells of a variable: combinations of the indices that domains and `where` allow.

The domain of an index may name the indices before it; the `where` of an index may name the index as
well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from gamedsl.model import nodes
from gamedsl.model.elaborate.domains import domain_of
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.limits import MOST_CELLS
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import type_of
from gamedsl.model.values import Domain, Value, unique
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

Cell = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a variable by their indices, in order: `every` combination of indices, and the
    combinations that the state has (`there`)."""

    indices: tuple[Domain, ...]
    every: tuple[Cell, ...]
    there: tuple[Cell, ...]


def cells_of(elaborator: Elaborator, declared: ast.VariableDecl) -> Cells | None:
    """The cells; None after a reported error."""
    there: list[Cell] = [()]
    indices: list[Domain] = []
    for number, index in enumerate(declared.indices, 1):
        if index.name is not None:
            elaborator.check_free(index.name, Scope(RuleContext.CONSTANT))
        subject = f"index {number} of `{declared.name.text}`"
        extended = _with_index(elaborator, declared, number - 1, there, subject)
        if extended is None:
            return None
        domain, there = extended
        if not there:
            elaborator.reporter.report("E1203", index.span, f"the set for {subject} is empty")
            return None
        indices.append(domain)
        size = 1
        for index_domain in indices:
            size *= len(index_domain)
        if elaborator.symbols.cells + size > MOST_CELLS:
            _too_many(elaborator, declared)
            return None
    if elaborator.symbols.cells + 1 > MOST_CELLS:
        _too_many(elaborator, declared)
        return None
    every = tuple(product(*(domain.values for domain in indices)))
    if len(there) == len(every):
        return Cells(tuple(indices), every, every)
    known = set(there)
    return Cells(tuple(indices), every, tuple(cell for cell in every if cell in known))


def _too_many(elaborator: Elaborator, declared: ast.VariableDecl) -> None:
    message = f"the state has more than {MOST_CELLS:,} cells"
    elaborator.reporter.report("E1203", declared.span, message)


def cell_scope(declared: ast.VariableDecl, cell: Cell) -> Scope:
    """The names of the indices, bound to the values of a cell or of the first part of a cell."""
    scope = Scope(RuleContext.CONSTANT)
    for index, value in zip(declared.indices, cell, strict=False):
        if index.name is not None:
            meaning = nodes.Const(index.name.span, type_of(value), value)
            scope = scope.having(index.name.text, meaning)
    return scope


def names_in(elaborator: Elaborator, written: ast.Expression) -> set[str]:
    """The words of an expression."""
    return set(re.findall(r"[^\W\d]\w*", elaborator.text(written)))


def in_order(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values without duplicates: numbers in ascending order, then the rest in order of
    occurrence."""
    distinct = unique(values)
    numbers = [v for v in distinct if isinstance(v, int) and not isinstance(v, bool)]
    return (*sorted(numbers), *(v for v in distinct if v not in numbers))


def _with_index(
    elaborator: Elaborator,
    declared: ast.VariableDecl,
    number: int,
    before: list[Cell],
    subject: str,
) -> tuple[Domain, list[Cell]] | None:
    """The values of index `number`, and the cells up to and including the index."""
    index = declared.indices[number]
    names = {earlier.name.text for earlier in declared.indices[:number] if earlier.name is not None}
    is_fixed = not names & names_in(elaborator, index.domain)
    fixed: Domain | None = None
    if is_fixed:
        fixed = domain_of(elaborator, index.domain, Scope(RuleContext.CONSTANT), subject, 1)
        if fixed is None:
            return None
    cells: list[Cell] = []
    for cell in before:
        values = fixed.values if fixed is not None else _values(elaborator, declared, cell, subject)
        if values is None:
            return None
        if len(cells) + len(values) > MOST_CELLS:
            _too_many(elaborator, declared)
            return None
        for value in values:
            holds = _holds(elaborator, declared, (*cell, value))
            if holds is None:
                return None
            if holds:
                cells.append((*cell, value))
    if fixed is None:
        return Domain(in_order(cell[-1] for cell in cells)), cells
    there = {cell[-1] for cell in cells}
    is_whole = len(there) == len(fixed)
    return fixed if is_whole else Domain(tuple(v for v in fixed.values if v in there)), cells


def _values(
    elaborator: Elaborator, declared: ast.VariableDecl, cell: Cell, subject: str
) -> tuple[Value, ...] | None:
    """The domain of an index whose predecessors are known; the domain may be empty."""
    written, scope = declared.indices[len(cell)].domain, cell_scope(declared, cell)
    constant = elaborator.constant(written, scope)
    if constant is None:
        return None
    if constant.value == ():
        return ()
    domain = domain_of(elaborator, written, scope, subject, 1)
    return None if domain is None else domain.values


def _holds(elaborator: Elaborator, declared: ast.VariableDecl, cell: Cell) -> bool | None:
    """Whether the `where` of an index holds; None if the `where` is not a boolean constant."""
    condition = declared.indices[len(cell) - 1].condition
    if condition is None:
        return True
    return elaborator.constant_truth(condition, cell_scope(declared, cell))
