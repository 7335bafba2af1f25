"""Exports of games to other programs, in one call.

Formats: Gambit's files, and payoff matrices for documents. Games and positions are given as
described in `coerce`.
"""

from __future__ import annotations

from itertools import product

from gamedsl.game import LoadedGame
from gamedsl.game.contract import Game
from gamedsl.model import SIMULTANEOUS, UnsupportedGameError
from gamedsl.python.coerce import GivenGame, GivenState, game_of, state_of
from gamedsl.reports.matrices.as_html import matrices_html
from gamedsl.reports.matrices.as_latex import matrices_latex
from gamedsl.reports.matrices.as_svg import matrices_svg
from gamedsl.reports.matrices.cells import matrices
from gamedsl.reports.matrices.reactions import reactions_svg
from gamedsl.reports.trees.as_gambit import efg_text, nfg_text
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.graphs.walk import walk_of
from gamedsl.solvers.normal_form.form import NormalForm
from gamedsl.solvers.normal_form.reduced import reduced_form
from gamedsl.solvers.normal_form.solve import equilibria_of
from gamedsl.source.keywords import answering

MOST_NODES = 100_000
MOST_STRATEGIES = 12
"""Greatest number of rows and columns of a readable payoff matrix."""


@answering
def efg(game: GivenGame, state: GivenState = None, *, max_nodes: int = MOST_NODES) -> str:
    """The game tree below a position as a Gambit file (`.efg`), with exact numbers.

    Raises:
        OutOfBudgetError: the tree has more than `max_nodes`.
        UnsupportedGameError: the players' knowledge in the position depends on the play before.
    """
    loaded = game_of(game)
    root = state_of(loaded, state)
    return efg_text(loaded.name, loaded.facts.players, walk_of(loaded, root, max_nodes=max_nodes))


@answering
def nfg(game: GivenGame, *, max_nodes: int = MOST_NODES) -> str:
    """The reduced normal form of a game as a Gambit file (`.nfg`), with exact numbers.

    Raises:
        OutOfHistoriesError: the tree has more than `max_nodes`.
        UnsupportedGameError: there are too many plans, or a player has imperfect recall.
    """
    loaded = game_of(game)
    return nfg_text(loaded.name, _normal_form(loaded, max_nodes))


class Picture(str):
    """A picture as text, which a notebook draws."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return str(self) if self.startswith("<") else None


@answering
def matrix(game: GivenGame, view: str = "svg", *, max_nodes: int = MOST_NODES) -> str:
    """The payoff matrix of a game of two or more players.

    Best replies are underlined, pure-strategy equilibria framed; in games of several moves,
    strategies are plans. A notebook draws the matrix, the text is the picture.

    Args:
        view: `"svg"`, `"html"`, `"latex"`; or `"reactions"`, the best replies of two players with
            two strategies each as curves, with all equilibria.

    Raises:
        ValueError: the view is unknown.
        OutOfHistoriesError, UnsupportedGameError: as `nfg`; also for a one-player game, and for
            `"reactions"` with more than two strategies.
    """
    loaded = game_of(game)
    form = _normal_form(loaded, max_nodes)
    if len(form.players) < 2:
        raise UnsupportedGameError(f"{loaded.name} has one player, and a matrix is about several")
    match view:
        case "svg":
            return Picture(matrices_svg(matrices(form), loaded.name))
        case "html":
            return Picture(matrices_html(matrices(form)))
        case "latex":
            return matrices_latex(matrices(form))
        case "reactions":
            if form.sizes != (2, 2):
                sizes = " by ".join(map(str, form.sizes))
                raise UnsupportedGameError(
                    f"best replies are drawn of two strategies each, and {loaded.name} has {sizes}"
                )
            return Picture(reactions_svg(form, equilibria_of(form).equilibria, loaded.name))
    raise ValueError(f"there is no view {view!r}: svg, html, latex, reactions")


def is_single_choice(game: LoadedGame) -> bool:
    """Whether two players choose once, at the same time, each among at most `MOST_STRATEGIES`: the
    payoff matrix shows the whole game."""
    root = game.initial_state()
    if len(game.players) != 2 or game.current_player(root) != SIMULTANEOUS:
        return False
    choices = [game.legal_actions(root, player) for player in range(2)]
    return max(map(len, choices)) <= MOST_STRATEGIES and all(
        game.is_terminal(game.result(root, chosen)) for chosen in product(*choices)
    )


def _normal_form(game: Game, max_nodes: int) -> NormalForm:
    return reduced_form(extensive_form(game, max_histories=max_nodes)).normal
