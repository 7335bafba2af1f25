"""`gamedsl count`: the number of reachable positions, by plies."""

from __future__ import annotations

from math import inf

from gamedsl.cli.boundary import CommandError, Interrupted
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.reports.counts.positions import layers_data, layers_text, plies_text
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.graphs.layers import count_layers, count_on_sets
from gamedsl.solvers.memory import bytes_for_tables, usable_bytes


def run(request: Request, symbolic: bool, as_json: bool) -> ExitCode:
    """Count and print."""
    game, console, counts = load(request), Console(request.quiet), list[int]()
    most = usable_bytes() if request.limits.bytes is None else request.limits.bytes
    room = bytes_for_tables(most, native=True)
    with explaining(game):
        state = start(game, request)
        try:
            with ProgressLine("counting", request.quiet) as progress:
                if symbolic:
                    layers = count_on_sets(
                        game, state, max_bytes=room, progress=progress, counts=counts
                    )
                else:
                    layers = count_layers(
                        game, state, seconds=inf, max_bytes=room, progress=progress
                    )
        except Interrupted:
            if counts and not as_json:
                console.out(plies_text(counts).rstrip())
            raise
    console.out(json_text(layers_data(game, layers)) if as_json else layers_text(layers))
    if not layers.is_whole:
        message = "stopped: there is no memory for more (--memory)"
        raise CommandError(ExitCode.UNDECIDED, message)
    return ExitCode.DONE
