"""What players do, information set by information set, in names that people know.

In: an extensive form and behaviour. Out: `LocalStrategy`, one for each information set. It solves
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gamedsl.solvers.equilibria.best_response import plan
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.information import told_apart
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class LocalStrategy:
    """With what probabilities a player chooses in an information set (Kuhn 1953).

    Attributes:
        player: the index of the player.
        drawn, seen: names of the chance results, and of the moves, by which the player can tell the
            information set.
        choices: names of the actions and their probabilities, which add up to 1.
        is_reached: whether what the player does before can lead here.
    """

    player: int
    drawn: tuple[str, ...]
    seen: tuple[str, ...]
    choices: tuple[tuple[str, Fraction], ...]
    is_reached: bool = True


def local_strategies(
    form: ExtensiveForm, profile: Sequence[Behaviour]
) -> tuple[LocalStrategy, ...]:
    """Those of the first player, then those of the next; what comes first stands first."""
    return tuple(
        found for player in range(len(form.sets)) for found in _of(form, player, profile[player])
    )


def _of(form: ExtensiveForm, player: int, own: Behaviour) -> Iterator[LocalStrategy]:
    sets = form.sets[player]
    weights = plan(sets, own)

    def shown(place: int) -> list[str]:
        return form.game.show(sets[place].history[-1][0], player, in_words=True).splitlines()

    seen = [one.seen for one in sets]
    told = told_apart([one.drawn for one in sets], shown, seen)
    for found, probabilities, words in zip(sets, own, told, strict=True):
        choices = tuple(zip(found.actions, probabilities, strict=True))
        yield LocalStrategy(player, words, found.seen, choices, weights[found.parent] > 0)
