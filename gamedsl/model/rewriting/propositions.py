"""Conditions over the cells of a state, in a form without order of operands.

A proposition is True, False, an atom, a negated atom, or a conjunction or disjunction of a frozen
set of propositions. Negation stands before atoms only. Atom `("cell", n, v)`: cell n holds the
value v. Atom `("total", terms, n)`: the values of the terms whose condition holds sum to n.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from typing import Any

from gamedsl.model.rewriting.moments import NotToldError

Proposition = Any
"""bool, or a tuple: ("cell", n, v), another atom, ("not", atom), ("and" | "or", frozenset)."""
MOST_PARTS = 3_000_000
"""Limit on the parts joined in one task: three times the number for the rules of Othello."""


class _Work(threading.local):
    """State of the work with propositions in this thread.

    Attributes:
        left: number of parts that may still be joined.
        made: propositions made so far, so that equal propositions are one object; None if not kept.
        negations: negations made so far; None if not kept.
    """

    left: float = inf
    made: dict[Proposition, Proposition] | None = None
    negations: dict[Proposition, Proposition] | None = None


_work = _Work()


@contextmanager
def bounded(most: float = MOST_PARTS) -> Iterator[None]:
    """Inside the block, joining more than `most` parts raises NotToldError.

    Equal propositions become one object and are negated once. A proposition that contains another
    twice, on many levels, is then compared and negated in linear time in the number of levels;
    outside the block the time is exponential.
    """
    before = _work.left, _work.made, _work.negations
    _work.left, _work.made, _work.negations = most, {}, {}
    try:
        yield
    finally:
        _work.left, _work.made, _work.negations = before


def negated(proposition: Proposition) -> Proposition:
    """The negation, pushed down to the atoms."""
    if isinstance(proposition, bool):
        return not proposition
    if proposition[0] == "not":
        return proposition[1]
    if proposition[0] not in {"and", "or"}:
        return ("not", proposition)
    known = _work.negations
    negation = None if known is None else known.get(proposition)
    if negation is None:
        join = some_of if proposition[0] == "and" else all_of
        negation = join(negated(part) for part in proposition[1])
        if known is not None:
            known[proposition] = negation
    return negation


def all_of(parts: Iterable[Proposition]) -> Proposition:
    """The conjunction of propositions."""
    return _joined("and", parts)


def some_of(parts: Iterable[Proposition]) -> Proposition:
    """The disjunction of propositions."""
    return _joined("or", parts)


Terms = Mapping[tuple[Proposition, Any], int]
"""The numbers added if a condition holds, with multiplicities."""


def total_is(terms: Terms, number: Any) -> Proposition:
    """Whether terms sum to a number: an atom without order of terms."""
    return ("total", frozenset(terms.items()), number) if terms else number == 0


def _joined(operator: str, parts: Iterable[Proposition]) -> Proposition:
    decides = operator == "or"
    joined: set[Proposition] = set()
    for part in parts:
        if isinstance(part, bool):
            if part is decides:
                return decides
        elif part[0] == operator:
            joined |= part[1]
        else:
            joined.add(part)
    _work.left -= len(joined)
    if _work.left < 0:
        raise NotToldError("conditions with too many parts")
    if operator == "and":
        held: dict[Hashable, Hashable] = {}
        for part in joined:
            if part[0] == "cell" and held.setdefault(part[1], part[2]) != part[2]:
                return False
        if held:
            joined = {part for part in joined if not _follows(part, held)}
    if any(part[0] == "not" and part[1] in joined for part in joined):
        return decides
    if len(joined) == 1:
        return joined.pop()
    if not joined:
        return not decides
    made = (operator, frozenset(joined))
    return made if _work.made is None else _work.made.setdefault(made, made)


def _follows(part: Proposition, held: dict[Hashable, Hashable]) -> bool:
    """Whether `not a[n] == v` is redundant because a[n] is known to hold another value."""
    if part[0] != "not" or part[1][0] != "cell":
        return False
    _, number, value = part[1]
    return number in held and held[number] != value


class Change:
    """Substitution of atoms in propositions, including atoms in the terms of totals.

    Args:
        atom: image of an atom; computed once per atom, as the images of propositions are.
    """

    def __init__(self, atom: Callable[[tuple[Any, ...]], Proposition]) -> None:
        self._atom = atom
        self._known: dict[Proposition, Proposition] = {}

    def __call__(self, proposition: Proposition) -> Proposition:
        """The proposition with its atoms replaced."""
        if isinstance(proposition, bool):
            return proposition
        image = self._known.get(proposition)
        if image is None:
            image = self._known[proposition] = self._changed(proposition)
        return image

    def _changed(self, proposition: Proposition) -> Proposition:
        match proposition[0]:
            case "not":
                return negated(self(proposition[1]))
            case "and":
                return all_of(self(part) for part in proposition[1])
            case "or":
                return some_of(self(part) for part in proposition[1])
            case "total":
                return self._total(*proposition[1:])
        return self._atom(proposition)

    def _total(self, terms: Iterable[tuple[tuple[Proposition, Any], int]], number: Any) -> Any:
        changed: Counter[tuple[Proposition, Any]] = Counter()
        for (test, value), times in terms:
            condition = self(test)
            if condition is True:
                number -= value * times
            elif condition is not False:
                changed[condition, value] += times
        return total_is(changed, number)
