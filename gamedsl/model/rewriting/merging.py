"""Find values that moves only copy, so that a heuristic may merge the values (pattern databases).

From the rules of a single-player game follows `Carried`: a variable, the values that moves
distinguish, and the cells' values in won positions. A map of values that fixes the distinguished
values commutes with moves: the same actions are legal in the mapped state, and lead to the mapped
successor. Distances in mapped states therefore never exceed distances in the states: pattern
databases (J. Culberson and J. Schaeffer, "Pattern databases", Computational Intelligence 14, 1998)
follow from the rules. The proof uses the rules written out for single cells (`normal_forms`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.goals import ways_to_win
from gamedsl.model.rewriting.moments import NotToldError, Unknown
from gamedsl.model.rewriting.normal_forms import NormalForm, Transition, normal_form
from gamedsl.model.rewriting.propositions import (
    Change,
    Proposition,
    all_of,
    negated,
    some_of,
)
from gamedsl.model.values import Value
from gamedsl.source.records import dataclass

FEWEST_VALUES = 4
"""Fewest values of a variable that is examined; a smaller variable leaves no values to merge."""
ANY = "any value that is carried"


@dataclass(frozen=True, slots=True)
class Carried:
    """A variable whose values moves carry from cell to cell.

    Attributes:
        told_apart: the values that moves ask for or write; the remaining values are only copied.
        goals: for each way to win, the values of the variable's cells, by cell number in the
            variable.
    """

    variable: nodes.Variable
    told_apart: frozenset[Value]
    goals: tuple[Mapping[int, Value], ...]


def carried(model: Model) -> Carried | Unknown:
    """The variable with the most values that moves only copy."""
    form = normal_form(model)
    if isinstance(form, Unknown):
        return form
    candidates: list[Carried] = []
    for variable in model.variables:
        if len(variable.domain) < FEWEST_VALUES or variable.domains is not None:
            continue
        if _forms_groups(form, variable):
            continue
        told_apart = frozenset(_told_apart(form, variable))
        if len(variable.domain) - len(told_apart) > 1:
            try:
                goals = tuple(_within(variable, way) for way in ways_to_win(model, form))
            except NotToldError as error:
                return Unknown(str(error))
            candidates.append(Carried(variable, told_apart, goals))
    if not candidates:
        return Unknown("no variable has values that moves only carry about")
    return max(
        candidates, key=lambda candidate: len(candidate.variable.domain) - len(candidate.told_apart)
    )


def _within(variable: nodes.Variable, way: Mapping[int, Value]) -> Mapping[int, Value]:
    """The values that the cells of a variable must hold, by cell number in the variable."""
    return {n: way[variable.offset + n] for n in variable.cells if variable.offset + n in way}


# --- what moves tell apart -------------------------------------------------------------------

Atom = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    """The rule of an action: the conditions asked, and for each cell of the variable the condition
    under which the cell takes a value. The value is written `ANY` in its own condition."""

    asked: tuple[Proposition, ...]
    cells: tuple[Mapping[Value, Proposition], ...]


_Known = dict[Proposition, tuple[frozenset[Value], bool]]
"""For conditions under which a cell takes the value `ANY`: the other values asked for, and whether
the value is a copy."""


def _told_apart(form: NormalForm, variable: nodes.Variable) -> set[Value]:
    """The values of a variable that moves do more with than copy. A distinguished value may make
    further values distinguished, since conditions on the value are no copies; the set is found by
    iteration."""
    cells = range(variable.offset, variable.offset + variable.size)
    rules = [
        _rule(transition, variable, cells)
        for group in form.transitions.values()
        for transition in group
    ]
    told_apart: set[Value] = set()
    known: _Known = {}
    for rule in rules:
        for test in rule.asked:
            told_apart |= _values(test, cells)
    while True:
        more = set(told_apart)
        for rule in rules:
            for cases in rule.cells:
                more |= _more_told_apart(cases, cells, told_apart, known)
        if more == told_apart:
            return told_apart
        told_apart = more


def _rule(transition: Transition, variable: nodes.Variable, cells: range) -> _Rule:
    values = variable.domain.values
    asked = [transition.legal, *(test for _, test in transition.turn)]
    cases_of_cells = []
    for number, cases in transition.cells:
        if number in cells:
            short = {value: _told_short(test, values, cells) for value, test in cases}
            cases_of_cells.append({v: _of_any(short.get(v, False), v, cells) for v in values})
        else:
            asked += [test for _, test in cases]
    return _Rule(tuple(_told_short(test, values, cells) for test in asked), tuple(cases_of_cells))


def _told_short(test: Proposition, values: Sequence[Value], cells: range) -> Proposition:
    """The condition with a long disjunction of values replaced by the negation of the remaining
    values."""
    if isinstance(test, bool) or test[0] not in {"and", "or"}:
        return test
    is_some = test[0] == "or"
    parts = [_told_short(part, values, cells) for part in test[1]]
    listed: dict[int, set[Value]] = {}
    for part in parts:
        atom = part if is_some else _denied(part)
        if not isinstance(atom, bool) and atom[0] == "cell" and atom[1] in cells:
            listed.setdefault(atom[1], set()).add(atom[2])
    long = {number for number, asked in listed.items() if 2 * len(asked) > len(values)}
    remaining = [part for part in parts if not _asks_of(part if is_some else _denied(part), long)]
    for number in long:
        rest = [("cell", number, value) for value in values if value not in listed[number]]
        remaining.append(all_of(map(negated, rest)) if is_some else some_of(rest))
    return some_of(remaining) if is_some else all_of(remaining)


def _denied(part: Proposition) -> Proposition:
    """The operand of a negated atom; False for any other condition."""
    return part[1] if not isinstance(part, bool) and part[0] == "not" else False


def _asks_of(atom: Proposition, numbers: set[int]) -> bool:
    return not isinstance(atom, bool) and atom[0] == "cell" and atom[1] in numbers


def _values(test: Proposition, cells: range) -> set[Value]:
    """The values of the cells that a condition asks for."""
    return {atom[2] for atom in _atoms(test) if atom[0] == "cell" and atom[1] in cells}


def _atoms(test: Proposition) -> Iterator[Atom]:
    """All atoms of a condition, including atoms in the terms of totals."""
    if isinstance(test, bool):
        return
    if test[0] == "not":
        yield from _atoms(test[1])
    elif test[0] in {"and", "or"}:
        for part in test[1]:
            yield from _atoms(part)
    elif test[0] == "total":
        for (part, _), _ in test[1]:
            yield from _atoms(part)
    else:
        yield test


def _forms_groups(form: NormalForm, variable: nodes.Variable) -> bool:
    """Whether moves ask which squares hold equal values, without regard to the value."""
    transitions = (transition for group in form.transitions.values() for transition in group)
    return any(
        atom[:2] == ("group", variable.offset)
        for transition in transitions
        for cases in (
            *(cases for _, cases in transition.cells),
            transition.turn,
            {(True, transition.legal)},
        )
        for _, test in cases
        for atom in _atoms(test)
    )


def _more_told_apart(
    cases: Mapping[Value, Proposition], cells: range, told_apart: set[Value], known: _Known
) -> set[Value]:
    """Values for which a cell's value after a move is not a mere copy of a cell's value before."""
    more: set[Value] = set()
    copies: dict[Value, Proposition] = {}
    for value, test in cases.items():
        if test not in known:
            asked = frozenset(_values(test, cells))
            known[test] = asked - {ANY}, _is_copied(test, ANY, cells)
        sought, is_copied = known[test]
        more |= sought - told_apart
        if value in told_apart:
            continue
        if is_copied:
            copies[value] = test
        else:
            more.add(value)
    if copies:
        usual, _ = Counter(copies.values()).most_common(1)[0]
        more |= {value for value, copied in copies.items() if copied != usual}
    return more


def _is_copied(test: Proposition, value: object, cells: range) -> bool:
    """Whether a condition asks only for the presence of the value in one of several cells: a single
    operand of each `and` asks for the value, and no operand asks for the value's absence. The
    condition then holds for one of several merged values exactly if a cell among the cells holds a
    merged value."""
    if value not in _values(test, cells) or _is_source(test, value, cells):
        return True
    if test[0] not in {"and", "or"}:
        return False
    asking = [part for part in test[1] if value in _values(part, cells)]
    is_single = test[0] == "or" or len(asking) == 1
    return is_single and all(_is_copied(part, value, cells) for part in asking)


def _of_any(test: Proposition, value: Value, cells: range) -> Proposition:
    """The condition with the value replaced by `ANY`."""

    def change(atom: Atom) -> Proposition:
        return (*atom[:2], ANY) if _is_source(atom, value, cells) else atom

    return Change(change)(test)


def _is_source(part: Proposition, value: object, cells: range) -> bool:
    is_atom = not isinstance(part, bool) and part[0] == "cell"
    return is_atom and part[1] in cells and part[2] == value
