"""Find the cells' values in won positions of a single-player game.

From the rules written out for single cells (`normal_forms`) follow, for each way to the best
payoff, the cells that must hold a value, and the values. A way may have further conditions; a way
without conditions on single cells is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import NotToldError, Unknown
from gamedsl.model.rewriting.normal_forms import GroundEnding, NormalForm, normal_form
from gamedsl.model.rewriting.propositions import Proposition
from gamedsl.model.values import Value

MOST_GOALS = 64
"""Limit on the ways to reach an ending."""


def goals_of(model: Model) -> tuple[Mapping[int, int], ...] | Unknown:
    """For each way to win, the digits that cells must hold, by cell number in the state. The result
    is empty if the game cannot be won."""
    form = normal_form(model)
    if isinstance(form, Unknown):
        return form
    digits = {
        variable.offset + number: variable.domain_of(number).digit
        for variable in model.variables
        for number in variable.cells
    }
    try:
        goals = tuple(ways_to_win(model, form))
    except NotToldError as error:
        return Unknown(str(error))
    return tuple({number: digits[number][value] for number, value in way.items()} for way in goals)


def ways_to_win(model: Model, form: NormalForm) -> Iterator[Mapping[int, Value]]:
    """For each way to the best payoff, the values that cells must hold, by cell number in the
    state. Raises NotToldError."""
    (endings,) = form.endings.values()
    count = 0
    for ending in (candidate for group in endings for candidate in group):
        if not _may_pay(ending, model):
            continue
        for way in _conjunctions(ending.condition):
            count += 1
            if count > MOST_GOALS:
                raise NotToldError("there are too many ways to win")
            yield {part[1]: part[2] for part in way if part[0] == "cell"}


def _may_pay(ending: GroundEnding, model: Model) -> bool:
    best = model.facts.utility_bounds[1]
    return any(value == best for _, cases in ending.payoffs for value, _ in cases)


def _conjunctions(test: Proposition) -> Iterator[frozenset[Proposition]]:
    if isinstance(test, bool):
        if test:
            yield frozenset()
    elif test[0] == "or":
        for part in test[1]:
            yield from _conjunctions(part)
    else:
        yield test[1] if test[0] == "and" else frozenset({test})
