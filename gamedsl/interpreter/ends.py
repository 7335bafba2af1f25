"""Interpret `end:`, outcomes and repetition outcomes: the payoffs, or None if play goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions, RuledOutError
from gamedsl.model import messages, nodes
from gamedsl.model.engine import Payoffs
from gamedsl.model.errors import GameRuleError
from gamedsl.model.values import Value
from gamedsl.source import Span

Ending = Callable[[Environment], Payoffs | None]
"""Returns the payoffs, by player, or None if no outcome is reached."""
Reached = Sequence[tuple[nodes.Outcome, Callable[[], Payoffs]]]
"""Outcomes in order, each with a function that computes the payoffs."""
Reaching = Callable[[Environment], Reached]
"""Returns the outcomes reached by a statement or a block."""


class Ends:
    """Builds the functions of the statements of `end:`."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def block(self, block: nodes.Block) -> Ending:
        """The statements in order; the first outcome reached applies."""
        reached = self._block(block, every=False)

        def first_outcome(env: Environment) -> Payoffs | None:
            outcomes = reached(env)
            return outcomes[0][1]() if outcomes else None

        return first_outcome

    def holding(self, block: nodes.Block) -> Reaching:
        """All outcomes with true conditions, in order; the first outcome applies.

        An unconditional outcome behind other outcomes of a block means "otherwise", and holds only
        if the outcomes before fail. Code behind the outcome that applies is not evaluated in play:
        errors in the code are allowed.
        """
        return self._block(block, every=True)

    def _block(self, block: nodes.Block, every: bool) -> Reaching:
        parts = tuple(
            (isinstance(statement, nodes.Ending), self._statement(statement, every))
            for statement in block
        )

        def first(env: Environment) -> Reached:
            for _, part in parts:
                reached = part(env)
                if reached:
                    return reached
            return ()

        def gather(env: Environment) -> Reached:
            outcomes: list[tuple[nodes.Outcome, Callable[[], Payoffs]]] = []
            for is_outcome, part in parts:
                try:
                    outcomes += () if is_outcome and outcomes else part(env)
                except (GameRuleError, RuledOutError):
                    if not outcomes:
                        raise
                    break
                if is_outcome:
                    break
            return outcomes

        return gather if every else first

    def _statement(self, statement: nodes.Statement, every: bool) -> Reaching:
        match statement:
            case nodes.Ending():
                return self._outcome(statement, every)
            case nodes.Branch():
                return self._branch(statement, every)
            case nodes.Loop():
                return self._loop(statement, every)
            case nodes.Let():
                slot, value = statement.slot, self.expressions.meaning(statement.value)

                def bind(env: Environment) -> Reached:
                    env.locals[slot] = value(env)
                    return ()

                return bind
            case _:
                raise AssertionError("the state cannot change in `end:`")

    def _outcome(self, outcome: nodes.Outcome, every: bool) -> Reaching:
        """`every`: the payoffs may be computed after the block has gone on."""
        payoffs = self.outcome(outcome)
        if not every:
            return lambda env: ((outcome, partial(payoffs, env)),)

        def reach(env: Environment) -> Reached:
            bound = list(env.locals)

            def paid() -> Payoffs:
                env.locals = env.outermost = bound
                return payoffs(env)

            return ((outcome, paid),)

        return reach

    def _branch(self, statement: nodes.Branch, every: bool) -> Reaching:
        branches = tuple(
            (self.expressions.meaning(condition), self._block(body, every))
            for condition, body in statement.branches
        )
        otherwise = self._block(statement.otherwise, every)

        def choose(env: Environment) -> Reached:
            for condition, body in branches:
                if condition(env):
                    return body(env)
            return otherwise(env)

        return choose

    def _loop(self, statement: nodes.Loop, every: bool) -> Reaching:
        slot, domain = statement.slot, self.expressions.meaning(statement.domain)
        condition = self.expressions.condition(statement.condition)
        going = self.expressions.condition(statement.going)
        body = self._block(statement.body, every)

        def go_through(env: Environment) -> Reached:
            outcomes: list[tuple[nodes.Outcome, Callable[[], Payoffs]]] = []
            for value in domain(env):  # type: ignore[union-attr]
                env.locals[slot] = value
                if not condition(env):
                    continue
                if not going(env):
                    break
                outcomes += body(env)
                if outcomes and not every:
                    break
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
