"""How large the extensive form of a game is, found out without solving it.

In: a game, how far to go. Out: `FormOutlook`: histories, information sets and sequences, or that
there are more histories, or that there is no such form, as somebody forgets. It solves nothing.
"""

from __future__ import annotations

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.extensive_form import (
    FormSize,
    OutOfHistoriesError,
    extensive_form,
)
from gamedsl.solvers.graphs.graph import OutOfTimeError, Progress
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class FormOutlook:
    """What was seen of an extensive form.

    Attributes:
        histories: how many there are, at least.
        size: how large it is, if all of it was seen; then players have perfect recall.
        combinations: how many combinations of the players' sequences lead to endings, in all.
        forgets: who forgets what, if somebody does: then no solver applies to such a form.
    """

    histories: int
    size: FormSize | None = None
    combinations: int = 0
    forgets: str | None = None


def form_outlook(
    game: Game, *, max_histories: int, progress: Progress | None = None
) -> FormOutlook | None:
    """Go through the histories, as far as allowed; None where everybody sees everything.

    `progress` is told so many histories; it may raise `OutOfTimeError`, which ends the look.
    Raises GameRuleError where the rules fail, or legal actions tell what is hidden.
    """
    if not (game.facts.has_secrets or game.facts.is_simultaneous):
        return None
    try:
        form = extensive_form(game, max_histories=max_histories, progress=progress)
    except OutOfHistoriesError:
        return FormOutlook(max_histories)
    except OutOfTimeError as reached:
        return FormOutlook(reached.explored)
    except UnsupportedGameError as refusal:
        return FormOutlook(0, forgets=refusal.reason)
    return FormOutlook(form.size.histories, form.size, len(form.payoffs))
