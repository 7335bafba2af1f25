"""Algebraic simplification, by rules (`rules`), by facts that hold at the place of a value
(`facts`), and by the disjointness of the planes of an array.

The functions of the module work on fields. A square holds one value, so the planes of an array are
disjoint: `X & ~O` is `X`, and `X & O` is empty. Disjointness is used only where no plane of the
array is being assigned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import Rewriter, map_values
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import Op, Value, number
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.passes.facts import without_known
from gamedsl.compiler.passes.rules import shorter

Family = frozenset[str]
"""The planes of one array."""
SHIFTS = frozenset({Op.SHL, Op.SHR})


def simplify(module: Module, layout: Layout, _: int) -> Module:
    """The module with shorter values."""
    families = [
        frozenset(title for _, title in place.names)
        for place in layout.places
        if isinstance(place, Planes)
    ]
    made: dict[tuple[Family, ...], Callable[[Value], Value]] = {}

    def simplified(function: ir.Function) -> ir.Function:
        whole = _whole(function, families)
        if whole not in made:
            made[whole] = simplifier({title: family for family in whole for title in family})
        return replace(function, body=map_values(function.body, made[whole]))

    functions = {title: simplified(function) for title, function in module.functions.items()}
    return replace(module, functions=functions)


def _whole(function: ir.Function, families: list[Family]) -> tuple[Family, ...]:
    """The arrays that a function leaves unassigned."""
    if not function.takes_state:
        return ()
    assigned = ir.assigned_in(function.body)
    return tuple(family for family in families if family.isdisjoint(assigned))


def simplifier(family_of: Mapping[str, Family]) -> Callable[[Value], Value]:
    """A cached function that shortens values; `family_of`: maps a plane to its disjoint planes."""
    rewriter = Rewriter(lambda value: shorter(simpler(value, family_of)))
    return cache(lambda value: rewriter(without_known(rewriter(value))))


def simpler(value: Value, family_of: Mapping[str, Family]) -> Value:
    """An intersection without redundant factors; `family_of`: maps a plane to its disjoint
    planes.
    """
    if value.op is not Op.AND or value.type.kind != "bits" or value.can_fail:
        return value
    inside, outside = _factors(value)
    inside, is_met = _meeting(inside, family_of)
    if any(factor in outside for factor in inside):
        return number(0, value.type)
    planes = [factor for factor in inside if factor.is_name and factor.name in family_of]
    for plane in planes:
        family = family_of[plane.name]
        if any(peer is not plane and peer.name in family for peer in planes):
            return number(0, value.type)
    disjoint = {title for plane in planes for title in family_of[plane.name]}
    remaining = [factor for factor in outside if not (factor.is_name and factor.name in disjoint)]
    masks = [factor for factor in inside if factor.is_const and factor.const == _everything(factor)]
    if len(remaining) == len(outside) and not (masks and planes) and not is_met:
        return value
    intersection, *rest = [factor for factor in inside if not (planes and factor in masks)]
    for factor in rest:
        intersection = intersection & factor
    for factor in remaining:
        intersection = intersection & ~factor
    return intersection


def _meeting(inside: list[Value], family_of: Mapping[str, Family]) -> tuple[list[Value], bool]:
    """Factors of an intersection, and whether two factors were merged. Two factors with equal
    shifts are merged if the first is a plane and the form of the second determines its part inside
    the plane: `X >> 8 & (X & y | O) >> 8` is `(X & y) >> 8`.
    """
    for plane in inside:
        if plane.op not in SHIFTS or not plane.args[0].is_name:
            continue
        title, places = plane.args[0].name, plane.args[1]
        for partner in inside:
            if partner is plane or partner.op is not plane.op or partner.args[1] is not places:
                continue
            part = _part_in(partner.args[0], title, family_of.get(title, frozenset((title,))))
            if part is not None:
                moved = part << places if plane.op is Op.SHL else part >> places
                rest = [factor for factor in inside if factor not in {plane, partner}]
                return _meeting([moved, *dict.fromkeys(rest)], family_of)[0], True
    return inside, False


def _part_in(squares: Value, plane: str, family: Family) -> Value | None:
    """The part of a set inside a plane, if the form of the set alone determines the part."""
    if _lies_in(squares, frozenset((plane,))):
        return squares
    if _lies_in(squares, family - {plane}):
        return number(0, squares.type)
    if squares.op is not Op.OR:
        return None
    left, right = (_part_in(arg, plane, family) for arg in squares.args)
    return None if left is None or right is None else left | right


def _lies_in(squares: Value, planes: Family) -> bool:
    """Whether a set lies inside the union of some disjoint planes."""
    match squares.op:
        case Op.NAME:
            return squares.name in planes
        case Op.AND:
            return any(_lies_in(arg, planes) for arg in squares.args)
        case Op.OR:
            return all(_lies_in(arg, planes) for arg in squares.args)
    return False


def _everything(value: Value) -> int:
    return (1 << value.type.width) - 1


def _factors(value: Value) -> tuple[list[Value], list[Value]]:
    """The sets that contain an intersection, and the sets disjoint from the intersection."""
    inside: list[Value] = []
    outside: list[Value] = []
    pending = [value]
    while pending:
        factor = pending.pop()
        if factor.op is Op.AND:
            pending += reversed(factor.args)
        elif factor.op is Op.COMPLEMENT:
            unions = [factor.args[0]]
            while unions:
                union = unions.pop()
                if union.op is Op.OR:
                    unions += reversed(union.args)
                else:
                    outside.append(union)
        else:
            inside.append(factor)
    return inside, outside
