"""Build the extensive form of a game: histories, information sets, sequences of moves.

In: a game. Out: `ExtensiveForm`. Histories are walked by a kernel over the graph of states
(`numbered_form`), or through the game contract (`history_walk`): the forms are equal.
"""

from __future__ import annotations

from gamedsl.game.contract import Game
from gamedsl.solvers.equilibria.form import ExtensiveForm, FormSize, InformationSet
from gamedsl.solvers.equilibria.history_walk import walked_form
from gamedsl.solvers.equilibria.numbered_form import numbered_form
from gamedsl.solvers.graphs.graph import Progress

__all__ = ["ExtensiveForm", "FormSize", "InformationSet", "extensive_form"]

DEFAULT_MAX_HISTORIES = 400_000
"""Default limit on histories walked through the contract."""
MOST_NUMBERED = 4_000_000
"""Default limit on histories walked by the kernel."""


def extensive_form(
    game: Game,
    *,
    max_histories: int | None = None,
    progress: Progress | None = None,
    with_tree: bool = False,
    by_kernel: bool = True,
) -> ExtensiveForm:
    """The extensive form of a game, from its initial state; depth first in declaration order.

    `with_tree`: record the tree of histories as well, at 24 bytes per history. `by_kernel`: use the
    kernel for games with sights; the form is the same.

    Raises:
        OutOfHistoriesError: there are more than `max_histories` (None: a default), or they
            are very long. The subclass EndlessHistoriesError: play can return.
        UnsupportedGameError: a player has no perfect recall.
        GameRuleError: E3010, legal actions differ within an information set.
    """
    if by_kernel and not with_tree:
        numbered = numbered_form(game, max_histories or MOST_NUMBERED, progress)
        if numbered is not None:
            return numbered
    return walked_form(game, max_histories or DEFAULT_MAX_HISTORIES, progress, with_tree=with_tree)
