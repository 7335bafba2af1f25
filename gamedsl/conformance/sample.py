"""A sample of play: legal actions, endings and steps from visited positions and random plays.

A `Sample` records legal actions, the number of plays per payoff vector, and steps from all over the
visited part of the game. The module draws no conclusions.
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
"""Visited positions examined in detail, evenly spaced."""

PLAYS = 400
"""Random plays through visited positions in games with rewards."""


@dataclass(slots=True)
class Sample:
    """Observations of a game.

    Attributes:
        legal: every action that was legal in an observed state.
        endings: number of plays per payoff vector, rewards on the way included.
        finished: number of random plays that came to an end.
        states: states of random plays and visited positions.
        steps: state, chosen action and next state.
        visits: the visited positions; None before `look_at`.
    """

    legal: set[int] = field(default_factory=set)
    endings: Counter[tuple[Fraction, ...]] = field(default_factory=Counter)
    finished: int = 0
    states: list[State] = field(default_factory=list)
    steps: list[tuple[State, int, State]] = field(default_factory=list)
    visits: Visits | None = None

    @property
    def has_every_visit(self) -> bool:
        """Whether every visited position is among the states."""
        return self.visits is not None and len(self.visits.movers) <= MOST_STATES

    def every_state(self) -> list[State]:
        """The states, and every visited position that is not among them."""
        if self.visits is None or self.has_every_visit:
            return self.states
        return [*self.states, *map(self.visits.state, range(len(self.visits.movers)))]

    def add(self, state: State, choice: AnyAction, after: State) -> None:
        """Add a step of a random play."""
        self.states.append(state)
        if state.pending is not None:
            return
        if isinstance(choice, tuple):
            self.legal.update(choice)
        else:
            self.legal.add(choice)
            self.steps.append((state, choice, after))

    def end(self, state: State, payoffs: tuple[Fraction, ...]) -> None:
        """Add the end of a random play."""
        self.states.append(state)
        self.endings[payoffs] += 1
        self.finished += 1

    def look_at(self, visits: Visits) -> None:
        """Add all legal actions, all endings and a selection of the positions of `visits`.

        With rewards an ending does not determine the payoffs of a play; random plays supply them.
        """
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
        self.visits = visits
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
    """At most `most` of the numbers below `count`, evenly spaced."""
    yield from range(0, count, max(1, -(-count // most)))
