"""Lists all histories of a small game, grouped into the players' information sets.

In: a game. Out: the information sets of the decision nodes. Detects games
whose rules leak (two histories that a player cannot distinguish, with different legal actions). No
equilibria are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache

from gamedsl.game import contract
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import actions_at, choosers
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.source.records import dataclass

History = contract.History
"""States with the action taken in each state; the last action is None."""

DEFAULT_MAX_HISTORIES = 100_000
MOST_STEPS = 1_000
"""A history of more steps is taken for a play without end: there are too many histories."""


@dataclass(frozen=True, slots=True)
class Member:
    """A history of an information set; `chance` is the product of the chance events' weights."""

    history: History
    chance: Fraction


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Decision nodes that `player` cannot distinguish.

    `observations` are the player's observations; `actions` are the names of the legal actions.
    """

    player: int
    observations: tuple[object, ...]
    actions: tuple[str, ...]
    members: tuple[Member, ...]


def information_sets(
    game: Game, *, max_histories: int = DEFAULT_MAX_HISTORIES
) -> tuple[InformationSet, ...]:
    """The information sets of all players, in the order in which every history of the game is
    visited, depth first in declaration order. At a node with simultaneous choices each player has
    an information set.

    Raises:
        OutOfBudgetError: the game has more than `max_histories` histories, or a history of more
            than `MOST_STEPS` steps.
        GameRuleError: E3010, two histories of one information set differ in legal actions.
    """
    sets: dict[tuple[int, tuple[object, ...]], _Growing] = {}
    for history, chance in _histories(game, max_histories):
        for player in choosers(game, history[-1][0]):
            _enter(game, sets, player, Member(history, chance))
    return tuple(
        InformationSet(player, observations, growing.actions, tuple(growing.members))
        for (player, observations), growing in sets.items()
    )


def play_names(game: Game, history: History) -> tuple[str, ...]:
    """The names of the actions of a history, chance outcomes included."""
    return tuple(game.action_name(state, action) for state, action in history if action is not None)


@dataclass(slots=True)
class _Growing:
    actions: tuple[str, ...]
    members: list[Member]


def _histories(game: Game, max_histories: int) -> Iterator[tuple[History, Fraction]]:
    stack: list[tuple[History, Fraction]] = [(((game.initial_state(), None),), Fraction(1))]
    visited = 0
    while stack:
        history, chance = stack.pop()
        visited += 1
        if visited > max_histories or len(history) > MOST_STEPS:
            raise OutOfBudgetError(max_histories, visited - 1, len(stack) + 1)
        yield history, chance
        for action, weight in reversed(_branches(game, history[-1][0])):
            state = history[-1][0]
            child = game.result(state, action)
            stack.append(((*history[:-1], (state, action), (child, None)), chance * weight))


def _branches(game: Game, state: State) -> tuple[tuple[Action | JointAction, Fraction], ...]:
    mover = game.current_player(state)
    if mover == TERMINAL:
        return ()
    if mover == CHANCE:
        return game.chance_outcomes(state)
    return tuple((action, Fraction(1)) for action in actions_at(game, state))


def _enter(
    game: Game,
    sets: dict[tuple[int, tuple[object, ...]], _Growing],
    player: int,
    member: Member,
) -> None:
    actions = choices_after(game, member.history, player)
    key = (player, game.information_state(member.history, player))
    growing = sets.setdefault(key, _Growing(actions, []))
    if growing.actions != actions:
        raise leak(game, player, growing.members[0].history, member.history)
    growing.members.append(member)


def leak(game: Game, player: int, *histories: History) -> GameRuleError:
    """The error of rules that give a player different actions after two indistinguishable plays, of
    which at least one is known."""
    accounts = [
        f"after {', '.join(play_names(game, history)) or 'the start'}: "
        + ", ".join(choices_after(game, history, player))
        for history in histories
    ]
    return GameRuleError(
        "E3010",
        f"{game.players[player].name} cannot tell two plays apart, yet may do different things: "
        + "; ".join(accounts),
        hint="a legal action must not depend on what the player does not see",
        state=histories[-1][-1][0],
    )


def told_apart(
    told: Sequence[tuple[str, ...]],
    shown: Callable[[int], Sequence[str]],
    groups: Sequence[Hashable] = (),
) -> list[tuple[str, ...]]:
    """Descriptions that distinguish each of several information sets.

    Where a set's description also fits a rival set, the visible facts of the position that
    distinguish the set are added. `shown` gives the lines shown to the player in a set, by index in
    the list. `groups`, if given, holds a key for each set; only sets with equal keys are rivals.
    """
    members: dict[Hashable, list[int]] = {}
    for n in range(len(told)):
        members.setdefault(groups[n] if groups else None, []).append(n)
    descriptions = list(told)
    shown = cache(shown)
    for group in members.values():
        for n in group:
            rivals = [shown(m) for m in group if m != n and set(told[n]) <= set(told[m])]
            if rivals:
                distinct = [line for line in shown(n) if not all(line in rival for rival in rivals)]
                alone = [line for line in distinct if not any(line in rival for rival in rivals)]
                more = (line.replace(": ", "=", 1) for line in alone[:1] or distinct)
                descriptions[n] = (*told[n], *more)
    return descriptions


def choices_after(game: Game, history: History, player: int) -> tuple[str, ...]:
    """The names of a player's legal actions after a history."""
    state = history[-1][0]
    return tuple(game.action_name(state, action) for action in game.legal_actions(state, player))
