"""Successors of states on words alone: generated code is called directly.

`WordSteps` gives, for the words of a state, the player to move, the choices, and the words after
each choice. `are_for` tells in advance which games are excluded (simultaneous moves, rules about
past occurrences). Where the rules fail, the engine repeats the step and raises the error that names
state and action.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.faults import Fault
from gamedsl.compiler.packed_state import PackedState
from gamedsl.compiler.python_code import ThreadRow
from gamedsl.compiler.state_words import Words
from gamedsl.model.state import CHANCE, TERMINAL, Player, State

FAILED_ALONE = "generated code failed, and the engine does not"
Shares = tuple[Fraction, ...]
Moment = tuple[Player, tuple[int, ...], Shares]
Following = tuple[Player, tuple[int, ...], Sequence[Hashable], Shares]


class WordSteps:
    """The steps of a compiled game (`gamedsl.game.steps.Steps`); a key is the words of a state."""

    def __init__(self, engine: CompiledEngine) -> None:
        functions = engine.functions
        self._engine = engine
        self._packing = engine.packing
        self._standing = engine.generated.words if engine.generated.saved else -1
        players = range(len(engine.players))
        self._end = [functions[f"end_{player}"] for player in players]
        self._legal = [functions[f"legal_{player}"] for player in players]
        self._apply = [functions[f"apply_{player}"] for player in players]
        pays = engine.model.facts.has_rewards
        self._nothing = (Fraction(0),) * len(players)
        self._reward = [functions[f"reward_{player}"] for player in players] if pays else []
        self._out = ThreadRow(engine.model.facts.action_count + 1)
        self._are_listed = engine.lists_at_the_end
        self._shares: dict[tuple[int, ...], Shares] = {}

    @staticmethod
    def are_for(engine: CompiledEngine) -> bool:
        """Whether a state is fully given by its words, and one player moves at a time."""
        return not (engine.model.facts.is_simultaneous or engine.model.repeats)

    def key(self, state: State) -> Words:
        """The words of a state."""
        return self._engine.words_of(state)

    def state(self, key: Hashable) -> State:
        """The state of the words."""
        assert isinstance(key, tuple)
        pending = None
        if self._standing >= 0 and key[self._standing]:
            pending = key[self._standing :]
        return PackedState(self._packing, key, self._packing.turn_of(key), pending)

    def after(self, key: Hashable) -> Following:
        """All successors of a state."""
        assert isinstance(key, tuple)
        try:
            if self._standing < 0:
                return self._after(key)
            if key[self._standing]:
                return self._after_chance(key)
            mover, actions, results, shares = self._after(key)
            return mover, actions, [self._settled(words) for words in results], shares
        except Fault:
            self._slowly(key)

    def at(self, key: Hashable) -> Moment:
        """The player to move and the choices."""
        assert isinstance(key, tuple)
        try:
            if self._standing >= 0 and key[self._standing]:
                return self._at_chance(key)
            return self._at(key)
        except Fault:
            self._slowly(key)

    def result(self, key: Hashable, choice: int) -> Words:
        """The words after one of the choices."""
        assert isinstance(key, tuple)
        try:
            if self._standing < 0:
                return self._apply[self._packing.turn_of(key)](*key, choice)  # type: ignore[no-any-return]
            if key[self._standing]:
                return self._settled(self._engine.functions["draw"](*key, choice))
            return self._settled(self._apply[self._packing.turn_of(key)](*key, choice))
        except Fault:
            self._engine.result(self.state(key), choice)
            raise AssertionError(FAILED_ALONE) from None

    def paid(self, key: Hashable, choices: Sequence[Any]) -> list[Shares]:
        """The immediate payments of the given legal choices."""
        assert isinstance(key, tuple)
        if not self._reward:
            return [self._nothing] * len(choices)
        try:
            if self._standing >= 0 and key[self._standing]:
                pays = self._engine.functions["pays"]
            else:
                pays = self._reward[self._packing.turn_of(key)]
            return [self._fractions(pays(*key, choice)) for choice in choices]
        except Fault:
            for choice in choices:
                self._engine.rewards(self.state(key), choice)
            raise AssertionError(FAILED_ALONE) from None

    def _at(self, words: Words) -> Moment:
        turn = self._packing.turn_of(words)
        per, *payoffs = self._end[turn](*words)
        if per:
            return TERMINAL, (), self._fractions((per, *payoffs))
        if self._are_listed:
            actions = self._engine.listed(turn, words)
        else:
            out = self._out.row
            actions = tuple(out[: self._legal[turn](*words, out, 0)])
        if not actions:
            raise Fault
        return self._engine.players[turn], actions, ()

    def _after(self, words: Words) -> tuple[Player, tuple[int, ...], list[Words], Shares]:
        mover, actions, shares = self._at(words)
        if not actions:
            return mover, actions, [], shares
        apply = self._apply[mover]
        return mover, actions, [apply(*words, action) for action in actions], shares

    def _at_chance(self, words: Words) -> Moment:
        event = self._engine.generated.events[words[self._standing] - 1]
        weights = [0] * len(event.support)
        total = self._engine.functions["draws"](*words, weights)
        drawn = tuple(number for number, weight in enumerate(weights) if weight)
        return CHANCE, drawn, self._fractions((total, *(weights[number] for number in drawn)))

    def _after_chance(self, words: Words) -> Following:
        mover, drawn, shares = self._at_chance(words)
        draw = self._engine.functions["draw"]
        return mover, drawn, [self._settled(draw(*words, number)) for number in drawn], shares

    def _settled(self, words: Words) -> Words:
        return words if words[self._standing] else self._packing.settled(words)

    def _fractions(self, numbers: tuple[int, ...]) -> Shares:
        """The numbers after the first, each divided by the first."""
        fractions = self._shares.get(numbers)
        if fractions is None:
            per, *shares = numbers
            fractions = self._shares[numbers] = tuple(Fraction(share, per) for share in shares)
        return fractions

    def _slowly(self, words: Words) -> NoReturn:
        """Repeat the step with the engine, which raises the error with its full message."""
        engine, state = self._engine, self.state(words)
        if state.pending is not None:
            outcomes = engine.chance_outcomes(state)
            choices = tuple(number for number, _ in outcomes)
        else:
            choices = engine.legal_actions(state)
        for choice in choices:
            engine.result(state, choice)
        raise AssertionError(FAILED_ALONE)
