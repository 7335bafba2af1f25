"""Find the cells' values in won positions of a single-player game.

From the rules written out for single cells (`normal_forms`) follow, for each way to the best
payoff, the cells that must hold a value, and the values. A way may have further conditions; a way
without conditions on single cells is empty.

How far any state is from the best payoff is a number of tests that fail. The condition of the best
payoff is a formula. A conjunction is as far from true as its parts together, a disjunction as its
nearest part, a test 1 or 0 (fuzzy evaluation of goals: S. Schiffel and M. Thielscher, "Fluxplayer:
a successful general game player", AAAI 2007, section 3, with sums in place of t-norms). The number
orders a search; nothing is proved by it. A payoff that varies adds what it lacks at present.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.endings import Ending, endings_of
from gamedsl.model.rewriting.moments import NotToldError, Unknown
from gamedsl.model.rewriting.normal_forms import GroundEnding, NormalForm, normal_form
from gamedsl.model.rewriting.propositions import Proposition
from gamedsl.model.rewriting.terms import constant
from gamedsl.model.types import BOOLEAN, ListType, Scalar, SetType, number
from gamedsl.model.values import Value
from gamedsl.source import Span

MOST_GOALS = 64
"""Limit on the ways to reach an ending."""
MOST_LACKING = 100
"""The most that a payoff lacks, in a distance."""


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


def with_distance(model: Model) -> Model | Unknown:
    """The model with the distance to an ending that pays every player the most as `evaluate`."""
    told = endings_of(model)
    if isinstance(told, Unknown):
        return told
    reader = _Reader()
    ways = [way for way in map(partial(_way, model, reader), told.endings) if way is not None]
    if not ways:
        return Unknown("no ending is known to pay the best")
    slots = (*told.slot_names, "distance")
    value = _nearest(ways[0].span, ways)
    return replace(
        model,
        evaluation=nodes.Evaluation(len(slots) - 1, None, value),
        slot_names=slots,
        facts=replace(model.facts, has_evaluate=True),
    )


def _way(model: Model, reader: _Reader, ending: Ending) -> nodes.Expr | None:
    """The distance of an ending that pays every player the most: failing tests, and what the
    payoffs, as they would be now, lack; None if the ending does not pay the most."""
    outcome, best = ending.outcome, model.facts.best_payoffs
    parts = [reader.distance(ending.condition, True)]
    if not isinstance(outcome, nodes.Pay):
        if len(best) > 1 or _amount(outcome) != best[0]:
            return None
        return parts[0]
    for payoff, most in zip(outcome.payoffs, best, strict=True):
        tests = reader.towards(payoff, most)
        if tests is None:
            return None
        parts += [tests, _lack(payoff, most)]
    return _sum(ending.condition.span, [part for part in parts if part.known != 0] or parts[:1])


def _amount(outcome: nodes.Win) -> Fraction | None:
    """The payoff of a single player; None if not constant."""
    amount = 1 if outcome.amount is None else outcome.amount.known
    return outcome.sign * Fraction(amount) if isinstance(amount, int | Fraction) else None


def _lack(payoff: nodes.Expr, most: Fraction) -> nodes.Expr:
    """How much less than the most a payoff is, as far as whole numbers of a small range say so."""
    span, kind = payoff.span, payoff.type
    assert isinstance(kind, Scalar)
    if isinstance(payoff, nodes.Conditional):
        then, otherwise = _lack(payoff.then, most), _lack(payoff.otherwise, most)
        if then.known == 0 == otherwise.known:
            return then
        largest = max(_most(then), _most(otherwise))
        return nodes.Conditional(span, number(0, largest), payoff.condition, then, otherwise)
    known, low = payoff.known, kind.interval[0]
    if isinstance(known, int | Fraction):
        return constant(span, min(int(most - known), MOST_LACKING))
    if known is not None:
        return constant(span, MOST_LACKING)
    if kind.atoms or kind.rational or most - Fraction(low) > MOST_LACKING:
        return constant(span, 0)
    lacking = number(0, int(most - Fraction(low)))
    return nodes.Arithmetic(span, lacking, "-", constant(span, int(most)), payoff)


class _Reader:
    """Distances of conditions; a definition is read once for each wanted value."""

    def __init__(self) -> None:
        self._definitions: dict[tuple[int, bool], nodes.Definition] = {}

    def towards(self, payoff: nodes.Expr, most: Fraction) -> nodes.Expr | None:
        """The number of failing tests until a payoff is the most; None if it never is."""
        span, known = payoff.span, payoff.known
        if known is not None:
            return constant(span, 0) if known == most else None
        if isinstance(payoff, nodes.Conditional):
            ways = []
            for part, wanted in ((payoff.then, True), (payoff.otherwise, False)):
                behind = self.towards(part, most)
                if behind is not None:
                    ways.append(_sum(span, [self.distance(payoff.condition, wanted), behind]))
            return _nearest(span, ways) if ways else None
        whole = int(most) if most.denominator == 1 else most
        equal = nodes.Compare(span, BOOLEAN, "==", payoff, constant(span, whole))
        return self.distance(equal, True)

    def distance(self, node: nodes.Expr, wanted: bool) -> nodes.Expr:
        """The number of failing tests until a condition has the wanted value."""
        span = node.span
        match node:
            case nodes.Not():
                return self.distance(node.operand, not wanted)
            case nodes.Logic():
                together = (node.operator == "and") == wanted
                parts = [self.distance(part, wanted) for part in node.operands]
                return _sum(span, parts) if together else _nearest(span, parts)
            case nodes.Apply():
                key = id(node.definition), wanted
                if key not in self._definitions:
                    body = self.distance(node.definition.body, wanted)
                    self._definitions[key] = replace(node.definition, body=body)
                definition = self._definitions[key]
                return replace(node, definition=definition, type=definition.body.type)
            case nodes.Comprehension(kind="any" | "all") if (node.kind == "all") == wanted:
                element = self.distance(node.element, wanted)
                rounds = prod(_size(clause.domain) for clause in node.clauses)
                kind = number(0, rounds * _most(element))
                return replace(node, kind="sum", element=element, type=kind)
        zero, one = constant(span, 0), constant(span, 1)
        then, otherwise = (zero, one) if wanted else (one, zero)
        return nodes.Conditional(span, number(0, 1), node, then, otherwise)


def _size(domain: nodes.Expr) -> int:
    assert isinstance(domain.type, SetType | ListType)
    return domain.type.size


def _most(node: nodes.Expr) -> int:
    assert isinstance(node.type, Scalar)
    return int(node.type.interval[1])


def _sum(span: Span, parts: list[nodes.Expr]) -> nodes.Expr:
    total, most = parts[0], _most(parts[0])
    for part in parts[1:]:
        most += _most(part)
        total = nodes.Arithmetic(span, number(0, most), "+", total, part)
    return total


def _nearest(span: Span, parts: list[nodes.Expr]) -> nodes.Expr:
    if len(parts) == 1:
        return parts[0]
    kind = number(0, min(map(_most, parts)))
    items = nodes.Collection(
        span, ListType(number(0, max(map(_most, parts))), len(parts)), tuple(parts)
    )
    return nodes.Builtin(span, kind, "min", (items,))
