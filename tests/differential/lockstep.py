"""Two engines side by side: the same questions in the same states, the answers compared.

In: two engines of one model and a random chooser. Out: the first difference as a sentence, or
None. An error in the game is an answer like any other: code, message, place, action, state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol

from gamedsl.game.contract import Action, JointAction
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, IllegalActionError, State
from gamedsl.model.state import Player
from tests.differential.shortcuts import shortcut_difference

Choice = Action | JointAction
MOST_RESULTS = 12
"""So many results are compared at a state, picked at random."""


class Playable(Protocol):
    """What the comparison asks of an engine."""

    players: tuple[Player, ...]

    def initial_state(self) -> State: ...
    def current_player(self, state: State) -> Player: ...
    def legal_actions(self, state: State, player: int | None = None) -> tuple[int, ...]: ...
    def result(self, state: State, action: Choice) -> State: ...
    def rewards(self, state: State, action: Choice) -> tuple[object, ...]: ...
    def is_terminal(self, state: State) -> bool: ...
    def utilities(self, state: State) -> tuple[object, ...]: ...
    def evaluate(self, state: State, player: int) -> object: ...
    def is_quiescent(self, state: State, player: int) -> object: ...
    def chance_outcomes(self, state: State) -> tuple[tuple[int, object], ...]: ...
    def action_name(self, state: State, action: Choice) -> str: ...
    def is_secret(self, action: int) -> bool: ...
    def view(self, state: State, player: int) -> object: ...


def answer(question: Callable[..., object], *arguments: object) -> object:
    """What comes out: a value, or the error in a form that compares."""
    try:
        return question(*arguments)
    except GameRuleError as error:
        where = error.state.cells if isinstance(error.state, State) else None
        return ("error", error.code, error.message, error.span, error.hint, error.action, where)
    except (IllegalActionError, ValueError) as error:
        return (type(error).__name__, str(error))


@dataclass
class Lockstep:
    """A comparison of two engines; `seen` holds which states have stood side by side."""

    one: Playable
    other: Playable
    chooser: random.Random
    seen: tuple[dict[State, State], dict[State, State]] = field(default_factory=lambda: ({}, {}))

    def play(self, longest: int) -> str | None:
        """The first difference along one random play."""
        start, again = answer(self.one.initial_state), answer(self.other.initial_state)
        if not isinstance(start, State) or not isinstance(again, State):
            return None if start == again else f"at the start: {start} and {again}"
        names: list[str] = []
        for _ in range(longest):
            difference = self.difference(start, again)
            if difference is not None:
                return f"after {names}: {difference}"
            possible = list(_choices(self.one, start))
            if not possible:
                return None
            wanted = self.chooser.choice(possible)
            names.append(str(answer(self.one.action_name, start, wanted)))
            after, afterwards = (
                answer(self.one.result, start, wanted),
                answer(self.other.result, again, wanted),
            )
            if not isinstance(after, State) or not isinstance(afterwards, State):
                return None if after == afterwards else f"after {names}: {after} and {afterwards}"
            start, again = after, afterwards
        return None

    def difference(self, state: State, twin: State) -> str | None:
        """The first thing in which two states, or the answers in them, differ."""
        for name in ("cells", "turn", "history"):
            one, other = getattr(state, name), getattr(twin, name)
            if one != other:
                return f"{name} {one} and {other}"
        if (state.pending is None) != (twin.pending is None):
            return f"pending {state.pending} and {twin.pending}"
        if state.pending is None and (state != twin or hash(state) != hash(twin)):
            return f"states of the same digits differ: {state} and {twin}"
        if self.seen[0].setdefault(state, twin) != twin:
            return f"one state is two: {twin} and {self.seen[0][state]}"
        if self.seen[1].setdefault(twin, state) != state:
            return f"two states are one: {state} and {self.seen[1][twin]}"
        for name, arguments in self._questions(state):
            one = answer(getattr(self.one, name), state, *arguments)
            other = answer(getattr(self.other, name), twin, *arguments)
            if one != other or type(one) is not type(other):
                return f"{name}{arguments} is {one} and {other}"
        for engine, own in ((self.one, state), (self.other, twin)):
            difference = shortcut_difference(engine, own)
            if difference is not None:
                return difference
        return self._difference_after(state, twin)

    def _questions(self, state: State) -> Iterator[tuple[str, tuple[object, ...]]]:
        yield "is_terminal", ()
        yield "utilities", ()
        yield "current_player", ()
        yield "chance_outcomes", ()
        yield "legal_actions", ()
        for player in self.one.players:
            yield "legal_actions", (player,)
            yield "evaluate", (player,)
            yield "is_quiescent", (player,)
            yield "view", (player,)

    def _difference_after(self, state: State, twin: State) -> str | None:
        possible = list(_choices(self.one, state))
        for choice in self.chooser.sample(possible, min(MOST_RESULTS, len(possible))):
            name = answer(self.one.action_name, state, choice)
            if name != (found := answer(self.other.action_name, twin, choice)):
                return f"action_name {name} and {found}"
            one, other = (
                answer(self.one.result, state, choice),
                answer(self.other.result, twin, choice),
            )
            if isinstance(one, State) and isinstance(other, State):
                same = (one.cells, one.turn, one.history) == (
                    other.cells,
                    other.turn,
                    other.history,
                )
            else:
                same = one == other
            if not same:
                return f"{name} leads to {one} and {other}"
            one = answer(self.one.rewards, state, choice)
            if one != (other := answer(self.other.rewards, twin, choice)):
                return f"{name} pays {one} and {other}"
        wrong = self.chooser.randrange(2000) if len(possible) < 1000 else 10**6
        one, other = answer(self.one.result, state, wrong), answer(self.other.result, twin, wrong)
        if not isinstance(one, State) and one != other:
            return f"action {wrong} gives {one} and {other}"
        return None


def _choices(engine: Playable, state: State) -> Iterator[Choice]:
    """Everything that can happen next; nothing where the rules themselves fail."""
    player = answer(engine.current_player, state)
    if player == CHANCE:
        found = answer(engine.chance_outcomes, state)
        if isinstance(found, tuple) and all(isinstance(pair, tuple) for pair in found):
            yield from (outcome for outcome, _ in found)
    elif player == SIMULTANEOUS:
        yield from product(*(engine.legal_actions(state, p) for p in engine.players))
    elif isinstance(player, Player) and player != TERMINAL:
        legal = answer(engine.legal_actions, state)
        if isinstance(legal, tuple) and all(isinstance(action, int) for action in legal):
            yield from legal
