"""Solves a stage of simultaneous choices by pure strategies.

Given each player's choices and the payoffs of every combination, finds the combination left by
iterated strict dominance, which every equilibrium of the stage plays (Luce and Raiffa, "Games and
Decisions", 1957, section 5.7); a saddle point, where interests are opposed (von Neumann 1928); or
an equilibrium in weakly dominant strategies. Equilibria in mixed strategies are not considered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, product
from operator import ge, gt

from gamedsl.game.contract import Action, JointAction
from gamedsl.solvers.graphs.graph import Vector

Choices = tuple[tuple[Action, ...], ...]
"""The actions open to each player, or left to each player by dominance."""
Payoffs = Mapping[JointAction, Vector]
Copies = tuple[Mapping[Action, tuple[Action, ...]], ...]
"""By player, each first copy with all its copies, itself included."""


def choices_of(joint_actions: Sequence[JointAction]) -> Choices:
    """The actions open to each player, in order."""
    return tuple(tuple(dict.fromkeys(column)) for column in zip(*joint_actions, strict=True))


def undominated(choices: Choices, payoffs: Payoffs) -> Choices:
    """Choices left by iterated elimination of strictly dominated choices.

    A choice is eliminated if another remaining choice gives the player more against all remaining
    choices of the opponents.
    """
    left = list(choices)
    is_changing = True
    while is_changing:
        is_changing = False
        for player in range(len(left)):
            remaining = tuple(
                action
                for action in left[player]
                if not any(
                    _beats(gt, rival, action, player, left, payoffs) for rival in left[player]
                )
            )
            is_changing = is_changing or len(remaining) < len(left[player])
            left[player] = remaining
    return tuple(left)


def copies(choices: Choices, payoffs: Payoffs) -> Copies:
    """Each player's choices, gathered by their payoffs: two choices are copies of each other if
    they pay all players the same, whatever the opponents choose. The first copies make up the
    reduced normal form (Kohlberg and Mertens, "On the strategic stability of equilibria",
    Econometrica 54, 1986)."""
    by_player = []
    for player, actions in enumerate(choices):
        around = tuple(product(*choices[:player], *choices[player + 1 :]))
        rows: dict[tuple[Vector, ...], list[Action]] = {}
        for action in actions:
            row = tuple(payoffs[(*joint[:player], action, *joint[player:])] for joint in around)
            rows.setdefault(row, []).append(action)
        by_player.append({alike[0]: tuple(alike) for alike in rows.values()})
    return tuple(by_player)


def with_copies(choices: Choices, alike: Copies) -> Choices:
    """First copies with all their copies, in order."""
    return tuple(
        tuple(sorted(chain.from_iterable(groups[action] for action in actions)))
        for actions, groups in zip(choices, alike, strict=True)
    )


def _beats(
    better: Callable[[Fraction, Fraction], bool],
    action: Action,
    rival: Action,
    player: int,
    choices: Sequence[tuple[Action, ...]],
    payoffs: Payoffs,
) -> bool:
    """Whether an action pays a player better than a rival against all choices of the opponents."""
    around = [actions if p != player else (rival,) for p, actions in enumerate(choices)]
    return all(
        better(
            payoffs[(*joint[:player], action, *joint[player + 1 :])][player],
            payoffs[joint][player],
        )
        for joint in product(*around)
    )


def dominant(choices: Choices, payoffs: Payoffs) -> Choices:
    """Each player's weakly dominant choices: best replies to all choices of the opponents.

    Several dominant choices of a player have equal payoffs for the player, but not for the
    opponents.

    No choice is eliminated here, and no order of elimination can matter; but the stage may have
    further equilibria (Y. Shoham and K. Leyton-Brown, "Multiagent Systems", 2009, section 3.4.3,
    where the name is "very weakly dominant").
    """
    return tuple(
        tuple(
            action
            for action in actions
            if all(_beats(ge, action, rival, player, choices, payoffs) for rival in actions)
        )
        for player, actions in enumerate(choices)
    )


def saddle_point(choices: Choices, payoffs: Payoffs) -> JointAction | None:
    """The first pure saddle point of a two-player constant-sum stage; None if no saddle point
    exists."""
    rows, columns = choices
    safe = max(rows, key=lambda row: min(payoffs[row, column][0] for column in columns))
    counter = min(columns, key=lambda column: max(payoffs[row, column][0] for row in rows))
    least = min(payoffs[safe, column][0] for column in columns)
    most = max(payoffs[row, counter][0] for row in rows)
    return (safe, counter) if least == most else None
