"""Conditions over the cells of a state, in a form in which order is no matter.

A proposition is True, False, an atom, the negation of one, or a frozen set of propositions all or
some of which hold. Negation stands before atoms alone. `("cell", n, v)`: cell n holds the value v.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

Proposition = Any
"""bool, or a tuple: ("cell", n, v), another atom, ("not", atom), ("and" | "or", frozenset)."""


def negated(one: Proposition) -> Proposition:
    """Its negation, pushed down to the atoms."""
    if isinstance(one, bool):
        return not one
    match one[0]:
        case "not":
            return one[1]
        case "and":
            return some_of(negated(part) for part in one[1])
        case "or":
            return all_of(negated(part) for part in one[1])
    return ("not", one)


def all_of(parts: Iterable[Proposition]) -> Proposition:
    """All of some propositions."""
    return _joined("and", parts)


def some_of(parts: Iterable[Proposition]) -> Proposition:
    """Some of some propositions."""
    return _joined("or", parts)


def _joined(operator: str, parts: Iterable[Proposition]) -> Proposition:
    decides = operator == "or"
    found: set[Proposition] = set()
    for part in parts:
        if isinstance(part, bool):
            if part is decides:
                return decides
        elif part[0] == operator:
            found |= part[1]
        else:
            found.add(part)
    if operator == "and":
        held = {part[1]: part[2] for part in found if part[0] == "cell"}
        if any(part[0] == "cell" and held[part[1]] != part[2] for part in found):
            return False
        found = {part for part in found if not _follows(part, held)}
    if any(_opposite(part) in found for part in found):
        return decides
    if len(found) == 1:
        return found.pop()
    return (operator, frozenset(found)) if found else not decides


def _follows(part: Proposition, held: dict[Hashable, Hashable]) -> bool:
    """Whether `not a[n] == v` says nothing new where a[n] is known to hold another value."""
    if part[0] != "not" or part[1][0] != "cell":
        return False
    _, number, value = part[1]
    return number in held and held[number] != value


def _opposite(part: Proposition) -> Proposition:
    return part[1] if part[0] == "not" else ("not", part)


def with_atoms(one: Proposition, change: Callable[[tuple[Any, ...]], Proposition]) -> Proposition:
    """The proposition with every atom changed."""
    if isinstance(one, bool):
        return one
    match one[0]:
        case "not":
            return negated(change(one[1]))
        case "and":
            return all_of(with_atoms(part, change) for part in one[1])
        case "or":
            return some_of(with_atoms(part, change) for part in one[1])
    return change(one)
