"""`gamedsl tree`: the game tree, with the steps of a search, as text or as a picture."""

from __future__ import annotations

from dataclasses import asdict, replace

import typer

from gamedsl.cli.asked.trees import TreeOptions
from gamedsl.cli.boundary import refusing, undecided
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import beginning, explaining, load
from gamedsl.cli.options import TreeFormat
from gamedsl.cli.output import deliver
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.python.exports import MOST_NODES, efg, matrix, nfg
from gamedsl.python.views import MCTS, tree
from gamedsl.reports.json_text import json_text
from gamedsl.reports.trees.as_dot import tree_dot
from gamedsl.reports.trees.as_html import tree_html
from gamedsl.reports.trees.as_json import tree_data
from gamedsl.reports.trees.as_latex import slides_latex, tree_latex
from gamedsl.reports.trees.as_svg import tree_svg
from gamedsl.reports.trees.as_text import tree_text
from gamedsl.reports.trees.data import GameTree
from gamedsl.reports.trees.frames import LEAVES, frames
from gamedsl.reports.trees.search import SearchLimitError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfHistoriesError
from gamedsl.solvers.graphs.information import History
from gamedsl.source.plurals import count
from gamedsl.source.rewording import reworded

MOST_DRAWN = 250
PRINTED = frozenset({"strategies", "format", "output", "frames", "boards"})
"""Options that are no arguments of `gamedsl.tree`."""
WHOLE = frozenset(TreeFormat) - {
    TreeFormat.TEXT, TreeFormat.SVG, TreeFormat.HTML, TreeFormat.DOT, TreeFormat.LATEX,
    TreeFormat.BEAMER, TreeFormat.JSON,
}  # fmt: skip
"""Formats of whole games, without support for parts of the tree."""


def run(request: Request, wanted: TreeOptions) -> ExitCode:
    """Build the tree, search, write."""
    if wanted.strategies and wanted.equilibrium is None:
        wanted = replace(wanted, equilibrium=1)
    if wanted.algorithm == MCTS and (wanted.cutoff, wanted.depth) != (None, None):
        raise typer.BadParameter(
            "mcts has neither --depth nor --cutoff; --plays says how long it goes on",
            param_hint="--algorithm",
        )
    if wanted.cutoff is not None and wanted.algorithm is None:
        raise typer.BadParameter("needs an --algorithm", param_hint="--cutoff")
    if wanted.equilibrium is not None:
        _refuse_searches(wanted)
    stages = wanted.frames or (LEAVES if wanted.format is TreeFormat.BEAMER else None)
    if stages is not None:
        _refuse_frames(wanted)
    game = load(request)
    with explaining(game):
        root, steps = beginning(game, request)
        state = game.result(*steps[-1]) if steps else root
        if wanted.format in WHOLE:
            deliver(_whole(game, state, wanted), wanted.output)
            return ExitCode.DONE
        grown = _grown(game, (*steps, (state, None)), wanted, request.quiet)
        if stages is not None:
            _deliver_frames(game, grown, wanted, stages)
        else:
            deliver(_written(game, grown, wanted), wanted.output)
    return ExitCode.DONE


def _refuse_searches(wanted: TreeOptions) -> None:
    """Reject an equilibrium together with a search, and in formats of whole games."""
    if wanted.algorithm is not None:
        raise typer.BadParameter(
            "shows a search; probabilities of an equilibrium come from solving the game",
            param_hint="--algorithm",
        )
    if wanted.format in WHOLE:
        raise typer.BadParameter(
            f"{wanted.format} has no place for them", param_hint="--strategies"
        )


def _refuse_frames(wanted: TreeOptions) -> None:
    """Reject frames without a search, and in formats without pictures."""
    if wanted.algorithm is None:
        hint = "--format" if wanted.frames is None else "--frames"
        raise typer.BadParameter("needs an --algorithm", param_hint=hint)
    if wanted.format not in {TreeFormat.SVG, TreeFormat.LATEX, TreeFormat.BEAMER}:
        raise typer.BadParameter("needs --format svg, latex or beamer", param_hint="--frames")
    if wanted.format is TreeFormat.SVG and wanted.output is None:
        raise typer.BadParameter(
            "of svg are several files; say where: -o figure.svg makes figure_1.svg and so on",
            param_hint="--frames",
        )


def _deliver_frames(game: LoadedGame, grown: GameTree, wanted: TreeOptions, stages: str) -> None:
    """Write a file for each stage, or a document with a page for each stage."""
    with refusing("--frames", ValueError):
        made = frames(grown, stages)
    pictured = game if wanted.boards else None
    if wanted.format is TreeFormat.BEAMER:
        deliver(slides_latex(made.trees, pictured), wanted.output)
        return
    if wanted.output is None or wanted.format is TreeFormat.LATEX:
        deliver(tree_latex(made.trees, pictured), wanted.output)
        return
    digits = len(str(len(made.trees)))
    for number, stage in enumerate(made.trees, start=1):
        file = wanted.output.with_stem(f"{wanted.output.stem}_{number:0{digits}}")
        deliver(tree_svg(stage, pictured, made.room), file)


def _whole(game: LoadedGame, state: State, wanted: TreeOptions) -> str:
    """The whole tree as a Gambit file, or the normal form as a Gambit file or matrix."""
    if (wanted.depth, wanted.algorithm) != (None, None):
        message = f"{wanted.format} is of the whole tree"
        raise typer.BadParameter(message, param_hint="--format")
    most = wanted.max_nodes or MOST_NODES
    more = (
        f"the tree has more than {count(most, 'node')}; begin later (--at), take smaller "
        "parameters (-D) or allow more (--max-nodes)"
    )
    with reworded(undecided, more, OutOfBudgetError, OutOfHistoriesError):
        if wanted.format is TreeFormat.EFG:
            return efg(game, state, max_nodes=most)
        if state != game.initial_state():
            raise typer.BadParameter(f"{wanted.format} is of the whole game", param_hint="--at")
        if wanted.format is TreeFormat.NFG:
            return nfg(game, max_nodes=most)
        return matrix(game, wanted.format.removeprefix("matrix-"), max_nodes=most)


def _grown(game: LoadedGame, play: History, wanted: TreeOptions, quiet: bool) -> GameTree:
    try:
        with ProgressLine("solving", quiet) as progress:
            options = asdict(wanted) | {"max_nodes": wanted.max_nodes or MOST_DRAWN}
            drawn = {name: value for name, value in options.items() if name not in PRINTED}
            return tree(game, play, **drawn, progress=progress)
    except ValueError as wrong:
        if wanted.equilibrium is None:
            raise
        raise typer.BadParameter(str(wrong), param_hint="--equilibrium") from wrong
    except SearchLimitError as limit:
        raise undecided(
            f"the search visits {limit} here; begin later (--at), stop the search early"
            " (--cutoff) or allow more (--max-visits)",
        ) from limit


def _written(game: LoadedGame, grown: GameTree, wanted: TreeOptions) -> str:
    pictured = game if wanted.boards else None
    match wanted.format:
        case TreeFormat.TEXT:
            return tree_text(grown)
        case TreeFormat.SVG:
            return tree_svg(grown, pictured)
        case TreeFormat.HTML:
            return tree_html(grown, pictured)
        case TreeFormat.DOT:
            return tree_dot(grown)
        case TreeFormat.LATEX:
            return tree_latex([grown], pictured)
        case TreeFormat.JSON:
            return json_text(tree_data(grown))
        case _:
            raise AssertionError(f"{wanted.format} is of the whole tree")
