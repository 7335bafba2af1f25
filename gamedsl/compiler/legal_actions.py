"""The legal actions of states, listed by generated code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import Any

from gamedsl.compiler.faults import Fault
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.packed_state import Packing
from gamedsl.compiler.python_code import ThreadRow
from gamedsl.compiler.state_words import Words
from gamedsl.model.action_names import move_of, name_of
from gamedsl.model.engine import Legal, first_of_group
from gamedsl.model.model import Model
from gamedsl.model.repetition import allowance
from gamedsl.model.state import Player, State


class LegalActions:
    """Lists legal actions by the functions of a generated module."""

    def __init__(
        self, model: Model, generated: Generated, packing: Packing, functions: dict[str, Any]
    ) -> None:
        self._model = model
        self._generated = generated
        self._packing = packing
        self._functions = functions
        self._forbids = any(rule.outcome is None for rule in model.repeats)
        self._out = ThreadRow(model.facts.action_count + 1)

    def first_group(self, players: tuple[Player, ...], state: State, words: Words) -> Legal:
        """The actions of the first group of moves with a legal action. Raises `Fault`, and
        GameRuleError for choices that are not simultaneous."""
        if self._model.facts.is_simultaneous:
            return self._first_joint_group(players, state.turn, words)
        if not self._forbids:
            return self._listed(f"legal_{state.turn}", words)
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
