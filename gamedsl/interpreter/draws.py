"""Interpret chance events: possible outcomes, exact probabilities, and the effect of an outcome."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions
from gamedsl.interpreter.storing import store_in
from gamedsl.model import messages, nodes
from gamedsl.model.action_names import name_of_cell
from gamedsl.model.errors import GameRuleError
from gamedsl.model.values import Domain, Value
from gamedsl.source.records import dataclass

Assign = Callable[[Environment, Value], None]


@dataclass(frozen=True, slots=True)
class Draw:
    """A chance event.

    Attributes:
        name: name of the target in an environment, with the values of its indices.
        support: every possible outcome; an outcome's id is its position.
        outcomes: (value, probability) in an environment; positive, with sum exactly 1.
        assign: carries out an outcome.
    """

    name: Callable[[Environment], str]
    support: Domain
    outcomes: Callable[[Environment], tuple[tuple[Value, Fraction], ...]]
    assign: Assign


def draw_of(statement: nodes.Chance, expressions: Expressions) -> Draw:
    """The meaning of a `chance` statement."""
    assign = _assign(statement, expressions)
    if isinstance(statement.domain, nodes.Weighted):
        outcomes = _weighted(statement, statement.domain, expressions)
    elif statement.previous is not None or statement.later:
        outcomes = _next_of_set(statement, statement.domain, expressions)
    else:
        outcomes = _uniform(statement, statement.domain, expressions, assign)
    return Draw(_name(statement, expressions), statement.support, outcomes, assign)


def _name(statement: nodes.Chance, expressions: Expressions) -> Callable[[Environment], str]:
    place = statement.place
    if isinstance(place, int) or not place.indices:
        return lambda _: statement.name
    variable = place.variable
    find, first = expressions.place(variable, place.indices), variable.offset

    def name(env: Environment) -> str:
        try:
            number = find(env)
        except GameRuleError:  # the cell does not exist; the error is raised when it is drawn
            number = None
        return name_of_cell(variable, None if number is None else number - first, statement.name)

    return name


def _assign(statement: nodes.Chance, expressions: Expressions) -> Assign:
    place = statement.place
    if isinstance(place, int):

        def bind(env: Environment, value: Value) -> None:
            env.locals[place] = value

        return bind
    find = expressions.place(place.variable, place.indices)
    store = store_in(place, statement.span, expressions.players)
    return lambda env, value: store(env, find(env), value)


def _uniform(
    statement: nodes.Chance, domain: nodes.Expr, expressions: Expressions, assign: Assign
) -> Callable[[Environment], tuple[tuple[Value, Fraction], ...]]:
    """All values that pass `where`, equally likely; `where` sees the value as if drawn."""
    candidates = expressions.meaning(domain)
    condition = None if statement.condition is None else expressions.meaning(statement.condition)

    def passes(env: Environment, value: Value) -> bool:
        if condition is None:
            return True
        original, turn, keeps_turn = env.cells, env.turn, env.keeps_turn
        env.cells = original.copy()
        assign(env, value)
        holds = condition(env)
        env.cells, env.turn, env.keeps_turn = original, turn, keeps_turn
        return holds is True

    def outcomes(env: Environment) -> tuple[tuple[Value, Fraction], ...]:
        values = [v for v in dict.fromkeys(candidates(env)) if passes(env, v)]  # type: ignore[arg-type]
        if not values:
            said = messages.nothing_to_draw(statement)
            raise GameRuleError.of("E3004", said, statement.span)
        return tuple((value, Fraction(1, len(values))) for value in values)

    return outcomes


def _next_of_set(
    statement: nodes.Chance, domain: nodes.Expr, expressions: Expressions
) -> Callable[[Environment], tuple[tuple[Value, Fraction], ...]]:
    """The next element of a set that is drawn at once: an element behind the previous element, by
    the number of ways to choose the later elements from the elements behind it."""
    candidates, digit = expressions.meaning(domain), statement.support.digit
    previous = None if statement.previous is None else expressions.meaning(statement.previous)

    def outcomes(env: Environment) -> tuple[tuple[Value, Fraction], ...]:
        last = -1 if previous is None else digit[previous(env)]
        places = sorted({digit[v] for v in candidates(env)} - set(range(last + 1)))  # type: ignore[union-attr]
        total = comb(len(places), statement.later + 1)
        if not total:
            said = messages.too_few_to_draw(statement.name, statement.later + 1)
            raise GameRuleError.of("E3004", said, statement.span)
        ways = (comb(behind, statement.later) for behind in reversed(range(len(places))))
        values = (statement.support.values[place] for place in places)
        return tuple((v, Fraction(w, total)) for v, w in zip(values, ways, strict=True) if w)

    return outcomes


def _weighted(
    statement: nodes.Chance, domain: nodes.Weighted, expressions: Expressions
) -> Callable[[Environment], tuple[tuple[Value, Fraction], ...]]:
    pairs = tuple(
        (expressions.meaning(key), expressions.meaning(weight)) for key, weight in domain.pairs
    )
    rounds = expressions.rounds(domain.clauses) if domain.clauses else None

    def outcomes(env: Environment) -> tuple[tuple[Value, Fraction], ...]:
        weights: dict[Value, Fraction] = {}
        for _ in rounds(env) if rounds else (None,):
            for key, weight in pairs:
                value, share = key(env), weight(env)
                if not isinstance(share, int | Fraction) or share < 0:
                    said = messages.wrong_weight(statement.name, value, share)
                    raise GameRuleError.of("E3004", said, statement.span)
                weights[value] = weights.get(value, Fraction(0)) + share
        total = sum(weights.values(), Fraction(0))
        if domain.are_relative:
            if total == 0:
                said = messages.nothing_to_draw(statement)
                raise GameRuleError.of("E3004", said, statement.span)
            return tuple((value, share / total) for value, share in weights.items() if share)
        if total != 1:
            said = messages.wrong_total(statement.name, total)
            raise GameRuleError.of("E3004", said, statement.span)
        return tuple((value, share) for value, share in weights.items() if share)

    return outcomes
