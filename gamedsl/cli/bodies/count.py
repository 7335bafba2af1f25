"""`gamedsl count`: the number of reachable positions, by plies."""

from __future__ import annotations

from math import inf

from gamedsl.cli.boundary import Interrupted, undecided
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.process import seconds_spent
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.reports.counts.positions import layers_data, layers_text
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.graphs.layers import Depth, Layers, count_layers, count_on_sets
from gamedsl.solvers.memory import bytes_for_tables, usable_bytes


def run(request: Request, symbolic: bool, as_json: bool) -> ExitCode:
    """Count and print; after an interruption the depths counted so far."""
    game, console, depths = load(request), Console(request.quiet), list[Depth]()
    most = usable_bytes() if request.limits.bytes is None else request.limits.bytes
    room = bytes_for_tables(most, native=True)

    def tell(layers: Layers) -> None:
        console.out(json_text(layers_data(game, layers)) if as_json else layers_text(layers))

    with explaining(game):
        state = start(game, request)
        try:
            with ProgressLine("counting", request.quiet) as progress:
                if symbolic:
                    layers = _on_sets(game, state, room, progress, depths)
                else:
                    layers = count_layers(
                        game, state, seconds=inf, max_bytes=room, progress=progress, depths=depths
                    )
        except Interrupted:
            if depths:
                tell(Layers.of(depths, is_whole=False, seconds=seconds_spent()))
            raise
    if layers.is_whole:
        tell(layers)
        return ExitCode.DONE
    if depths:
        tell(Layers.of(depths, is_whole=False, seconds=layers.seconds))
    raise undecided("stopped: there is no memory for more (--memory)")


def _on_sets(
    game: LoadedGame, state: State, room: int, progress: ProgressLine, depths: list[Depth]
) -> Layers:
    try:
        return count_on_sets(game, state, max_bytes=room, progress=progress, depths=depths)
    except UnsupportedGameError as refusal:
        advice = "without --symbolic positions are counted one by one"
        raise UnsupportedGameError(f"{refusal.reason}; {advice}") from refusal
