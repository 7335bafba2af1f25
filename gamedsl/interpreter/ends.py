"""Interpret `end:`, outcomes and repetition outcomes: the payoffs, or None if play goes on."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions, RuledOutError
from gamedsl.model import messages, nodes
from gamedsl.model.engine import Payoffs
from gamedsl.model.errors import GameRuleError
from gamedsl.model.values import Value
from gamedsl.source import Span

Ending = Callable[[Environment], Payoffs | None]
"""Returns the payoffs, by player, or None if no outcome is reached."""
Holding = Callable[[Environment], list[tuple[nodes.Outcome, Payoffs]]]
"""Returns the outcomes that hold, each with its payoffs."""


class Ends:
    """Builds the functions of the statements of `end:`."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def block(self, block: nodes.Block) -> Ending:
        """The statements in order; the first outcome reached applies."""
        endings = tuple(self._statement(statement) for statement in block)

        def first_outcome(env: Environment) -> Payoffs | None:
            for ending in endings:
                payoffs = ending(env)
                if payoffs is not None:
                    return payoffs
            return None

        return first_outcome

    def _statement(self, statement: nodes.Statement) -> Ending:
        match statement:
            case nodes.Win() | nodes.Pay():
                return self.outcome(statement)
            case nodes.Branch():
                return self._branch(statement)
            case nodes.Loop():
                return self._loop(statement)
            case nodes.Let():
                slot, value = statement.slot, self.expressions.meaning(statement.value)

                def bind(env: Environment) -> None:
                    env.locals[slot] = value(env)

                return bind
            case _:
                raise AssertionError("the state cannot change in `end:`")

    def _branch(self, statement: nodes.Branch) -> Ending:
        branches = tuple(
            (self.expressions.meaning(condition), self.block(body))
            for condition, body in statement.branches
        )
        otherwise = self.block(statement.otherwise)

        def choose(env: Environment) -> Payoffs | None:
            for condition, body in branches:
                if condition(env):
                    return body(env)
            return otherwise(env)

        return choose

    def _loop(self, statement: nodes.Loop) -> Ending:
        slot, domain = statement.slot, self.expressions.meaning(statement.domain)
        condition = self.expressions.condition(statement.condition)
        going = self.expressions.condition(statement.going)
        body = self.block(statement.body)

        def go_through(env: Environment) -> Payoffs | None:
            for value in domain(env):  # type: ignore[union-attr]
                env.locals[slot] = value
                if not condition(env):
                    continue
                if not going(env):
                    return None
                payoffs = body(env)
                if payoffs is not None:
                    return payoffs
            return None

        return go_through

    # --- every outcome that holds ----------------------------------------------------------

    def holding(self, block: nodes.Block) -> Holding:
        """All outcomes with true conditions, in order; the first outcome applies.

        An unconditional outcome behind other outcomes of a block means "otherwise", and holds only
        if the outcomes before fail. Code behind the outcome that applies is not evaluated in play:
        errors in the code are allowed.
        """
        statements = tuple(self._holding(statement) for statement in block)

        def gather(env: Environment) -> list[tuple[nodes.Outcome, Payoffs]]:
            outcomes: list[tuple[nodes.Outcome, Payoffs]] = []
            for is_outcome, statement in statements:
                try:
                    outcomes += [] if is_outcome and outcomes else statement(env)
                except (GameRuleError, RuledOutError):
                    if not outcomes:
                        raise
                    break
                if is_outcome:
                    break
            return outcomes

        return gather

    def _holding(self, statement: nodes.Statement) -> tuple[bool, Holding]:
        match statement:
            case nodes.Win() | nodes.Pay():
                payoffs, outcome = self.outcome(statement), statement
                return True, lambda env: [(outcome, payoffs(env))]
            case nodes.Branch():
                branches = tuple(
                    (self.expressions.meaning(condition), self.holding(body))
                    for condition, body in statement.branches
                )
                otherwise = self.holding(statement.otherwise)

                def choose(env: Environment) -> list[tuple[nodes.Outcome, Payoffs]]:
                    for condition, body in branches:
                        if condition(env):
                            return body(env)
                    return otherwise(env)

                return False, choose
            case nodes.Loop():
                return False, self._holding_in_loop(statement)
            case _:
                ending = self._statement(statement)

                def carry_out(env: Environment) -> list[tuple[nodes.Outcome, Payoffs]]:
                    ending(env)
                    return []

                return False, carry_out

    def _holding_in_loop(self, statement: nodes.Loop) -> Holding:
        slot, domain = statement.slot, self.expressions.meaning(statement.domain)
        condition = self.expressions.condition(statement.condition)
        going = self.expressions.condition(statement.going)
        body = self.holding(statement.body)

        def go_through(env: Environment) -> list[tuple[nodes.Outcome, Payoffs]]:
            outcomes: list[tuple[nodes.Outcome, Payoffs]] = []
            for value in domain(env):  # type: ignore[union-attr]
                env.locals[slot] = value
                if condition(env):
                    if not going(env):
                        break
                    outcomes += body(env)
            return outcomes

        return go_through

    def outcome(self, outcome: nodes.Outcome) -> Callable[[Environment], Payoffs]:
        """`p wins k`, `p loses k`, `draw`, `payoff ...`."""
        if isinstance(outcome, nodes.Pay):
            amounts = tuple(self.expressions.meaning(part) for part in outcome.payoffs)
            span, check = outcome.span, self._check_named(outcome)

            def pay(env: Environment) -> Payoffs:
                check(env)
                return tuple([as_fraction(amount(env), span) for amount in amounts])

            return pay
        return self._win(outcome)

    def _check_named(self, outcome: nodes.Pay) -> Callable[[Environment], None]:
        """A check that fails unless the players of a `payoff` are all players, without
        repetition."""
        players = self.expressions.players
        named = () if outcome.proved else outcome.named
        meanings = tuple(self.expressions.meaning(player) for player, _ in named)

        def check(env: Environment) -> None:
            paid: list[Value] = []
            for meaning in meanings:
                player = meaning(env)
                if player not in players:
                    raise GameRuleError.of("E3005", messages.nobody_wins(player), outcome.span)
                if player in paid:
                    raise GameRuleError.of("E3005", messages.paid_twice(player), outcome.span)
                paid.append(player)

        return check

    def _win(self, outcome: nodes.Win) -> Callable[[Environment], Payoffs]:
        players = self.expressions.players
        winner_of = self.expressions.meaning(outcome.player)
        amount = None if outcome.amount is None else self.expressions.meaning(outcome.amount)
        unit = Fraction(outcome.sign)

        def win(env: Environment) -> Payoffs:
            winner = winner_of(env)
            if winner not in players:
                raise GameRuleError.of("E3005", messages.nobody_wins(winner), outcome.span)
            size = unit if amount is None else unit * as_fraction(amount(env), outcome.span)
            return tuple([size if player is winner else -size for player in players])

        return win


def as_fraction(value: Value, span: Span, subject: str = "a payoff") -> Fraction:
    """The number behind a payoff, a reward or a heuristic value; GameRuleError for other values."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    raise GameRuleError.of("E3005", messages.no_number(subject, value), span)
