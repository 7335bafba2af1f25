"""Steps of play to learn from: what was chosen where, and what came of it.

In: visited positions and random plays. Out: a `Sample`: which actions were ever legal, how often
each vector of payoffs ended a play, and steps from everywhere that play got to. It judges nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction

from gamedsl.conformance.visits import AnyAction, Visits
from gamedsl.model import TERMINAL, State
from gamedsl.source.records import dataclass

MOST_STATES = 6_000
"""Positions of an exploration that are looked into, from everywhere in it."""

PLAYS = 400
"""Plays through visited positions, where what they are paid does not show in where they end."""


@dataclass(slots=True)
class Sample:
    """What was seen of a game.

    Attributes:
        legal: every action that was legal somewhere.
        endings: how often play ended with these payoffs, rewards on the way included.
        finished: random plays that came to their end.
        states: states of random plays; steps: where an action was chosen, which, and what came.
    """

    legal: set[int] = field(default_factory=set)
    endings: Counter[tuple[Fraction, ...]] = field(default_factory=Counter)
    finished: int = 0
    states: list[State] = field(default_factory=list)
    steps: list[tuple[State, int, State]] = field(default_factory=list)

    def add(self, state: State, choice: AnyAction, after: State) -> None:
        """A step of a random play."""
        self.states.append(state)
        if state.pending is not None:
            return
        if isinstance(choice, tuple):
            self.legal.update(choice)
        else:
            self.legal.add(choice)
            self.steps.append((state, choice, after))

    def end(self, state: State, payoffs: tuple[Fraction, ...]) -> None:
        """The end of a random play."""
        self.states.append(state)
        self.endings[payoffs] += 1
        self.finished += 1

    def look_at(self, visits: Visits) -> None:
        """What was visited: all that was legal, all endings, and some of the positions. Where
        steps pay, an ending does not say how play was paid that came there: plays do."""
        if visits.rewards:
            self.endings.update(visits.payoffs_of_plays(PLAYS))
        else:
            self.endings.update(visits.endings)
        for choices, mover in zip(visits.choices, visits.movers, strict=True):
            if mover is None or mover == TERMINAL or not choices:
                continue
            if isinstance(choices[0], tuple):
                self.legal.update(action for joint in choices for action in joint)  # type: ignore[union-attr]
            elif mover >= 0:
                self.legal.update(choices)  # type: ignore[arg-type]
        for number in spread(len(visits.movers), MOST_STATES):
            self._look_at_one(visits, number)

    def _look_at_one(self, visits: Visits, number: int) -> None:
        state, mover = visits.state(number), visits.movers[number]
        self.states.append(state)
        if mover is not None and mover >= 0:
            choices = visits.choices[number]
            place = number % max(1, len(choices))
            picked = choices[place] if choices else ()
            if isinstance(picked, int):
                after = visits.state(visits.successors[number][place])
                self.steps.append((state, picked, after))


def spread(count: int, most: int) -> Iterator[int]:
    """At most so many of the numbers below `count`, evenly spaced."""
    yield from range(0, count, max(1, -(-count // most)))
