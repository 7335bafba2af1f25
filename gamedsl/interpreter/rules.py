"""Interpreter of games given by rules: S0, PLAYER, ACTIONS, RESULT, TERMINAL, UTILITY, chance.

Every range, index and probability is checked at every step; a failure is a `GameRuleError`, never
an illegal move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import partial

from gamedsl.interpreter.bodies import DONE, PAUSED, Body, BodyBuilder
from gamedsl.interpreter.ends import Ends, as_fraction
from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions
from gamedsl.interpreter.families import Family
from gamedsl.interpreter.locals import unpacked
from gamedsl.interpreter.repetition import Repetition
from gamedsl.model import nodes
from gamedsl.model.action_names import number_of_move
from gamedsl.model.engine import Legal, Payoffs, RulesEngine, first_of_group, is_joint
from gamedsl.model.errors import GameRuleError, IllegalActionError
from gamedsl.model.model import Model
from gamedsl.model.recent import UNASKED, Recent
from gamedsl.model.state import State
from gamedsl.model.values import Atom, Domain, Value

SETUP = -1
"""The number of `setup:` as the body of a paused state."""

Pending = tuple[int, tuple[int, bool, tuple[Hashable, ...]]]
"""A body's number, and the position in the body: step, whether the mover keeps the turn, packed
locals."""


class RulesInterpreter(RulesEngine):
    """The interpreter of a game of rules. The methods are those of the Game contract."""

    def __init__(self, model: Model, expressions: Expressions | None = None) -> None:
        """The rules of a model; `expressions` may observe evaluations."""
        super().__init__(model)
        self._atoms = model.players
        self._expressions = expressions or Expressions(model.board, model.players, model.most_calls)
        builder = BodyBuilder(self._expressions, len(model.slot_names))
        self._setup = builder.body(model.setup)
        self._families = tuple(
            Family(
                move,
                builder.body(move.body, tuple(p.slot for p in move.parameters)),
                self._expressions,
            )
            for move in model.moves
        )
        self._slots = builder.slots
        groups = max((move.group for move in model.moves), default=0) + 1
        self._groups = tuple(
            tuple(family for family in self._families if family.move.group == number)
            for number in range(groups)
        )
        ends = Ends(self._expressions)
        self._end = ends.block(model.end)
        self._holding = ends.holding(model.end)
        self._repetition = Repetition(model.repeats, ends)
        self._recent = Recent()
        self._evaluation = (
            None if model.evaluation is None else self._expressions.meaning(model.evaluation.value)
        )
        self._quiescent = self._expressions.condition(
            None if model.evaluation is None else model.evaluation.quiescent
        )

    # --- states ----------------------------------------------------------------------------

    def initial_state(self) -> State:
        """S0: the initial values, then `setup:` (up to its first chance event)."""
        cells: list[int | None] = []
        for variable in self.model.variables:
            cells.extend(variable.initial)
        env = Environment(cells, self._atoms[0], self._slots)
        env.keeps_turn = True
        start = State(tuple(cells), 0)
        return self._carry_on(env, SETUP, self._setup, 0, start)

    def state_of(self, cells: tuple[int | None, ...], turn: int) -> State:
        """A state from which play is resumed: its history starts here."""
        return self._settled(list(cells), turn, State(cells, turn))

    def _environment(self, state: State) -> Environment:
        env = Environment(list(state.cells), self._atoms[state.turn], self._slots)
        env.lacks_moves = partial(self._lacks_moves, state, self._raw_legal)
        return env

    def _lacks_moves(
        self,
        state: State,
        can_move: Callable[[State], object],
        env: Environment,
        player: Value | None,
        moves: tuple[str, ...],
    ) -> bool:
        """`stuck`, or `stuck(player, moves)`: whether no instance of the moves passes its own
        conditions where the evaluation stands, asked as if the player were to move."""
        if player is None:
            return not can_move(state)
        assert isinstance(player, Atom)
        there = Environment(list(env.cells), player, self._slots)
        there.lacks_moves = env.lacks_moves
        families = (family for family in self._families if family.move.name in moves)
        try:
            return not any(True for family in families for _ in family.legal(there))
        except GameRuleError as error:
            error.action = None  # the error belongs to the action that asks
            raise

    def _carry_on(
        self, env: Environment, number: int, body: Body, position: int, before: State
    ) -> State:
        """Run a body from a position to its end or its next chance event."""
        ended = body.run(env, position)
        if ended == PAUSED:
            turn = self._atoms.index(env.turn)
            pending = (number, body.snapshot(env))
            return State(tuple(env.cells), turn, pending, self._repetition.within(before))
        assert ended == DONE, "a body that is carried out is legal"
        return self._settled(env.cells, self._next_turn(env), before)

    def _next_turn(self, env: Environment) -> int:
        """The player after a body has run: the next player, unless the body set or kept the
        turn."""
        turn = self._atoms.index(env.turn)
        return turn if env.keeps_turn else (turn + 1) % len(self._atoms)

    def _settled(self, cells: list[int | None], turn: int, before: State) -> State:
        """The state at which the next player decides, with repetitions counted."""
        digits = tuple(cells)
        history = self._repetition.after(before, digits, turn)
        return State(digits, turn, None, history)

    def _paused(self, state: State) -> tuple[int, Body, int, Environment]:
        """The body at which a chance node stands, with the environment restored."""
        number, (position, keeps_turn, values) = pending(state)
        body = self._setup if number == SETUP else self._families[number].body
        env = self._environment(state)
        env.keeps_turn = keeps_turn
        for slot, value in zip(body.live[position], values, strict=True):
            env.locals[slot] = unpacked(value, self.model.atoms)
        return number, body, position, env

    # --- TERMINAL, UTILITY -----------------------------------------------------------------

    def _outcome(self, state: State) -> Payoffs | None:
        notes = self._recent.notes(state)
        if notes.outcome is UNASKED:
            try:
                env = self._environment(state)
                payoffs = self._end(env)
                if payoffs is None:
                    payoffs = self._repetition.outcome(state, env)
            except GameRuleError as error:
                raise _located(error, state, None) from None
            notes.outcome = payoffs
        return notes.outcome  # type: ignore[return-value]

    def outcomes_holding(
        self, state: State, can_move: Callable[[State], bool] | None = None
    ) -> list[tuple[nodes.Outcome, Callable[[], Payoffs]]]:
        """All outcomes of `end:` whose conditions hold in a state, each with a function that
        computes the payoffs; the first outcome applies.

        `can_move`: a faster engine's test whether the player to move has a legal move.
        """
        env = self._environment(state)
        if can_move is not None:
            env.lacks_moves = partial(self._lacks_moves, state, can_move)
        return list(self._holding(env))

    def evaluate(self, state: State, player: int) -> Fraction:
        """EVAL(s, p)."""
        evaluation = self.model.evaluation
        if self._evaluation is None or evaluation is None:
            raise ValueError("this game has no `evaluate`")
        env = self._environment(state)
        env.locals[evaluation.slot] = self._atoms[player]
        try:
            return as_fraction(self._evaluation(env), evaluation.value.span)
        except GameRuleError as error:
            raise _located(error, state, None) from None

    def is_quiescent(self, state: State, player: int) -> bool:
        """Whether EVAL(s, p) may stand for the state, by the condition of `evaluate`."""
        if self.model.evaluation is None:
            return True
        env = self._environment(state)
        env.locals[self.model.evaluation.slot] = self._atoms[player]
        try:
            return self._quiescent(env)
        except GameRuleError as error:
            raise _located(error, state, None) from None

    # --- ACTIONS ---------------------------------------------------------------------------

    def _raw_legal(self, state: State) -> Legal:
        """Legal actions by the moves alone, whether or not the game is over."""
        notes = self._recent.notes(state)
        if notes.legal is UNASKED:
            env = self._environment(state)
            try:
                notes.legal = self._first_group(env, state)
            except GameRuleError as error:
                raise _located(error, state, error.action) from None
        return notes.legal  # type: ignore[return-value]

    def _first_group(self, env: Environment, state: State) -> Legal:
        for group in self._groups:
            actions: list[int] = []
            measures: list[Value] = []
            for family in group:
                if not family.move.is_simultaneous:
                    for action in self._legal_of(family, env, state):
                        actions.append(action)
                        measures.append(env.measure)
            if actions and any(family.move.greatest for family in group):
                best = max(measures)  # type: ignore[type-var]
                pairs = zip(actions, measures, strict=True)
                actions = [action for action, measure in pairs if measure == best]
            legal = first_of_group(self.players, self._joint_legal(group, env), tuple(actions))
            if legal:
                return legal
        return ()

    def _legal_of(self, family: Family, env: Environment, state: State) -> Iterator[int]:
        if not self._repetition.forbids:
            yield from family.legal(env)
            return
        is_allowed = self._repetition.allowance(state)
        for action in family.legal(env):
            after = self._environment(state)
            family.bind(after, action)
            try:
                family.body.run(after)
            except GameRuleError as error:
                error.action = self._name_of(action)
                raise
            if is_allowed(State(tuple(after.cells), self._next_turn(after))):
                yield action

    def _joint_legal(
        self, group: tuple[Family, ...], env: Environment
    ) -> tuple[tuple[int, ...], ...]:
        families = [family for family in group if family.move.is_simultaneous]
        if not families:
            return ()
        legal: list[tuple[int, ...]] = []
        for atom in self._atoms:
            env.me = atom
            legal.append(tuple(a for family in families for a in family.legal(env)))
        return tuple(legal)

    # --- RESULT ----------------------------------------------------------------------------

    def result(self, state: State, action: int | tuple[int, ...]) -> State:
        """RESULT(s, a)."""
        return self._execute(state, action, None)

    def rewards(self, state: State, action: int | tuple[int, ...]) -> Payoffs:
        """R(s, a, s') of every player."""
        earned = [Fraction(0)] * len(self.players)
        if self.model.facts.has_rewards:
            self._execute(state, action, earned)
        return tuple(earned)

    def _execute(
        self, state: State, action: int | tuple[int, ...], earned: list[Fraction] | None
    ) -> State:
        """RESULT(s, a); rewards are added to `earned`, if it is given."""
        try:
            if state.pending is not None:
                return self._drawn(state, action, earned)
            legal = self._legal_for(state, action)
            if is_joint(legal):
                return self._joint_result(state, action, legal, earned)
            number = number_of_move(self.model.moves, action)  # type: ignore[arg-type]
            family, env = self._families[number], self._environment(state)
            env.rewards = earned
            family.bind(env, action)  # type: ignore[arg-type]
            return self._carry_on(env, number, family.body, 0, state)
        except GameRuleError as error:
            raise _located(error, state, self._name_or_id(state, action)) from None

    def after_legal(self, state: State, action: int) -> State:
        """RESULT(s, a) of an action that is known to be legal."""
        number = number_of_move(self.model.moves, action)
        family, env = self._families[number], self._environment(state)
        family.bind(env, action)
        return self._carry_on(env, number, family.body, 0, state)

    def _drawn(
        self, state: State, outcome: int | tuple[int, ...], earned: list[Fraction] | None
    ) -> State:
        number, body, position, env = self._paused(state)
        env.rewards = earned
        draw = body.draws[position]
        values = {draw.support.digit[value]: value for value, _ in draw.outcomes(env)}
        if outcome not in values:
            raise IllegalActionError("this cannot come out here", outcome, state)
        draw.assign(env, values[outcome])
        return self._carry_on(env, number, body, position + 1, state)

    def _joint_result(
        self,
        state: State,
        actions: int | tuple[int, ...],
        legal: Legal,
        earned: list[Fraction] | None,
    ) -> State:
        """The joint result: all bodies read the state before the choices; their changes are
        combined, and their rewards added."""
        cells = list(state.cells)
        for player, action in self._choices(state, actions, legal):
            family = self._families[number_of_move(self.model.moves, action)]
            env = self._environment(state)
            env.me = self._atoms[player]
            env.rewards = earned
            family.bind(env, action)
            family.body.run(env)
            for place, digit in enumerate(env.cells):
                if digit != state.cells[place]:
                    cells[place] = digit
        return self._settled(cells, state.turn, state)

    # --- chance ----------------------------------------------------------------------------

    def chance_outcomes(self, state: State) -> tuple[tuple[int, Fraction], ...]:
        """(outcome, probability), ascending."""
        if state.pending is None:
            raise ValueError("this is no chance node")
        try:
            _, body, position, env = self._paused(state)
            draw = body.draws[position]
            outcomes = [(draw.support.digit[v], share) for v, share in draw.outcomes(env)]
        except GameRuleError as error:
            raise _located(error, state, None) from None
        return tuple(sorted(outcomes))

    def _drawn_here(self, state: State) -> tuple[str, Domain]:
        _, body, position, env = self._paused(state)
        draw = body.draws[position]
        return draw.name(env), draw.support


def pending(state: State) -> Pending:
    """The position of the body at a chance node."""
    assert isinstance(state.pending, tuple)
    return state.pending


def _located(error: GameRuleError, state: State, action: str | None) -> GameRuleError:
    """The error, with the state and action added."""
    if error.state is None:
        error.state = state
    if error.action is None:
        error.action = action
    return error
