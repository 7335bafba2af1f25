"""Larger views of a game for the page: the formal definition, trees, the payoff matrix.

Answers are values for JSON; a tree is a complete HTML page.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.model import UnsupportedGameError
from gamedsl.playground.plays import play_at
from gamedsl.playground.reading import load_text
from gamedsl.python.views import explain, tree
from gamedsl.reports.explanations.as_html import sections_html
from gamedsl.reports.trees.as_html import tree_html
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.graphs.information import told_apart
from gamedsl.solvers.normal_form.form import NormalForm, best_replies
from gamedsl.solvers.normal_form.reduced import reduced_form

MOST_HISTORIES = 20_000
MOST_STRATEGIES = 24
"""Limit on a player's strategies in a displayed matrix."""
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

    Raises `UnsupportedGameError` for games with perfect information.
    """
    game = load_text(text)
    if not (game.facts.is_simultaneous or game.facts.has_secrets):
        raise UnsupportedGameError(
            "everybody sees everything, and one after the other moves: the tree says it all"
        )
    form = extensive_form(game, max_histories=MOST_HISTORIES)
    answer: dict[str, object] = {"sets": list(_sets(form))[:MOST_SETS], "why": "", "table": None}
    try:
        answer["table"] = _table(reduced_form(form).normal)
    except UnsupportedGameError as refusal:
        answer["why"] = refusal.reason
    return answer


def _sets(form: ExtensiveForm) -> Iterator[dict[str, object]]:
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
        for information_set, drawn in zip(sets, told, strict=True):
            yield {
                "player": form.game.facts.players[player],
                "knows": [*drawn, *information_set.seen],
                "actions": list(information_set.actions),
                "size": information_set.size,
            }


def _table(form: NormalForm) -> dict[str, object]:
    if len(form.players) != 2:
        raise UnsupportedGameError(f"a matrix is of two players, not of {len(form.players)}")
    if max(form.sizes) > MOST_STRATEGIES:
        raise UnsupportedGameError(
            f"the players have {form.sizes[0]:,} and {form.sizes[1]:,} plans: too many for "
            "a table; `Who wins?` gives the best choice for each information set"
        )
    rows, columns = form.strategies
    return {
        "players": list(form.players),
        "rows": list(rows),
        "columns": list(columns),
        "cells": [
            [
                [
                    {"payoff": str(payoff), "is_best": is_best}
                    for payoff, is_best in zip(
                        form.payoffs[row, column], best_replies(form, (row, column)), strict=True
                    )
                ]
                for column in range(len(columns))
            ]
            for row in range(len(rows))
        ],
    }
