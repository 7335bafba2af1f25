"""`gamedsl tree`: the game tree, with what an algorithm does in it, as text or as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import typer

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.files import deliver
from gamedsl.cli.inputs import Request, explaining, load, start
from gamedsl.cli.options import TreeAlgorithm, TreeFormat
from gamedsl.cli.progress import Progress
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.reports.json_text import json_text
from gamedsl.reports.tree_data import GameTree
from gamedsl.reports.tree_dot import tree_dot
from gamedsl.reports.tree_growth import ALL_PLIES, grow
from gamedsl.reports.tree_html import tree_html
from gamedsl.reports.tree_json import tree_data
from gamedsl.reports.tree_latex import tree_latex
from gamedsl.reports.tree_search import SearchLimitError, SearchLog, with_search
from gamedsl.reports.tree_size import VERY_MANY
from gamedsl.reports.tree_svg import tree_svg
from gamedsl.reports.tree_text import tree_text
from gamedsl.reports.tree_values import with_values
from gamedsl.solvers.alpha_beta import alpha_beta_search
from gamedsl.solvers.cutoff import alpha_beta_cutoff_search, h_minimax_decision
from gamedsl.solvers.decision import Decision
from gamedsl.solvers.expectiminimax import expectiminimax_decision
from gamedsl.solvers.maxn import maxn_decision
from gamedsl.solvers.minimax import minimax_decision
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

MOST_SOLVED, FEW_SOLVED = 50_000, 1_000
"""Positions solved for the values of a tree; few where the rules allow very many states."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """The options of the command.

    Attributes:
        depth: edges that are drawn; None draws all that fit.
        algorithm: whose search is shown; None shows the solved values, if there are any.
        cutoff: plies after which the search evaluates instead; None searches to the end.
        max_nodes: nodes that are drawn; max_visits: nodes that a search may visit.
        boards: whether small boards stand at the nodes.
        output: the file to write, None for standard output.
    """

    depth: int | None
    algorithm: TreeAlgorithm | None
    cutoff: int | None
    max_nodes: int
    max_visits: int
    boards: bool
    format: TreeFormat
    output: Path | None
    quiet: bool = False


def run(request: Request, wanted: TreeOptions) -> ExitCode:
    """Grow, search, write."""
    if wanted.cutoff is not None and wanted.algorithm in (None, TreeAlgorithm.MAXN):
        raise typer.BadParameter("needs alpha-beta, minimax or expectiminimax",
                                 param_hint="--cutoff")  # fmt: skip
    game = load(request)
    with explaining(game):
        state = start(game, request)
        depth = ALL_PLIES if wanted.depth is None else wanted.depth
        tree = grow(game, state, depth, wanted.max_nodes)
        if wanted.algorithm is None:
            tree = _solved(game, state, tree, wanted.quiet)
        else:
            tree = _searched(game, state, tree, wanted.algorithm, wanted)
        deliver(_written(game, tree, wanted), wanted.output)
    return ExitCode.DONE


def _solved(game: LoadedGame, state: State, tree: GameTree, quiet: bool) -> GameTree:
    """The tree with the values of best play; as it is, where the game is not solved so soon."""
    most = FEW_SOLVED if game.facts.state_bound > VERY_MANY else MOST_SOLVED
    try:
        with Progress("solving", quiet) as progress:
            solution = solve(game, state, max_positions=most, progress=progress)
    except UnsupportedGameError:
        return tree
    if solution.status is not Status.STRONG:
        return tree
    return with_values(tree, solution.value_at, "best play", solution.ties)


def _searched(
    game: LoadedGame,
    state: State,
    tree: GameTree,
    algorithm: TreeAlgorithm,
    wanted: TreeOptions,
) -> GameTree:
    log = SearchLog(tree.depth, wanted.max_visits)
    try:
        decision = _search(game, state, algorithm, wanted.cutoff, log)
    except UnsupportedGameError as refusal:
        raise CommandError(ExitCode.UNSUPPORTED, f"not supported: {refusal}") from refusal
    except SearchLimitError as limit:
        raise CommandError(
            ExitCode.UNDECIDED,
            f"{algorithm} visits {limit} here; begin later (--at), stop the search early"
            " (--cutoff) or allow more (--max-visits)",
        ) from limit
    return with_search(tree, log, decision.algorithm, decision.ties)


def _search(
    game: LoadedGame, state: State, algorithm: TreeAlgorithm, cutoff: int | None, log: SearchLog
) -> Decision:
    match algorithm:
        case TreeAlgorithm.MINIMAX if cutoff is None:
            return minimax_decision(game, state, observer=log)
        case TreeAlgorithm.ALPHA_BETA if cutoff is None:
            return alpha_beta_search(game, state, observer=log)
        case TreeAlgorithm.EXPECTIMINIMAX if cutoff is None:
            return expectiminimax_decision(game, state, observer=log)
        case TreeAlgorithm.ALPHA_BETA if cutoff is not None:
            return alpha_beta_cutoff_search(game, cutoff, state, observer=log)
        case TreeAlgorithm.MINIMAX | TreeAlgorithm.EXPECTIMINIMAX if cutoff is not None:
            return h_minimax_decision(game, cutoff, state, observer=log)
        case _:
            return maxn_decision(game, state, observer=log)


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
