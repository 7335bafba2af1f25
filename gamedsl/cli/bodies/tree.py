"""`gamedsl tree`: the game tree, with what an algorithm does in it, as text or as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import typer

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.options import TreeFormat
from gamedsl.cli.output import deliver
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.reports.json_text import json_text
from gamedsl.reports.trees.as_dot import tree_dot
from gamedsl.reports.trees.as_html import tree_html
from gamedsl.reports.trees.as_json import tree_data
from gamedsl.reports.trees.as_latex import tree_latex
from gamedsl.reports.trees.as_svg import tree_svg
from gamedsl.reports.trees.as_text import tree_text
from gamedsl.reports.trees.data import GameTree
from gamedsl.reports.trees.growth import ALL_PLIES, grow
from gamedsl.reports.trees.search import SearchLimitError, SearchLog, with_search
from gamedsl.reports.trees.size import VERY_MANY
from gamedsl.reports.trees.values import with_values
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status
from gamedsl.solvers.textbook.algorithms import Algorithm, Order, ordering_of, search
from gamedsl.solvers.textbook.ordering import Ordering

MOST_SOLVED, FEW_SOLVED = 50_000, 1_000
"""Positions solved for the values of a tree; few where the rules allow very many states."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """The options of the command.

    Attributes:
        depth: edges that are drawn; None draws all that fit.
        algorithm: whose search is shown; None shows the solved values, if there are any.
        order: in which a search looks at moves; they are drawn in the same order.
        cutoff: plies after which the search evaluates instead; None searches to the end.
        max_nodes: nodes that are drawn; max_visits: nodes that a search may visit.
        boards: whether small boards stand at the nodes.
        output: the file to write, None for standard output.
    """

    depth: int | None
    algorithm: Algorithm | None
    order: Order
    cutoff: int | None
    max_nodes: int
    max_visits: int
    boards: bool
    format: TreeFormat
    output: Path | None


def run(request: Request, wanted: TreeOptions) -> ExitCode:
    """Grow, search, write."""
    if wanted.cutoff is not None and wanted.algorithm is None:
        raise typer.BadParameter("needs an --algorithm", param_hint="--cutoff")
    game = load(request)
    with explaining(game):
        state = start(game, request)
        tree = _tree(game, state, wanted, request.quiet)
        deliver(_written(game, tree, wanted), wanted.output)
    return ExitCode.DONE


def _tree(game: LoadedGame, state: State, wanted: TreeOptions, quiet: bool) -> GameTree:
    ordering = ordering_of(wanted.order, game, state, max_positions=MOST_SOLVED)
    depth = ALL_PLIES if wanted.depth is None else wanted.depth
    tree = grow(game, state, depth, wanted.max_nodes, ordering)
    if wanted.algorithm is None:
        return _solved(game, state, tree, quiet)
    return _searched(game, state, tree, wanted, wanted.algorithm, ordering)


def _solved(game: LoadedGame, state: State, tree: GameTree, quiet: bool) -> GameTree:
    """The tree with the values of best play; as it is, where the game is not solved so soon, or a
    node is no position that has a value: a choice made at once with others, or unseen."""
    if game.facts.has_secrets or game.facts.is_simultaneous:
        return tree
    most = FEW_SOLVED if game.facts.state_bound > VERY_MANY else MOST_SOLVED
    try:
        with ProgressLine("solving", quiet) as progress:
            solution = solve(game, state, max_positions=most, progress=progress)
    except UnsupportedGameError:
        return tree
    if solution.status is not Status.STRONG:
        return tree
    return with_values(tree, solution.value_at, solution.choice, "best play", solution.ties)


def _searched(
    game: LoadedGame,
    state: State,
    tree: GameTree,
    wanted: TreeOptions,
    algorithm: Algorithm,
    ordering: Ordering,
) -> GameTree:
    is_paranoid = algorithm is Algorithm.PARANOID
    maximizer = max(game.current_player(state), 0) if is_paranoid else 0
    log = SearchLog(tree.depth, wanted.max_visits, maximizer)
    try:
        decision = search(
            algorithm, game, state, limit=wanted.cutoff, ordering=ordering, observer=log
        )
    except SearchLimitError as limit:
        raise CommandError(
            ExitCode.UNDECIDED,
            f"{algorithm} visits {limit} here; begin later (--at), stop the search early"
            " (--cutoff) or allow more (--max-visits)",
        ) from limit
    return with_search(tree, log, decision.algorithm, decision.ties)


def _written(game: LoadedGame, tree: GameTree, wanted: TreeOptions) -> str:
    pictured = game if wanted.boards else None
    match wanted.format:
        case TreeFormat.TEXT:
            return tree_text(tree)
        case TreeFormat.SVG:
            return tree_svg(tree, pictured)
        case TreeFormat.HTML:
            return tree_html(tree, pictured)
        case TreeFormat.DOT:
            return tree_dot(tree)
        case TreeFormat.LATEX:
            return tree_latex(tree)
        case TreeFormat.JSON:
            return json_text(tree_data(tree))
        case _:
            assert_never(wanted.format)
