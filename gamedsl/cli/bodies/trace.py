"""`gamedsl trace`: a textbook algorithm, step by step."""

from __future__ import annotations

from gamedsl.cli.asked.trees import TraceOptions
from gamedsl.cli.boundary import CommandError, undecided
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
from gamedsl.reports.trees.search import SearchLimitError, SearchLog
from gamedsl.solvers.textbook.algorithms import Algorithm, Order, ordering_of, search
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.pruned_leaves import pruned_leaves
from gamedsl.solvers.textbook.trace import Event, EventKind, Observer
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

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
    if options.summary:
        decision = _counted(game, state, options, quiet or options.json)
        if options.json:
            return json_text(decision_data(game, decision))
        return summary_text(game, state, decision)
    most = options.max_nodes or MOST_ROWS
    log = SearchLog(DEEPEST, most, _maximizer(game, state, Algorithm(options.algorithm)))
    try:
        with ProgressLine("searching", quiet=True) as progress:
            decision = _searched(game, state, options, _Counter(progress, None, log))
    except SearchLimitError as reached:
        more = "begin later with --at, allow more with --max-nodes, or ask for the counts with"
        raise _too_long(reached, f"{more} --summary") from reached
    pruned = pruned_leaves(game, log.events, limit=options.cutoff)
    if options.json:
        return json_text(trace_data(game, state, log.events, decision, pruned))
    return trace_text(game, log, decision, pruned)


def _maximizer(game: LoadedGame, state: State, algorithm: Algorithm) -> int:
    """The player for whom values are maximized: the first player; in paranoid search, the mover."""
    return max(game.current_player(state), 0) if algorithm is Algorithm.PARANOID else 0


def _too_long(reached: SearchLimitError, advice: str) -> CommandError:
    return undecided(
        f"stopped: the search visits more than {count(reached.visited, 'node')}; {advice}"
    )


@dataclass(slots=True)
class _Counter:
    """The observer that counts visits and passes events to an optional log."""

    progress: ProgressLine
    most: int | None
    log: SearchLog | None = None
    visited: int = 0

    def __call__(self, event: Event) -> None:
        """Count a visit. Raises `SearchLimitError`."""
        if self.log is not None:
            self.log(event)
        if event.kind is not EventKind.ENTER:
            return
        self.visited += 1
        self.progress(self.visited, 0)
        if self.most is not None and self.visited > self.most:
            raise SearchLimitError(self.most)


def _counted(game: LoadedGame, state: State, options: TraceOptions, quiet: bool) -> Decision:
    """The decision, with progress shown during the search."""
    with ProgressLine("searching", quiet) as progress:
        try:
            return _searched(game, state, options, _Counter(progress, options.max_nodes))
        except SearchLimitError as reached:
            advice = "begin later with --at, or allow more with --max-nodes"
            raise _too_long(reached, advice) from reached


def _searched(
    game: LoadedGame, state: State, options: TraceOptions, observer: Observer | None
) -> Decision:
    ordering = ordering_of(Order(options.order), game, state, max_positions=options.max_positions)
    return search(
        Algorithm(options.algorithm),
        game, state, limit=options.cutoff, ordering=ordering, observer=observer,
    )  # fmt: skip
