"""Measures the size of a game's extensive form without solving the game.

In: a game, and the greatest number of histories. Out: `FormEstimate`: histories, information sets
and sequences; or a larger number of histories than allowed; or no such form because of imperfect
recall.
"""

from __future__ import annotations

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.extensive_form import FormSize, extensive_form
from gamedsl.solvers.graphs.graph import OutOfHistoriesError, OutOfTimeError, Progress
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class FormEstimate:
    """Facts about an extensive form.

    Attributes:
        histories: number of histories: a lower bound.
        size: the size, if the form was explored completely; then players have perfect recall.
        combinations: number of combinations of the players' sequences that lead to endings.
        forgets: the player and the forgotten fact, under imperfect recall: then no solver applies
            to the form.
    """

    histories: int
    size: FormSize | None = None
    combinations: int = 0
    forgets: str | None = None


def estimate_form(
    game: Game, *, max_histories: int, progress: Progress | None = None
) -> FormEstimate | None:
    """Explores the histories up to the limit; None with perfect information and sequential choices.

    `progress` receives the number of histories; `OutOfTimeError` from `progress` ends exploration.
    Raises GameRuleError where the rules fail, or legal actions reveal hidden information.
    """
    if not (game.facts.has_secrets or game.facts.is_simultaneous):
        return None
    try:
        form = extensive_form(game, max_histories=max_histories, progress=progress)
    except OutOfHistoriesError:
        return FormEstimate(max_histories)
    except OutOfTimeError as reached:
        return FormEstimate(reached.explored)
    except UnsupportedGameError as refusal:
        return FormEstimate(0, forgets=refusal.reason)
    return FormEstimate(form.size.histories, form.size, len(form.payoffs))
