"""One stage in which all choose at once, where choosing needs no chance.

In: what each player may choose, and the payoffs of every combination. Out: the combination that
is left by iterated strict dominance, which every equilibrium of the stage plays (Luce and Raiffa,
"Games and Decisions", 1957, section 5.7); a saddle point, where interests are opposed (von
Neumann 1928); or an equilibrium in weakly dominant strategies. Equilibria in mixed strategies are
not looked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from gamedsl.game.contract import Action, JointAction
from gamedsl.solvers.graphs.graph import Vector

Choices = tuple[tuple[Action, ...], ...]
"""The actions that each player may choose, or has left."""
Payoffs = Mapping[JointAction, Vector]


def choices_of(joint_actions: Sequence[JointAction]) -> Choices:
    """What each player may choose, in order."""
    return tuple(tuple(dict.fromkeys(column)) for column in zip(*joint_actions, strict=True))


def undominated(choices: Choices, payoffs: Payoffs) -> Choices:
    """What is left when choices are crossed out, again and again, that give their player less than
    another one whatever the others choose of what is left to them."""
    left = list(choices)
    is_changing = True
    while is_changing:
        is_changing = False
        for player in range(len(left)):
            kept = tuple(
                one
                for one in left[player]
                if not any(_dominates(other, one, player, left, payoffs) for other in left[player])
            )
            is_changing = is_changing or len(kept) < len(left[player])
            left[player] = kept
    return tuple(left)


def _dominates(
    other: Action, one: Action, player: int, left: Sequence[tuple[Action, ...]], payoffs: Payoffs
) -> bool:
    """Whether `other` gives a player more than `one` against whatever the others may choose."""
    around = [actions if p != player else (one,) for p, actions in enumerate(left)]
    return all(
        payoffs[(*joint[:player], other, *joint[player + 1 :])][player] > payoffs[joint][player]
        for joint in product(*around)
    )


def dominant(choices: Choices, payoffs: Payoffs) -> Choices:
    """Of each player the choices that are weakly dominant: no worse than any other of his own,
    whatever the others do. Several of a player give that player the same, but not the others.

    Nothing is crossed out here, so that no order of crossing out can matter; but there may be
    other equilibria (Y. Shoham and K. Leyton-Brown, "Multiagent Systems", 2009, section 3.4.3,
    where such choices are called very weakly dominant).
    """
    return tuple(
        tuple(
            one
            for one in own
            if all(_is_no_worse(one, other, player, choices, payoffs) for other in own)
        )
        for player, own in enumerate(choices)
    )


def _is_no_worse(
    one: Action, other: Action, player: int, choices: Choices, payoffs: Payoffs
) -> bool:
    around = [own if p != player else (other,) for p, own in enumerate(choices)]
    return all(
        payoffs[(*joint[:player], one, *joint[player + 1 :])][player] >= payoffs[joint][player]
        for joint in product(*around)
    )


def saddle_point(choices: Choices, payoffs: Payoffs) -> JointAction | None:
    """The first pair of choices of two players, whose payoffs have a constant sum, from which
    neither gains by another; None if there is none."""
    rows, columns = choices
    safe = max(rows, key=lambda row: min(payoffs[row, column][0] for column in columns))
    counter = min(columns, key=lambda column: max(payoffs[row, column][0] for row in rows))
    least = min(payoffs[safe, column][0] for column in columns)
    most = max(payoffs[row, counter][0] for row in rows)
    return (safe, counter) if least == most else None
