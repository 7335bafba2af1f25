"""Interpret bodies: statements become a flowchart of numbered steps.

A `Body` is a list of steps; each step changes an `Environment` and returns the next step. Since a
position in the chart is a number, a body can stop at a chance event and resume later from a state
that holds only digits, a position and locals.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from typing import assert_never

from gamedsl.interpreter.draws import Draw, draw_of
from gamedsl.interpreter.ends import as_fraction
from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions
from gamedsl.interpreter.locals import packed
from gamedsl.interpreter.storing import store_in
from gamedsl.model import messages, nodes
from gamedsl.model.errors import GameRuleError
from gamedsl.model.rewriting.liveness import Slots, kept_at_chance
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.values import Atom
from gamedsl.source.records import dataclass

DONE = -1
"""The body has run to its end."""
ILLEGAL = -2
"""A `require` or `ensure` does not hold."""
PAUSED = -3
"""The body stands at a chance event (`Environment.paused_at`)."""

Step = Callable[[Environment], int]


@dataclass
class Body:
    """A flowchart.

    Attributes:
        steps: `steps[n](environment)` carries out step n and returns the next step, or DONE,
            ILLEGAL, PAUSED.
        draws: the chance event at each chance step.
        live: the slots kept at each chance step: names that are read later, and the progress of the
            enclosing loops.
        last_guard: the last `require` or `ensure` step, -1 if none.
        first_change: the first step with a change.
    """

    steps: list[Step] = field(default_factory=list)
    draws: dict[int, Draw] = field(default_factory=dict)
    live: dict[int, tuple[int, ...]] = field(default_factory=dict)
    last_guard: int = -1
    first_change: int = 1_000_000_000

    def run(self, env: Environment, start: int = 0, until: int = 1_000_000_000) -> int:
        """Carry out steps from `start`, not past `until`; returns the final status (DONE at
        `until`)."""
        steps, count = self.steps, len(self.steps)
        position = start
        while position >= 0:
            if position >= count or position > until:
                return DONE
            position = steps[position](env)
        return position

    def is_legal(self, env: Environment) -> bool:
        """Whether all guards hold; works on a copy if a step before a guard changes the state."""
        if self.last_guard < 0:
            return True
        if self.first_change < self.last_guard:
            original, turn, keeps_turn = env.cells, env.turn, env.keeps_turn
            env.cells = original.copy()
            ended = self.run(env, 0, self.last_guard)
            env.cells, env.turn, env.keeps_turn = original, turn, keeps_turn
        else:
            ended = self.run(env, 0, self.last_guard)
        return ended != ILLEGAL

    def snapshot(self, env: Environment) -> Hashable:
        """The position of a paused body: step, whether the mover keeps the turn, live locals."""
        slots = self.live[env.paused_at]
        return (env.paused_at, env.keeps_turn, tuple(packed(env.locals[slot]) for slot in slots))


class BodyBuilder:
    """Turns blocks into bodies; additional slots hold the progress of loops."""

    def __init__(self, expressions: Expressions, slots: int) -> None:
        self.expressions = expressions
        self.slots = slots
        self._body = Body()
        self._in_scope: list[int] = []
        self._rounds: list[int] = []
        self._live_slots: dict[int, Slots] = {}

    def body(self, block: nodes.Block, parameters: tuple[int, ...] = ()) -> Body:
        """The flowchart of a block whose parameters are in the given slots."""
        self._body = Body()
        self._in_scope, self._rounds = list(parameters), []
        self._live_slots = kept_at_chance(block)
        self._block(block)
        return self._body

    def _emit(self, step: Step) -> int:
        self._body.steps.append(step)
        return len(self._body.steps) - 1

    @property
    def _here(self) -> int:
        return len(self._body.steps)

    def _block(self, block: nodes.Block) -> None:
        depth = len(self._in_scope)
        for statement in block:
            self._statement(statement)
        del self._in_scope[depth:]

    def _statement(self, statement: nodes.Statement) -> None:
        if facts_of(statement).changes:
            self._body.first_change = min(self._body.first_change, self._here)
        match statement:
            case nodes.Put():
                self._emit(self._put(statement, self._here + 1))
            case nodes.Let():
                self._assign_slot(statement.slot, statement.value)
            case nodes.Branch():
                self._branch(statement)
            case nodes.Loop():
                self._loop(statement)
            case nodes.Chance():
                self._chance(statement)
            case nodes.Reward():
                self._emit(self._reward(statement, self._here + 1))
            case nodes.Require():
                self._body.last_guard = self._here
                self._test(statement.condition, ILLEGAL)
            case nodes.Greatest():
                self._body.last_guard = self._here
                self._emit(self._measure(statement, self._here + 1))
            case nodes.Ending():
                raise AssertionError("outcomes stand in `end:` alone")
            case _:
                assert_never(statement)

    def _assign_slot(self, slot: int, value: nodes.Expr) -> None:
        meaning, after = self.expressions.meaning(value), self._here + 1

        def bind(env: Environment) -> int:
            env.locals[slot] = meaning(env)
            return after

        self._emit(bind)
        self._in_scope.append(slot)

    def _put(self, statement: nodes.Put, after: int) -> Step:
        place = statement.place
        find = self.expressions.place(place.variable, place.indices)
        value = self.expressions.meaning(statement.value)
        store = store_in(place, statement.span, self.expressions.players)

        def assign(env: Environment) -> int:
            store(env, find(env), value(env))
            return after

        return assign

    def _reward(self, statement: nodes.Reward, after: int) -> Step:
        shares = tuple(
            (self.expressions.meaning(player), self.expressions.meaning(amount))
            for player, amount in statement.shares
        )
        players, span = self.expressions.players, statement.span

        def add(env: Environment) -> int:
            if env.rewards is not None:
                for player, amount in shares:
                    whose, size = player(env), as_fraction(amount(env), span, "a reward")
                    if not isinstance(whose, Atom) or whose not in players:
                        raise GameRuleError.of("E3005", messages.nobody_gets(whose), span)
                    env.rewards[players.index(whose)] += size
            return after

        return add

    def _measure(self, statement: nodes.Greatest, after: int) -> Step:
        """Record the value; the greatest value is determined once all instances are known."""
        value = self.expressions.meaning(statement.value)

        def measure(env: Environment) -> int:
            env.measure = value(env)
            return after

        return measure

    def _test(self, condition: nodes.Expr, otherwise: int) -> int:
        """Go on if the condition holds, else to `otherwise`; returns the step's number."""
        holds, after = self.expressions.meaning(condition), self._here + 1
        return self._emit(lambda env: after if holds(env) else otherwise)

    def _jump(self) -> int:
        """A jump whose target is filled in later."""
        return self._emit(lambda _: DONE)

    def _fill(self, step: int, goal: int) -> None:
        self._body.steps[step] = lambda _: goal

    def _refill_test(self, step: int, condition: nodes.Expr, goal: int) -> None:
        holds, after = self.expressions.meaning(condition), step + 1
        self._body.steps[step] = lambda env: after if holds(env) else goal

    def _branch(self, statement: nodes.Branch) -> None:
        exits: list[int] = []
        for condition, block in statement.branches:
            test = self._jump()
            self._block(block)
            exits.append(self._jump())
            self._refill_test(test, condition, self._here)
        self._block(statement.otherwise)
        for jump in exits:
            self._fill(jump, self._here)

    def _loop(self, statement: nodes.Loop) -> None:
        """`start: remaining = domain; next: take an element, else exit; body; go to next`."""
        remaining = self.slots
        self.slots += 1
        depth = len(self._in_scope)
        self._assign_slot(remaining, statement.domain)
        self._rounds.append(remaining)
        head = self._jump()
        self._in_scope.append(statement.slot)
        if statement.condition is not None:
            self._test(statement.condition, head)
        while_test = None if statement.going is None else self._jump()
        self._block(statement.body)
        self._emit(lambda _: head)
        exit_goal, slot, after = self._here, statement.slot, head + 1
        if self._body.last_guard > head:  # the guard applies to every round, not only to the first
            self._body.last_guard = exit_goal - 1

        def take_next(env: Environment) -> int:
            values = env.locals[remaining]
            if not values:
                return exit_goal
            env.locals[slot] = values[0]  # type: ignore[index]
            env.locals[remaining] = values[1:]  # type: ignore[index]
            return after

        self._body.steps[head] = take_next
        if while_test is not None and statement.going is not None:
            self._refill_test(while_test, statement.going, exit_goal)
        self._rounds.pop()
        del self._in_scope[depth:]

    def _chance(self, statement: nodes.Chance) -> None:
        here = self._here

        def pause(env: Environment) -> int:
            env.paused_at = here
            return PAUSED

        self._emit(pause)
        self._body.draws[here] = draw_of(statement, self.expressions)
        live = self._live_slots[id(statement)].union(self._rounds)
        self._body.live[here] = tuple(slot for slot in self._in_scope if slot in live)
        self._in_scope.extend(facts_of(statement).binds)
