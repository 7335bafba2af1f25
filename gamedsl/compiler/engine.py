"""A game engine that runs generated Python: same states, actions and errors as the definition.

The states of a `CompiledEngine` are the words that the generated code works on, and equal the
states of the definition; states of other engines are converted to words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, partial
from itertools import takewhile
from operator import xor
from typing import TYPE_CHECKING, Any

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import Fault
from gamedsl.compiler.generated import Event, Generated
from gamedsl.compiler.packed_state import PackedState, Packing
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import ThreadRow, run_source
from gamedsl.compiler.state_words import Words, digits_held, encode
from gamedsl.model.action_names import move_of, name_of, name_of_cell
from gamedsl.model.engine import Legal, Payoffs, RulesEngine, first_of_group, is_joint
from gamedsl.model.errors import GameRuleError, IllegalActionError, UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.nodes import Stuck
from gamedsl.model.recent import UNASKED, Recent
from gamedsl.model.repetition import allowance, history_after, history_in_step, reached
from gamedsl.model.state import Player, State
from gamedsl.model.values import Domain
from gamedsl.model.walk import all_expressions

if TYPE_CHECKING:
    from gamedsl.compiler.definitions import Later
    from gamedsl.compiler.foresight.kept import KnownProspects


class _LegalActions:
    """The legal actions of states, listed by the functions of a generated module."""

    def __init__(
        self, model: Model, generated: Generated, packing: Packing, functions: dict[str, Any]
    ) -> None:
        self._model = model
        self._generated = generated
        self._packing = packing
        self._functions = functions
        self._forbids = any(rule.outcome is None for rule in model.repeats)
        self._out = ThreadRow(model.facts.action_count + 1)
        self._latest: tuple[str, Words, tuple[int, ...]] | None = None
        for player in range(len(model.players)):
            if (title := f"stuck_{player}") in functions:
                functions[title] = partial(self._is_stuck, f"legal_{player}")

    def first_group(self, players: tuple[Player, ...], state: State, words: Words) -> Legal:
        """The actions of the first group of moves with a legal action. Raises `Fault`, and
        GameRuleError for choices that are not simultaneous."""
        if self._model.facts.is_simultaneous:
            return self._first_joint_group(players, state.turn, words)
        if not self._forbids:
            return self.of_mover(state.turn, words)
        is_allowed = allowance(self._model.repeats, state)
        for number in range(self._generated.groups):
            group = self._listed_in_turn(f"group_{number}_{state.turn}", state, words)
            allowed = tuple(a for a in group if is_allowed(self._after(state, words, a)))
            if allowed:
                return allowed
        return ()

    def tried(self) -> str | None:
        """The action whose legality was tested when a guard failed, or the name of its move."""
        tried = self._out.row[-1]
        if tried >= 0:
            return name_of(move_of(self._model.moves, tried), tried)
        return None if tried == -1 else self._generated.move_names[-2 - tried]

    def of_mover(self, turn: int, words: Words) -> tuple[int, ...]:
        """The legal actions of the player to move, listed once if the end of the game has asked for
        them. Raises `Fault`."""
        name, latest = f"legal_{turn}", self._latest
        is_known = latest is not None and latest[0] == name and latest[1] == words
        return latest[2] if latest is not None and is_known else self._listed(name, words)

    def _is_stuck(self, name: str, *words: int) -> bool:
        """`stuck` of a function that goes through all moves, as the list does, which is wanted next
        if the game is not over."""
        actions = self._listed(name, words)
        self._latest = name, words, actions
        return not actions

    def _listed(self, name: str, words: Words) -> tuple[int, ...]:
        out = self._out.row
        out[-1] = -1
        count = self._functions[name](*words, out, 0)
        return tuple(out[:count])

    def _listed_in_turn(self, name: str, state: State, words: Words) -> tuple[int, ...]:
        """As `_listed`, but each action is executed before the next is tested: if a guard fails,
        the first failing result is the error.
        """
        try:
            return self._listed(name, words)
        except Fault:
            out = self._out.row
            for place in range(len(out)):
                out[place] = -1
            with suppress(Fault):
                self._listed(name, words)
            for action in takewhile(lambda entry: entry >= 0, out[:-1]):
                self._after(state, words, action)
            raise

    def _after(self, state: State, words: Words, action: int) -> State:
        """The position after an action. Raises GameRuleError."""
        apply: Callable[..., Words] = self._functions[f"apply_{state.turn}"]
        try:
            return self._packing.position(apply(*words, action))
        except Fault as fault:
            name = name_of(move_of(self._model.moves, action), action)
            raise self._generated.error(fault, state, name) from None

    def _first_joint_group(self, players: tuple[Player, ...], turn: int, words: Words) -> Legal:
        for number in range(self._generated.groups):
            moves = self._listed(f"moves_{number}_{turn}", words)
            joint = tuple(
                self._listed(f"choices_{number}_{player}", words) for player in range(len(players))
            )
            if legal := first_of_group(players, joint, moves):
                return legal
        return ()


class CompiledEngine(RulesEngine):
    """A game of rules, played by generated Python.

    Attributes:
        generated: the module; packing: the arrangement of states in words; functions: the generated
            code, by name.
    """

    def __init__(self, model: Model, generated: Generated | None = None) -> None:
        super().__init__(model)
        if generated is None:
            from gamedsl.compiler.module import generate

            generated = generate(model)
        self.generated = generated
        self.packing = Packing(self.generated.layout, self.generated.saved)
        self._recent = Recent()
        self.functions = run_source(PYTHON + "\n\n" + self.generated.source)
        # `stuck` for `end` where the answer depends on past states
        self.functions["stuck_now"] = lambda *asked: not self._raw_legal(asked[-2])
        self._legal = _LegalActions(model, self.generated, self.packing, self.functions)
        self._apply = tuple(self.functions[f"apply_{n}"] for n in range(len(self.players)))
        self._asks_stuck = any(
            isinstance(e, Stuck) and e.player is None for e in all_expressions(model.end)
        )

    @cached_property
    def kernel_module(self) -> Generated:
        """The module with all functions for kernels. Raises UnsupportedGameError."""
        try:
            return self.generated.whole()
        except CannotCompileError as error:
            raise UnsupportedGameError(f"no kernels: {error}") from error

    @cached_property
    def foreseen(self) -> Later | None:
        """The functions of `foresight.wins`; None if no win can be foreseen."""
        from gamedsl.compiler.foresight.kept import known_wins

        return known_wins(self.model, self.generated)

    @cached_property
    def prospects(self) -> KnownProspects | None:
        """The function of `foresight.prospects`; None if chances are not known to vanish."""
        from gamedsl.compiler.foresight.kept import known_prospects

        return known_prospects(self.model, self.generated)

    @property
    def lists_at_the_end(self) -> bool:
        """Whether the legal actions are listed to tell whether the game is over."""
        return "stuck_0" in self.functions

    def listed(self, turn: int, words: Words) -> tuple[int, ...]:
        """The legal actions of the player to move. Raises `Fault`."""
        return self._legal.of_mover(turn, words)

    # --- states ----------------------------------------------------------------------------

    def words_of(self, state: State) -> Words:
        """The words of a state of this or another engine."""
        if isinstance(state, PackedState) and state.packing is self.packing:
            return state.words
        words = encode(self.generated.layout, state.cells, state.turn)
        if state.pending is None:
            return (*words, *(0 for _ in range(self.generated.saved)))
        assert isinstance(state.pending, tuple)
        return (*words, *state.pending)

    def digits_held(self, states: Sequence[State]) -> list[set[int | None]]:
        """As `RulesEngine.digits_held`, from the words."""
        return digits_held(self.generated.layout, [self.words_of(state) for state in states])

    def _state(self, words: Words, before: State) -> State:
        turn = self.packing.turn_of(words)
        if self.generated.saved:
            standing = words[self.generated.words :]
            if standing[0]:
                history = history_in_step(self.model.repeats, before)
                return PackedState(self.packing, words, turn, standing, history)
            words = self.packing.settled(words)
        if not self.model.repeats:
            return PackedState(self.packing, words, turn)
        history = history_after(self.model.repeats, before, self.packing.position(words))
        return PackedState(self.packing, words, turn, None, history)

    def initial_state(self) -> State:
        """S0."""
        cells = tuple(d for variable in self.model.variables for d in variable.initial)
        before = State(cells, 0)
        try:
            return self._state(self.functions["setup"](*self.generated.initial), before)
        except Fault as fault:
            raise self.generated.error(fault, None, None) from None

    def state_of(self, cells: tuple[int | None, ...], turn: int) -> State:
        """A state to continue play from."""
        before = State(cells, turn)
        return self._state(self.words_of(before), before)

    # --- TERMINAL, UTILITY -----------------------------------------------------------------

    def _outcome(self, state: State) -> Payoffs | None:
        notes = self._recent.notes(state)
        if notes.outcome is UNASKED:
            try:
                asked = (state, 0) if self.generated.stuck_by_history else ()
                per, *shares = self.functions[f"end_{state.turn}"](*self.words_of(state), *asked)
            except Fault as fault:
                if self._asks_stuck:
                    self._raw_legal(state)  # raises a more informative error
                raise self.generated.error(fault, state, None) from None
            if per:
                notes.outcome = tuple(Fraction(n, per) for n in shares)
            else:
                notes.outcome = self._outcome_of_repetition(state)
        return notes.outcome  # type: ignore[return-value]

    def _outcome_of_repetition(self, state: State) -> Payoffs | None:
        for number in reached(self.model.repeats, state):
            function = self.functions[f"repeat_{number}_{state.turn}"]
            per, *shares = function(*self.words_of(state))
            return tuple(Fraction(share, per) for share in shares)
        return None

    def evaluate(self, state: State, player: int) -> Fraction:
        """EVAL(s, p)."""
        if self.model.evaluation is None:
            raise ValueError("this game has no `evaluate`")
        try:
            per, share = self.functions[f"evaluate_{int(player)}_{state.turn}"](
                *self.words_of(state)
            )
        except Fault as fault:
            raise self.generated.error(fault, state, None) from None
        return Fraction(share, per)

    def is_quiescent(self, state: State, player: int) -> bool:
        """Whether EVAL(s, p) may stand for the state, by the condition of `evaluate`."""
        if self.model.evaluation is None or self.model.evaluation.quiescent is None:
            return True
        try:
            answer = self.functions[f"quiescent_{int(player)}_{state.turn}"](*self.words_of(state))
        except Fault as fault:
            raise self.generated.error(fault, state, None) from None
        return bool(answer)

    # --- ACTIONS, RESULT -------------------------------------------------------------------

    def _raw_legal(self, state: State) -> Legal:
        notes = self._recent.notes(state)
        if notes.legal is UNASKED:
            try:
                notes.legal = self._legal.first_group(self.players, state, self.words_of(state))
            except Fault as fault:
                raise self.generated.error(fault, state, self._legal.tried()) from None
            except GameRuleError as error:
                error.state = state
                raise
        return notes.legal  # type: ignore[return-value]

    # --- RESULT ----------------------------------------------------------------------------

    def _joint_result(self, state: State, actions: int | tuple[int, ...], legal: Legal) -> State:
        """All bodies see the state before the choices; the changes are merged.

        Each body changes cells of its own player alone, and so bits of its own.
        """
        before = joined = self.words_of(state)
        for player, action in self._choices(state, actions, legal):
            changed = map(xor, self._apply[player](*before, action), before)
            joined = tuple(map(xor, joined, changed))
        return self._state(self.packing.settled(joined), state)

    def result(self, state: State, action: int | tuple[int, ...]) -> State:
        """RESULT(s, a)."""
        if state.pending is not None:
            return self._drawn(state, action)
        legal = self._possible(state, action)
        if is_joint(legal):
            try:
                return self._joint_result(state, action, legal)
            except Fault as fault:
                raise self.generated.error(fault, state, self._name_or_id(state, action)) from None
        assert isinstance(action, int)
        try:
            words = self._apply[state.turn](*self.words_of(state), action)
        except Fault as fault:
            raise self.generated.error(fault, state, self.action_name(state, action)) from None
        return self._state(words, state)

    def rewards(self, state: State, action: int | tuple[int, ...]) -> Payoffs:
        """R(s, a, s') of every player."""
        if not self.model.facts.has_rewards:
            return (Fraction(0),) * len(self.players)
        name = "pays" if state.pending is not None else f"reward_{state.turn}"
        legal = self._possible(state, action)
        try:
            if is_joint(legal):
                return self._joint_rewards(state, action, legal)
            return _shares(self.functions[name](*self.words_of(state), action))
        except Fault as fault:
            raise self.generated.error(fault, state, self._name_or_id(state, action)) from None

    def _joint_rewards(self, state: State, actions: int | tuple[int, ...], legal: Legal) -> Payoffs:
        """The payments of all choices, summed."""
        paid = [
            _shares(self.functions[f"reward_{player}"](*self.words_of(state), action))
            for player, action in self._choices(state, actions, legal)
        ]
        return tuple(sum(column, Fraction(0)) for column in zip(*paid, strict=True))

    def _possible(self, state: State, action: int | tuple[int, ...]) -> Legal:
        """The possible actions of a state. Raises IllegalActionError if `action` is not among them.
        (Joint actions are checked by `_choices`.)
        """
        if state.pending is not None:
            try:
                possible = tuple(number for number, _ in self.chance_outcomes(state))
            except GameRuleError as error:
                error.action = self._name_or_id(state, action)
                raise
            if action not in possible:
                raise IllegalActionError("this cannot come out here", action, state)
            return possible
        notes = self._recent.notes(state)
        if notes.outcome is None and notes.legal is not UNASKED:
            legal: Legal = notes.legal  # type: ignore[assignment]
            if is_joint(legal) or action in legal:
                return legal
        try:
            return self._legal_for(state, action)
        except GameRuleError as error:
            error.action = error.action or self._name_or_id(state, action)
            raise

    # --- chance ----------------------------------------------------------------------------

    def chance_outcomes(self, state: State) -> tuple[tuple[int, Fraction], ...]:
        """(outcome, probability), ascending."""
        if state.pending is None:
            raise ValueError("this is no chance node")
        notes = self._recent.notes(state)
        if notes.draws is UNASKED:
            weights = [0] * len(self._event(state).support)
            try:
                total = self.functions["draws"](*self.words_of(state), weights)
            except Fault as fault:
                raise self.generated.error(fault, state, None) from None
            shares = ((n, Fraction(weight, total)) for n, weight in enumerate(weights) if weight)
            notes.draws = tuple(shares)
        return notes.draws  # type: ignore[return-value]

    def _drawn_here(self, state: State) -> tuple[str, Domain]:
        event = self._event(state)
        if event.drawn_into is None:
            return event.name, event.support
        try:
            cell = self.functions[f"cell_{event.number}"](*self.words_of(state))
        except Fault:  # the missing cell is reported by the draw
            cell = None
        return name_of_cell(event.drawn_into, cell, event.name), event.support

    def _event(self, state: State) -> Event:
        assert isinstance(state.pending, tuple)
        event: Event = self.generated.events[state.pending[0] - 1]
        return event

    def _drawn(self, state: State, outcome: int | tuple[int, ...]) -> State:
        self._possible(state, outcome)
        try:
            return self._state(self.functions["draw"](*self.words_of(state), outcome), state)
        except Fault as fault:
            raise self.generated.error(fault, state, self.action_name(state, outcome)) from None


def _shares(numbers: tuple[int, ...]) -> Payoffs:
    """A denominator and numerators as fractions."""
    per, *shares = numbers
    return tuple([Fraction(share, per) for share in shares])
