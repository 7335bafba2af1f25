"""Narrow the types of single cells by a true condition, for instance a `require`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import key
from gamedsl.model.types import Scalar, Type, scalar_of

Opened = Callable[[nodes.Apply], nodes.Expr]
"""Function that expands a call of a `def`."""


def conjuncts(node: nodes.Expr, opened: Opened) -> Iterator[nodes.Expr]:
    """The conjuncts of a condition."""
    if isinstance(node, nodes.Apply):
        node = opened(node)
    if isinstance(node, nodes.Logic) and node.operator == "and":
        for operand in node.operands:
            yield from conjuncts(operand, opened)
    else:
        yield node


def pinned_by(
    condition: nodes.Expr, known: Mapping[object, Type], opened: Opened
) -> dict[object, Type]:
    """The types of cells narrowed by a condition that holds, by the cells' keys."""
    pinned: dict[object, Type] = {}
    for conjunct in conjuncts(condition, opened):
        match conjunct:
            case nodes.Compare(operator="==", left=nodes.Cell() as cell, right=operand):
                _pin(pinned, known, cell, operand.type)
            case nodes.Compare(operator="==", left=operand, right=nodes.Cell() as cell):
                _pin(pinned, known, cell, operand.type)
            case nodes.Member(
                element=nodes.Cell() as cell, collection=nodes.Const(value=tuple() as values)
            ) if not any(isinstance(value, tuple) for value in values):
                _pin(pinned, known, cell, scalar_of(values))
            case nodes.Compare(
                operator="!=", left=nodes.Cell() as cell, right=nodes.Const(value=value)
            ):
                held = known.get(key(cell), cell.type)
                if isinstance(held, Scalar):
                    possible = held.enumerate()
                    if possible is not None and not held.has_numbers:
                        _pin(
                            pinned, known, cell, scalar_of(tuple(v for v in possible if v != value))
                        )
    return pinned


def _pin(
    pinned: dict[object, Type], known: Mapping[object, Type], cell: nodes.Cell, kind: Type
) -> None:
    """Record the type with fewer values of two."""
    name = key(cell)
    held = pinned.get(name, known.get(name, cell.type))
    if not isinstance(kind, Scalar) or kind.unknown:
        return
    if not isinstance(held, Scalar) or kind.size < held.size:
        pinned[name] = kind
