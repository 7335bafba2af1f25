"""`gamedsl trace`: a textbook algorithm, step by step."""

from __future__ import annotations

from gamedsl.cli.asked.trees import TraceOptions
from gamedsl.cli.boundary import undecided
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.python.views import MCTS, simulated_plays
from gamedsl.reports.json_text import json_text
from gamedsl.reports.searches.as_json import decision_data, trace_data
from gamedsl.reports.searches.as_text import summary_text, trace_text
from gamedsl.reports.searches.plays import plays_data, plays_text
from gamedsl.reports.trees.search import SearchLimitError, SearchLog, Visits
from gamedsl.solvers.textbook.algorithms import Algorithm, Order, ordering_of, search
from gamedsl.solvers.textbook.pruned_leaves import pruned_leaves
from gamedsl.source.plurals import count

DEEPEST = 1_000_000
"""Depth limit that admits every event of a table."""
MOST_ROWS = 2_000
"""Default limit on the rows of a table."""


def run(request: Request, options: TraceOptions) -> ExitCode:
    """Search, and print the table and the result."""
    report = _plays if options.algorithm == MCTS else _report
    with opened(request) as (game, state):
        Console().out(report(game, state, options, request.quiet))
    return ExitCode.DONE


def _plays(game: LoadedGame, state: State, options: TraceOptions, _: bool) -> str:
    """A row for each simulated play, and the result."""
    decision, told = simulated_plays(game, state, options.plays, options.seed)
    if options.json:
        is_short = options.summary
        return json_text(
            decision_data(game, decision) if is_short else plays_data(game, told, decision)
        )
    if options.summary:
        return summary_text(game, state, decision)
    return plays_text(game, state, told, decision)


def _report(game: LoadedGame, state: State, options: TraceOptions, quiet: bool) -> str:
    """A row for each visit, and the result; with --summary the result alone."""
    algorithm, most = Algorithm(options.algorithm), options.max_nodes
    log, more = None, "begin later with --at, or allow more with --max-nodes"
    if not options.summary:
        paranoid = max(game.current_player(state), 0) * (algorithm is Algorithm.PARANOID)
        log, most, quiet = SearchLog(DEEPEST, most or MOST_ROWS, paranoid), None, True
        more = f"{more.replace('or allow', 'allow')}, or ask for the counts with --summary"
    try:
        with ProgressLine("searching", quiet or options.json) as progress:
            decision = search(
                algorithm,
                game,
                state,
                limit=options.cutoff,
                ordering=ordering_of(
                    Order(options.order), game, state, max_positions=options.max_positions
                ),
                observer=Visits(most, log, progress),
            )
    except SearchLimitError as reached:
        many = count(reached.visited, "node")
        raise undecided(f"stopped: the search visits more than {many}; {more}") from reached
    if log is None:
        if options.json:
            return json_text(decision_data(game, decision))
        return summary_text(game, state, decision)
    pruned = pruned_leaves(game, log.events, limit=options.cutoff)
    if options.json:
        return json_text(trace_data(game, state, log.events, decision, pruned))
    return trace_text(game, log, decision, pruned)
