"""`gamedsl trace`: a textbook algorithm, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import Request, explaining, load, start
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.reports.json_text import json_text
from gamedsl.reports.trace_json import decision_data, trace_data
from gamedsl.reports.trace_text import summary_text, trace_text
from gamedsl.reports.tree_search import SearchLimitError, SearchLog
from gamedsl.solvers.decision import Decision
from gamedsl.solvers.textbook import Algorithm, Order, ordering_of, search
from gamedsl.solvers.trace import Observer
from gamedsl.solvers.unvisited import unvisited_leaves

DEEPEST = 1_000_000
"""No event is too deep for a table."""


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What to run and how to show it.

    Attributes:
        depth: the depth limit in plies; None searches whole plays.
        max_nodes: give up beyond this many visits, where a table is wanted.
        is_summary: print the decision and the counts alone.
    """

    algorithm: Algorithm
    depth: int | None
    order: Order
    max_nodes: int
    max_positions: int
    is_summary: bool
    as_json: bool


def run(request: Request, options: TraceOptions) -> ExitCode:
    """Run, and print the table and what came out."""
    game = load(request)
    with explaining(game):
        state = start(game, request)
        try:
            Console().out(_report(game, state, options))
        except UnsupportedGameError as refusal:
            raise CommandError(ExitCode.UNSUPPORTED, f"not supported: {refusal}") from refusal
    return ExitCode.DONE


def _report(game: LoadedGame, state: State, options: TraceOptions) -> str:
    if options.is_summary:
        decision = _searched(game, state, options, None)
        if options.as_json:
            return json_text(decision_data(game, decision))
        return summary_text(game, state, decision)
    log = SearchLog(DEEPEST, options.max_nodes, _maximizer(game, state, options.algorithm))
    try:
        decision = _searched(game, state, options, log)
    except SearchLimitError as reached:
        raise CommandError(ExitCode.UNDECIDED, _too_long(reached)) from reached
    unvisited = unvisited_leaves(game, log.events, limit=options.depth)
    if options.as_json:
        return json_text(trace_data(game, state, log.events, decision, unvisited))
    return trace_text(game, log, decision, unvisited)


def _maximizer(game: LoadedGame, state: State, algorithm: Algorithm) -> int:
    """Whom the numbers are good for: the first player; in paranoid search, who is to move."""
    return max(game.current_player(state), 0) if algorithm is Algorithm.PARANOID else 0


def _too_long(reached: SearchLimitError) -> str:
    return (
        f"stopped: the search visits more than {reached.visited:,} nodes; begin later with --at, "
        "allow more with --max-nodes, or ask for the counts with --summary"
    )


def _searched(
    game: LoadedGame, state: State, options: TraceOptions, observer: Observer | None
) -> Decision:
    ordering = ordering_of(options.order, game, state, max_positions=options.max_positions)
    return search(
        options.algorithm, game, state, limit=options.depth, ordering=ordering, observer=observer
    )
