"""Larger views of a game for the page: the formal definition, trees, the payoff matrix.

Answers are values for JSON; a tree is a complete HTML page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from time import perf_counter

from gamedsl.model import UnsupportedGameError
from gamedsl.playground.plays import play_at
from gamedsl.playground.reading import load_text
from gamedsl.python.views import explain, tree
from gamedsl.reports.explanations.as_html import sections_html
from gamedsl.reports.matrices.as_html import matrices_html
from gamedsl.reports.matrices.cells import matrices
from gamedsl.reports.trees.as_html import tree_html
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.graphs.graph import until
from gamedsl.solvers.graphs.information import told_apart
from gamedsl.solvers.normal_form.dominance import Left, iterated_dominance
from gamedsl.solvers.normal_form.form import Mixture, NormalForm, restricted
from gamedsl.solvers.normal_form.reduced import Plan, reduced_form
from gamedsl.solvers.normal_form.solve import equilibria_of

MOST_HISTORIES = 20_000
MOST_STRATEGIES = 24
"""Limit on a player's strategies in a displayed matrix."""
SECONDS_OF_MIXTURES = 3.0
"""Limit of the search for all equilibria of a displayed matrix; one is looked for beyond."""
MOST_SETS = 200
"""Information sets listed at most."""


def explanation(text: str, moves: list[str]) -> dict[str, object]:
    """The formal definition, at the end of a play, with formulas as MathML."""
    play = play_at(text, moves)
    explained = explain(play.game, play.state)
    return {
        "title": explained.title,
        "about": explained.about,
        "html": sections_html(explained, play.game, "h4"),
    }


def tree_page(
    text: str,
    moves: list[str],
    algorithm: str | None = None,
    depth: int | None = None,
    cutoff: int | None = None,
) -> str:
    """The tree below the end of a play, as a page that steps through a search.

    Games with secrets have their whole tree drawn and no search: a player who is not told the state
    must not read it off the tree, and a state alone has no value there.
    """
    play = play_at(text, moves)
    if play.game.facts.has_secrets:
        grown = tree(play.game, depth=depth)
    else:
        grown = tree(play.game, play.state, algorithm=algorithm, depth=depth, cutoff=cutoff)
    return tree_html(grown, play.game)


def matrix(text: str) -> dict[str, object]:
    """The normal form and the information sets of a game with imperfect information.

    A matrix too large to be shown is shown without the dominated plans. `html`: the matrix, with
    its explanation in `words`; "" if `why` gives a reason not to show a matrix.
    Raises `UnsupportedGameError` for games with perfect information.
    """
    game = load_text(text)
    if not (game.facts.is_simultaneous or game.facts.has_secrets):
        raise UnsupportedGameError(
            "everybody sees everything, and one after the other moves: the tree says it all"
        )
    form = extensive_form(game, max_histories=MOST_HISTORIES)
    plans: Sequence[Sequence[Plan]] = ()
    try:
        reduced = reduced_form(form)
        left = _left(reduced.normal)
        plans = [
            [of_player[number] for number in numbers]
            for of_player, numbers in zip(reduced.plans, left, strict=True)
        ]
        answer = _shown(reduced.normal, left)
    except UnsupportedGameError as refusal:
        answer = {"why": refusal.reason, "html": "", "words": []}
    return {**answer, "sets": list(islice(_sets(form, plans), MOST_SETS))}


def _sets(form: ExtensiveForm, plans: Sequence[Sequence[Plan]]) -> Iterator[dict[str, object]]:
    """The information sets; `dominated`: actions in none of the plans of the player."""
    for player, sets in enumerate(form.sets):

        def shown(place: int, player: int = player, sets: object = sets) -> list[str]:
            return form.game.show(
                form.sets[player][place].history[-1][0], player, in_words=True
            ).splitlines()

        told = told_apart(
            [information_set.drawn for information_set in sets],
            shown,
            [information_set.seen for information_set in sets],
        )
        for place, (information_set, drawn) in enumerate(zip(sets, told, strict=True)):
            used = {plan[place] for plan in plans[player]} - {None} if plans else set()
            yield {
                "player": form.game.facts.players[player],
                "knows": [*drawn, *information_set.seen],
                "actions": list(information_set.actions),
                "dominated": [
                    name
                    for number, name in enumerate(information_set.actions)
                    if used and number not in used
                ],
                "size": information_set.size,
            }


def _left(form: NormalForm) -> Left:
    """The plans to show, by number: all, or those that are not dominated."""
    if len(form.players) != 2:
        raise UnsupportedGameError(f"a matrix is of two players, not of {len(form.players)}")
    if max(form.sizes) <= MOST_STRATEGIES:
        return tuple(tuple(range(size)) for size in form.sizes)
    _, left = iterated_dominance(form, is_weak=True)
    if max(map(len, left)) > MOST_STRATEGIES:
        raise UnsupportedGameError(
            f"the players have {form.sizes[0]:,} and {form.sizes[1]:,} plans, and "
            f"{len(left[0])} and {len(left[1])} without the dominated plans: too many for "
            "a table; `Who wins?` gives the best choice for each information set"
        )
    return left


def _shown(form: NormalForm, left: Left) -> dict[str, object]:
    """The matrix of the plans `left`, explained, with mixtures in equilibrium."""
    rest = restricted(form, left)
    row, column = rest.players
    words = [
        f"{row} chooses a row, {column} a column. Best replies are underlined; where both are, "
        "the cell is an equilibrium."
    ]
    if rest.sizes != form.sizes:
        words += [
            f"{row} has {form.sizes[0]} plans and {column} {form.sizes[1]}. A plan is left out if "
            "another plan pays as much or more whatever the opponent does; one after the other "
            f"goes, and {rest.sizes[0]} and {rest.sizes[1]} remain. Every equilibrium of these is "
            "an equilibrium of the whole game, which may have more.",
            "The name of a plan is its choice at each information set below, in their order; "
            "choices of no remaining plan are struck out there.",
        ]
    mixtures, told = _mixtures(rest)
    return {"why": "", "html": matrices_html(matrices(rest), mixtures), "words": [*words, *told]}


def _mixtures(form: NormalForm) -> tuple[Sequence[Mixture], list[str]]:
    """The mixtures to show beside the plans, with an explanation: optimal ones where the payoffs
    have a constant sum; else of an equilibrium in which somebody mixes. None where there is none.
    """
    row, column = form.players
    if len({sum(payoffs) for payoffs in form.payoffs.values()}) == 1:
        rows, columns = map(range, form.sizes)
        solved = solve_matrix([[form.payoffs[i, j][0] for j in columns] for i in rows])
        if 1 in solved.row and 1 in solved.column:
            return (solved.row, solved.column), []
        return (solved.row, solved.column), [
            "The numbers behind the plans are probabilities. With them "
            f"{row} gets {solved.value} or more on average in every column, and {column} "
            f"keeps {row} at {solved.value} or less in every row: the value of the game. The "
            "panel Who wins? may show other probabilities with the same value."
        ]
    tick = partial(until(perf_counter() + SECONDS_OF_MIXTURES, None), 0, 0)
    try:
        known = equilibria_of(form, tick)
    except UnsupportedGameError:
        return (), []
    mixed = [equilibrium for equilibrium in known.equilibria if not equilibrium.is_pure]
    if not mixed:
        return (), []
    shown = mixed[0]
    more = "; there may be others" if known.why_more else ""
    if len(known.equilibria) > 1:
        more = "; the panel Who wins? lists others"
    return shown.mixtures, [
        "The numbers behind the plans are the probabilities of an equilibrium: against them, every "
        f"plan that is used pays the same, and no plan pays more. It pays {row} {shown.value[0]} "
        f"and {column} {shown.value[1]} on average{more}."
    ]
