"""Case analysis of expressions: the possible values, with the condition of each value.

The functions combine cases and members into the cases of choices, sums and extremes. Conditions are
propositions; the module is independent of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from itertools import product
from typing import Any

from gamedsl.model import nodes, operations
from gamedsl.model.rewriting.moments import NotToldError
from gamedsl.model.rewriting.propositions import Proposition, all_of, negated, some_of, total_is
from gamedsl.model.values import NONE, Value
from gamedsl.source.records import dataclass

MOST_CASES = 8192
"""Limit on the cases of an expression that is written out: two counts over a board of 8 by 8
squares have 4,225 in all."""

Cases = dict[Value, Proposition]
"""The condition of each value; at most one condition holds."""
Members = list[tuple[Proposition, Value]]
"""A collection in order: each element with the condition of its membership."""
Locals = Mapping[int, Cases | Members]
"""Meanings of local names, by slot."""


@dataclass
class Place:
    """The state that rules are carried out on.

    Attributes:
        cells: cases of the written cells, by number.
        legal: whether all guards up to the present statement hold.
        keeps_turn: whether the turn does not pass to the next player.
    """

    turn: Cases
    cells: dict[int, Cases] = field(default_factory=dict)
    legal: Proposition = True
    keeps_turn: Proposition = False

    def copy(self) -> Place:
        """A copy that can be changed independently."""
        return Place(dict(self.turn), dict(self.cells), self.legal, self.keeps_turn)

    def become(self, test: Proposition, changed: Place, before: Mapping[int, Cases]) -> None:
        """Take over the contents of a changed copy where `test` holds; `before`: cases of the cells
        not written before."""
        for number, cases in changed.cells.items():
            current = self.cells.get(number)
            if cases is not current:
                self.cells[number] = chosen(
                    test, cases, before[number] if current is None else current
                )
        self.turn = chosen(test, changed.turn, self.turn)
        self.keeps_turn = chosen(test, truth(changed.keeps_turn), truth(self.keeps_turn)).get(
            True, False
        )
        self.legal = all_of((self.legal, some_of((negated(test), changed.legal))))


def cases_of_cell(variable: nodes.Variable, number: int) -> Cases:
    """The possible values of a cell of a state."""
    values = variable.domain.values
    if len(values) == 1:
        return {values[0]: True}
    if len(values) == 2:  # the second is the negation of the first
        atom = ("cell", number, values[0])
        return {values[0]: atom, values[1]: ("not", atom)}
    return {value: ("cell", number, value) for value in values}


def is_certain(meaning: Cases | Members) -> bool:
    """Whether the value is the same in every state."""
    return not isinstance(meaning, list) and list(meaning.values()) == [True]


def reduction(name: str, values: tuple[Value, ...]) -> Value:
    """`min(...)` and similar reductions of known values."""
    try:
        return operations.REDUCTIONS[name](values)
    except operations.OperationError as error:
        raise NotToldError(str(error)) from None


def truth(holds: Proposition) -> Cases:
    """The truth value of a proposition."""
    return possible({True: holds, False: negated(holds)})


def possible(cases: Mapping[Any, Proposition]) -> Cases:
    """The cases whose condition is not False."""
    return {value: test for value, test in cases.items() if test is not False}


def chosen(test: Proposition, then: Cases, otherwise: Cases) -> Cases:
    """The cases of `then` if `test` else `otherwise`."""
    if isinstance(test, bool):
        return then if test else otherwise
    negation = negated(test)
    cases = {}
    for value in dict.fromkeys((*then, *otherwise)):
        then_test, otherwise_test = then.get(value, False), otherwise.get(value, False)
        same = then_test is True and otherwise_test is True
        cases[value] = same or some_of(
            (all_of((test, then_test)), all_of((negation, otherwise_test)))
        )
    return possible(cases)


def each(cases: Cases) -> Members:
    """The set with the value as its only element."""
    return [(test, value) for value, test in cases.items()]


def members_of(cases: Cases) -> Members:
    """The elements of a constant collection.

    Raises NotToldError if the collection depends on the state.
    """
    if len(cases) == 1:
        (value,) = cases
        if isinstance(value, tuple):
            return [(True, element) for element in value]
    raise NotToldError("a collection that depends on the state")


class InSomeOrder(list[tuple[Proposition, Value]]):
    """Members whose order depends on the state."""


def unique(members: Members, *of: Members) -> Members:
    """The members without duplicates, each at its first place. The result is an `InSomeOrder` if
    the places depend on the state or if a collection in `of` is in some order."""
    conditions: dict[Value, Proposition] = {}
    is_ordered = not any(isinstance(collection, InSomeOrder) for collection in of)
    for test, value in members:
        if test is False or conditions.get(value, False) is True:
            continue
        is_ordered = is_ordered and value not in conditions
        conditions[value] = some_of((conditions.get(value, False), test))
    listed = [(test, value) for value, test in conditions.items()]
    return listed if is_ordered else InSomeOrder(listed)


def chosen_members(test: Proposition, then: Members, otherwise: Members) -> Members:
    """The elements of `then` if `test` else `otherwise`."""
    sides = (test, then), (negated(test), otherwise)
    members = [(all_of((side, there)), value) for side, listed in sides for there, value in listed]
    return unique(members, then, otherwise)


def total(listed: list[tuple[Proposition, Cases]]) -> Cases:
    """The sum of numbers, each with the condition of its presence. A sum that depends on the state
    stays unevaluated: an atom for each possible number."""
    least: Any = 0
    terms: Counter[tuple[Proposition, Any]] = Counter()
    sums = {least}
    for test, summand in listed:
        cases = _present(summand)
        if test is True and len(cases) == 1:
            (value,) = cases
            sums = {subtotal + value for subtotal in sums}
            least += value
            continue
        here = {(all_of((test, holds)), value) for value, holds in cases.items()}
        terms.update((holds, value) for holds, value in here if holds is not False and value)
        surely = test is True
        sums = {
            subtotal + value for subtotal in sums for value in ([] if surely else [0]) + list(cases)
        }
        if len(sums) > MOST_CASES:
            raise NotToldError("a sum with too many cases")
    return possible({number: total_is(terms, number - least) for number in sums})


def _present(cases: Cases) -> Cases:
    """The cases without `none`; `none` in a sum or extreme is an error in play."""
    return {value: test for value, test in cases.items() if value is not NONE}


def extreme(name: str, items: list[Cases]) -> Cases:
    """The least or greatest of several values."""
    conditions: dict[Value, list[Proposition]] = {}
    for combination in product(*(_present(item).items() for item in items)):
        value = reduction(name, tuple(number for number, _ in combination))
        conditions.setdefault(value, []).append(all_of(test for _, test in combination))
    return possible({value: some_of(tests) for value, tests in conditions.items()})
