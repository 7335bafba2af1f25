"""The options of `tree` and `trace`."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.options import (
    JsonOption,
    MaxPositionsOption,
    MoveOrder,
    OrderOption,
    OutputOption,
    SimulatedOption,
    SimulationSeedOption,
    TraceAlgorithm,
    TreeFormat,
)
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """The options of `tree`."""

    depth: Annotated[
        int | None,
        typer.Option(min=0, show_default="as many as fit", help="Number of plies to draw."),
    ] = None
    algorithm: Annotated[
        TraceAlgorithm | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="Show the values, cuts and unvisited nodes of this search; auto fits the search "
            "to the game.",
        ),
    ] = None
    strategies: Annotated[
        bool,
        typer.Option(
            "--strategies",
            "--strategy",
            help="Label branches with equilibrium probabilities.",
        ),
    ] = False
    equilibrium: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            show_default="1 with --strategies",
            help="Label branches with the probabilities of equilibrium N in `solve`.",
        ),
    ] = None
    order: OrderOption = MoveOrder.DECLARED
    cutoff: Annotated[
        int | None,
        typer.Option(min=1, help="Stop the search after this many plies and use `evaluate`."),
    ] = None
    format: Annotated[
        TreeFormat,
        typer.Option(
            "--format",
            "-f",
            help="html with an algorithm: step by step; beamer: stages of a search as overlays; "
            "efg, nfg: Gambit files; matrix-...: payoff matrix; reactions: best replies of a 2x2 "
            "game, as SVG.",
        ),
    ] = TreeFormat.TEXT
    output: OutputOption = None
    frames: Annotated[
        str | None,
        typer.Option(
            metavar="STEPS",
            help="svg, latex, beamer: a picture per stage of the search: after each leaf (leaves), "
            "at each cut (cuts), after each step (all), or after steps 5,9,17.",
        ),
    ] = None
    boards: Annotated[
        bool,
        typer.Option("--boards/--no-boards", help="Draw small boards at the nodes of a picture."),
    ] = True
    states: Annotated[bool, "Describe the state of each node in words."] = False
    symmetry: Annotated[bool, "Draw a single move for rotated or mirrored results."] = False
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default="all",
            help="Draw at most this many children per node, and count the rest.",
        ),
    ] = None
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1, show_default="250; efg, nfg: 100,000", help="Draw at most this many nodes."
        ),
    ] = None
    max_visits: Annotated[
        int, typer.Option(min=1, help="Give up beyond this many visited nodes.")
    ] = 200_000
    plays: SimulatedOption = 30
    seed: SimulationSeedOption = 0


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """The options of `trace`."""

    algorithm: Annotated[
        TraceAlgorithm,
        typer.Option(
            "--algorithm",
            "-a",
            help="Search to trace; auto fits the search to players and chance.",
        ),
    ] = TraceAlgorithm.AUTO
    cutoff: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Stop after this many plies and use the file's `evaluate`.",
        ),
    ] = None
    order: OrderOption = MoveOrder.DECLARED
    summary: Annotated[bool, "Print the value and the counts without the table."] = False
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Give up beyond this many visits.",
            show_default="2000 rows for a table, no limit for a summary",
        ),
    ] = None
    max_positions: MaxPositionsOption = 100_000
    plays: SimulatedOption = 30
    seed: SimulationSeedOption = 0
    json: JsonOption = False
