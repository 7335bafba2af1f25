"""Conditions over the cells of a state, in a form in which order is no matter.

A proposition is True, False, an atom, the negation of one, or a frozen set of propositions all or
some of which hold. Negation stands before atoms alone. `("cell", n, v)`: cell n holds the value v.
`("total", terms, n)`: n is what the values of those terms add up to whose condition holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
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


Terms = Mapping[tuple[Proposition, Any], int]
"""What is added where a condition holds, and how many times."""


def total_is(terms: Terms, number: Any) -> Proposition:
    """Whether terms add up to a number: one atom, in which their order is no matter."""
    return ("total", frozenset(terms.items()), number) if terms else number == 0


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
        held: dict[Hashable, Hashable] = {}
        for part in found:
            if part[0] == "cell" and held.setdefault(part[1], part[2]) != part[2]:
                return False
        if held:
            found = {part for part in found if not _follows(part, held)}
    if any(part[0] == "not" and part[1] in found for part in found):
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


class Change:
    """Propositions with every atom changed, those in the terms of totals too.

    Args:
        atom: what an atom becomes; it is asked once for each, and so is each proposition.
    """

    def __init__(self, atom: Callable[[tuple[Any, ...]], Proposition]) -> None:
        self._atom = atom
        self._known: dict[Proposition, Proposition] = {}

    def __call__(self, one: Proposition) -> Proposition:
        """The proposition changed."""
        if isinstance(one, bool):
            return one
        found = self._known.get(one)
        if found is None:
            found = self._known[one] = self._changed(one)
        return found

    def _changed(self, one: Proposition) -> Proposition:
        match one[0]:
            case "not":
                return negated(self(one[1]))
            case "and":
                return all_of(self(part) for part in one[1])
            case "or":
                return some_of(self(part) for part in one[1])
            case "total":
                return self._total(*one[1:])
        return self._atom(one)

    def _total(self, terms: Iterable[tuple[tuple[Proposition, Any], int]], number: Any) -> Any:
        changed: Counter[tuple[Proposition, Any]] = Counter()
        for (test, value), times in terms:
            condition = self(test)
            if condition is True:
                number -= value * times
            elif condition is not False:
                changed[condition, value] += times
        return total_is(changed, number)
