"""Analysis of `repeat` by play: repetition rules with an outcome that cannot occur.

Plays go a few steps away and try to return. A rule is reported if plays return to all compared
variables but one, such as a move counter, and never to all compared variables.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from gamedsl.conformance.plays import OnError
from gamedsl.conformance.visits import AnyAction
from gamedsl.game.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, GameRuleError, State, nodes
from gamedsl.model.repetition import head_without, reached
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.records import dataclass

ATTEMPTS = 40
"""Plays that try to return."""
LONGEST_WAY = 6
"""Bound on the random steps before an attempt to return begins."""
MOST_TRIED = 60
"""Actions tried for the best step back."""
MOST_RESULTS = 800
"""Results worked out in all attempts for a rule: each costs a move of the game."""
MOST_COMPARED = 500_000
"""Limit on the cells of all results for a rule: fewer results are worked out for large states."""
FEWEST_RETURNS = 3
"""Least number of plays with a single differing variable for a note about the variable."""


@dataclass(frozen=True, slots=True)
class Return:
    """A play that returned to the compared variables, except `differing`."""

    names: tuple[str, ...]
    changed: frozenset[str]
    differing: frozenset[str]


def remarks_on_repeats(
    game: LoadedGame,
    chooser: random.Random,
    seen: Sequence[State],
    extent: str,
    is_whole: bool,
    on_error: OnError,
) -> Iterator[Diagnostic]:
    """Notes about repetition rules with an outcome that play never reaches.

    Args:
        seen: states of plays, including last states.
        extent: the number of states, as text.
        is_whole: whether `seen` holds all reachable states.
        on_error: called when the rules fail.
    """
    rules = game.model.repeats
    met = {number for state in seen for number in reached(rules, state)}
    for number, rule in enumerate(rules):
        if rule.outcome is None or number in met:
            continue
        hindrance = _hindrance(game, rule, chooser, on_error)
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
    game: LoadedGame, rule: nodes.Repeat, chooser: random.Random, on_error: OnError
) -> tuple[str, str] | None:
    """The one variable that prevents a repetition, and a play as evidence.

    None if a play returns to all compared variables, or several variables differ.
    """
    returns: Counter[str] = Counter()
    plays: dict[str, str] = {}
    results = 0
    most = min(MOST_RESULTS, MOST_COMPARED // max(1, game.initial_state().size))
    for _ in range(ATTEMPTS):
        if results > most:
            break
        attempt = _Attempt(game, rule, chooser)
        made = _made(attempt, on_error)
        results += attempt.results
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


def _made(attempt: _Attempt, on_error: OnError) -> Return | None:
    """A play that goes away and returns as far as possible.

    None if the play ends, meets chance, or the rules fail; a failure goes to `on_error`.
    """
    try:
        return attempt.made()
    except GameRuleError as error:
        on_error(error, *attempt.last, attempt.past)
        return None


class _Attempt:
    """An attempt to return: `past` holds the steps, `last` the state and action tried last, and
    `results` counts the results worked out."""

    def __init__(self, game: LoadedGame, rule: nodes.Repeat, chooser: random.Random) -> None:
        self.game, self.rule, self.chooser = game, rule, chooser
        self.past: list[tuple[State, AnyAction]] = []
        self.last: tuple[State, AnyAction | None] = (game.initial_state(), None)
        self.results = 0

    def made(self) -> Return | None:
        """The play; None if the play ends or meets chance."""
        state = self.game.initial_state()
        for _ in range(self.chooser.randrange(LONGEST_WAY)):
            if (after := self._step(state, None)) is None:
                return None
            state = after
        start, before = state, len(self.past)
        changed: set[str] = set()
        for step in range(2 * len(self.game.players)):
            goal = None if step < len(self.game.players) else start
            if (after := self._step(state, goal)) is None:
                return None
            state = after
            changed |= _differing(self.rule, start, state)
        if state.pending is not None or (self.rule.with_turn and state.turn != start.turn):
            return None
        names = [self.game.action_name(*step) for step in self.past[before:]]
        differing = frozenset(_differing(self.rule, start, state))
        return Return(tuple(names), frozenset(changed), differing)

    def _step(self, state: State, goal: State | None) -> State | None:
        """The state after a random action, or after the action that leads nearest to `goal`."""
        self.last = (state, None)
        actions = _choices(self.game, state, self.chooser)
        if actions is None:
            return None
        if goal is None:
            actions = [self.chooser.choice(actions)]
        after = [self._result(state, action) for action in actions]
        place = 0
        if goal is not None:
            place = min(range(len(after)), key=lambda n: _distance(self.rule, goal, after[n]))
        self.past.append((state, actions[place]))
        return after[place]

    def _result(self, state: State, action: AnyAction) -> State:
        self.last = (state, action)
        self.results += 1
        return self.game.result(state, action)


def _choices(game: LoadedGame, state: State, chooser: random.Random) -> Sequence[AnyAction] | None:
    """At most `MOST_TRIED` legal actions; None in terminal, chance and simultaneous states."""
    if game.is_terminal(state) or game.current_player(state) in (CHANCE, SIMULTANEOUS):
        return None
    actions = game.legal_actions(state)
    return actions if len(actions) <= MOST_TRIED else chooser.sample(actions, MOST_TRIED)


def _distance(rule: nodes.Repeat, state: State, compared: State) -> int:
    """The number of compared cells that differ."""
    left, right = _cells(rule, state), _cells(rule, compared)
    return sum(a != b for a, b in zip(left, right, strict=True))


def _cells(rule: nodes.Repeat, state: State) -> Sequence[int | None]:
    return state.position().part(rule.variables, with_turn=False).cells


def _differing(rule: nodes.Repeat, state: State, compared: State) -> set[str]:
    """The names of the compared variables that differ."""
    return {
        variable.name
        for variable in rule.variables
        for cells in (slice(variable.offset, variable.offset + variable.size),)
        if state.cells[cells] != compared.cells[cells]
    }
