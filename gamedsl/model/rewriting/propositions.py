"""Conditions over the cells of a state, in a form without order of operands.

A proposition is True, False, an atom, a negated atom, or a conjunction or disjunction of a frozen
set of propositions. Negation stands before atoms only. Atom `("cell", n, v)`: cell n holds the
value v. Atom `("total", terms, n)`: the values of the terms whose condition holds sum to n. Atom
`("group", ..., {n, m})`: cells n and m are in one group, and so hold the same value.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations, product
from math import inf, prod
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


MOST_CONNECTIONS = 1_000
"""Limit on the connections into which a conjunction is divided."""


def connected(proposition: Proposition) -> Proposition:
    """A conjunction of conditions on groups, as a disjunction of connections.

    "A red cell of A is in one group with a cell of B" becomes, for each a of A and b of B, "a and b
    are red, and in one group". The condition is then the same from either end. A proposition of
    another form, or with more than `MOST_CONNECTIONS` connections, stays as it is.
    """
    if isinstance(proposition, bool) or proposition[0] != "and":
        return proposition
    choices = [part[1] for part in proposition[1] if part[0] == "or" and _are_linked(part[1])]
    if prod(map(len, choices)) > MOST_CONNECTIONS:
        return proposition
    if not choices and not any(map(_is_link, proposition[1])):
        return proposition
    rest = [part for part in proposition[1] if part[0] != "or" or part[1] not in choices]
    return some_of(_closed(all_of((*rest, *chosen))) for chosen in product(*choices))


def _are_linked(alternatives: Iterable[Proposition]) -> bool:
    """Whether each alternative is that cells are in one group, perhaps with known values."""
    return all(
        _is_link(part)
        or (part[0] == "and" and any(map(_is_link, part[1])) and not any(map(_is_joined, part[1])))
        for part in alternatives
    )


def _is_link(part: Proposition) -> bool:
    return bool(part[0] == "group")


def _is_joined(part: Proposition) -> bool:
    return part[0] in {"and", "or"}


def _closed(conjunction: Proposition) -> Proposition:
    """A conjunction with all that follows from its groups: two cells that share a group with a
    third share a group, and cells of a group hold the same value."""
    if isinstance(conjunction, bool) or conjunction[0] != "and":
        return conjunction
    groups: dict[tuple[Any, ...], list[set[int]]] = {}
    for link in filter(_is_link, conjunction[1]):
        kind, pair = link[1:-1], link[-1]
        apart, together = [], set(pair)
        for group in groups.get(kind, ()):
            if together.isdisjoint(group):
                apart.append(group)
            else:
                together |= group
        groups[kind] = [*apart, together]
    follows: list[Proposition] = []
    for kind, listed in groups.items():
        for group in listed:
            follows += (("group", *kind, frozenset(pair)) for pair in combinations(group, 2))
            follows += (
                _of_cell(part, number)
                for part in conjunction[1]
                for number in group
                if _cell_of(part) in group
            )
    return all_of((*conjunction[1], *follows))


def _cell_of(literal: Proposition) -> int | None:
    """The cell of an atom or a negated atom about a cell."""
    atom = literal[1] if literal[0] == "not" else literal
    return atom[1] if atom[0] == "cell" else None


def _of_cell(literal: Proposition, number: int) -> Proposition:
    """The same statement about another cell."""
    if literal[0] == "not":
        return ("not", _of_cell(literal[1], number))
    return ("cell", number, literal[2])


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
