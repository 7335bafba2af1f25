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
MOST_PARTS = 1_000_000
"""Limit on the parts joined in one task: four times the number for the rules of Othello."""


class _Work(threading.local):
    """State of the work with propositions in this thread.

    Attributes:
        left: number of parts that may still be joined.
        made: propositions made so far, so that equal propositions are one object; None if not kept.
        negations: negations made so far; None if not kept.
        joined: the results of joining, by operator and operands; None if not kept.
    """

    left: float = inf
    made: dict[Proposition, Proposition] | None = None
    negations: dict[Proposition, Proposition] | None = None
    joined: dict[tuple[str, frozenset[Proposition]], Proposition] | None = None


_work = _Work()


@contextmanager
def bounded(most: float = MOST_PARTS) -> Iterator[None]:
    """Inside the block, joining more than `most` parts raises NotToldError.

    Equal propositions become one object and are negated once. A proposition that contains another
    twice, on many levels, is then compared and negated in linear time in the number of levels;
    outside the block the time is exponential. A block inside a block has its own limit, and shares
    the propositions.
    """
    before = _work.left, _work.made, _work.negations, _work.joined
    _work.left = most
    if _work.made is None:
        _work.made, _work.negations, _work.joined = {}, {}, {}
    try:
        yield
    finally:
        _work.left, _work.made, _work.negations, _work.joined = before


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
    operands = set()
    for part in parts:
        if part is True or part is False:
            if part is decides:
                return decides
        else:
            operands.add(part)
    if not operands:
        return not decides
    if len(operands) == 1:
        return operands.pop()
    key = (operator, frozenset(operands))
    known = _work.joined
    whole = None if known is None else known.get(key)
    if whole is None:
        whole = _whole(operator, operands)
        if known is not None:
            known[key] = whole
    return whole


def _whole(operator: str, operands: Iterable[Proposition]) -> Proposition:
    """The conjunction or disjunction of several propositions that are not truth values."""
    decides = operator == "or"
    joined: set[Proposition] = set()
    for operand in operands:
        if operand[0] == operator:
            joined |= operand[1]
        else:
            joined.add(operand)
    _work.left -= len(joined)
    if _work.left < 0:
        raise NotToldError("conditions with too many parts")
    if _is_decided(joined, is_conjunction=not decides):
        return decides
    if len(joined) == 1:
        return joined.pop()
    made = (operator, frozenset(joined))
    return made if _work.made is None else _work.made.setdefault(made, made)


def _is_decided(joined: set[Proposition], *, is_conjunction: bool) -> bool:
    """Whether parts contradict each other, or leave no third case in a disjunction.

    Redundant parts of a conjunction are taken out of the set: `not a[n] == v`, because a[n] is
    known to hold another value.
    """
    held: dict[Hashable, Hashable] = {}
    denials = []
    for part in joined:
        if part[0] == "not":
            denials.append(part)
        elif is_conjunction and part[0] == "cell":
            value = held.setdefault(part[1], part[2])
            if value is not part[2] and value != part[2]:
                return True
    for denial in denials:
        atom = denial[1]
        if held and atom[0] == "cell" and held.get(atom[1], atom[2]) != atom[2]:
            joined.discard(denial)
        elif atom in joined:
            return True
    return False


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
