"""What play shows about `repeat`: repetitions with an outcome that cannot come up.

In: a game with repetition rules. Out: notes. Plays are made that go a few steps away and try to
come back: a rule is noted where they come back to all that it compares but one variable, such as a
counter of moves, and never to all of it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamedsl.conformance.visits import AnyAction
from gamedsl.game.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, State, nodes
from gamedsl.model.repetition import head_without, key_of, reached
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.records import dataclass

ATTEMPTS = 40
"""Plays that try to come back."""
LONGEST_WAY = 6
"""Random steps before such a play goes away."""
MOST_TRIED = 60
"""Actions that are tried for the one that leads back furthest."""
FEWEST_RETURNS = 3
"""Plays that came back to all but one variable, for a note about the variable."""


@dataclass(frozen=True, slots=True)
class Return:
    """A play that came back to all that a rule compares, but for some variables."""

    names: tuple[str, ...]
    changed: frozenset[str]
    differing: frozenset[str]


def remarks_on_repeats(
    game: LoadedGame, chooser: random.Random, seen: Sequence[State], extent: str, is_whole: bool
) -> Iterator[Diagnostic]:
    """A note about each repetition rule with an outcome that cannot come up, as far as play shows.

    `seen` are states of plays, the last ones of plays among them, `extent` says how many;
    `is_whole`: they are all that play can come to.
    """
    rules = game.model.repeats
    met = {number for state in seen for number in reached(rules, state)}
    for number, rule in enumerate(rules):
        if rule.outcome is None or number in met:
            continue
        hindrance = _hindrance(game, rule, chooser)
        if hindrance is None and not is_whole:
            continue
        message = "this repetition never comes up"
        if not is_whole:
            message = f"this repetition was not met, in {extent}"
        hint = None
        if hindrance is not None:
            name, play = hindrance
            message += f": after {play} all that it compares is as it was, but for `{name}`"
            hint = f"`{head_without(rule, game.model.variables, name)}` leaves `{name}` out"
        severity = Severity.WARNING if is_whole else Severity.NOTE
        yield Diagnostic(
            "W3116", message, Label(rule.span), game.source, hint=hint, severity=severity
        )


def _hindrance(
    game: LoadedGame, rule: nodes.Repeat, chooser: random.Random
) -> tuple[str, str] | None:
    """The one variable that keeps a rule from coming up, and a play that shows this; None where a
    play comes back to all that the rule compares, or several variables stand in the way."""
    returns: Counter[str] = Counter()
    plays: dict[str, str] = {}
    for _ in range(ATTEMPTS):
        made = _attempt(game, rule, chooser)
        if made is None or not made.changed - made.differing:
            continue
        if not made.differing:
            return None
        if len(made.differing) == 1:
            (name,) = made.differing
            returns[name] += 1
            plays.setdefault(name, ", ".join(made.names))
    name, count = max(returns.items(), key=lambda item: item[1], default=("", 0))
    return (name, plays[name]) if count >= FEWEST_RETURNS else None


def _attempt(game: LoadedGame, rule: nodes.Repeat, chooser: random.Random) -> Return | None:
    """A play that goes away and comes back as far as it can; None where it ends or meets chance."""
    state: State | None = game.initial_state()
    for _ in range(chooser.randrange(LONGEST_WAY)):
        state = _random_step(game, state, chooser)
    start, names = state, []
    changed: set[str] = set()
    for step in range(2 * len(game.players)):
        is_away = step < len(game.players)
        if state is None or start is None or (actions := _choices(game, state, chooser)) is None:
            return None
        after = [game.result(state, action) for action in actions]
        place = chooser.randrange(len(after))
        if not is_away:
            place = min(range(len(after)), key=lambda n: _distance(rule, start, after[n]))
        names.append(game.action_name(state, actions[place]))
        state = after[place]
        changed |= _differing(rule, start, state)
    if state is None or start is None or state.pending is not None:
        return None
    if rule.with_turn and state.turn != start.turn:
        return None
    return Return(tuple(names), frozenset(changed), frozenset(_differing(rule, start, state)))


def _random_step(game: LoadedGame, state: State | None, chooser: random.Random) -> State | None:
    actions = None if state is None else _choices(game, state, chooser)
    if state is None or actions is None:
        return None
    return game.result(state, chooser.choice(actions))


def _choices(game: LoadedGame, state: State, chooser: random.Random) -> Sequence[AnyAction] | None:
    """Some actions of the player to move; None where nobody moves alone."""
    if game.is_terminal(state) or game.current_player(state) in (CHANCE, SIMULTANEOUS):
        return None
    actions = game.legal_actions(state)
    return actions if len(actions) <= MOST_TRIED else chooser.sample(actions, MOST_TRIED)


def _distance(rule: nodes.Repeat, state: State, other: State) -> int:
    """The number of compared cells that differ."""
    one, two = _cells(rule, state), _cells(rule, other)
    return sum(a != b for a, b in zip(one, two, strict=True))


def _cells(rule: nodes.Repeat, state: State) -> Sequence[int | None]:
    return key_of(replace(rule, with_turn=False), state.position()).cells


def _differing(rule: nodes.Repeat, state: State, other: State) -> set[str]:
    """The names of the compared variables that differ."""
    return {
        variable.name
        for variable in rule.variables
        for own in (slice(variable.offset, variable.offset + variable.size),)
        if state.cells[own] != other.cells[own]
    }
