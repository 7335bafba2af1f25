"""Commands that show and teach: positions, trees, definitions, searches, exercises."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.declare import command, game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import (
    ExplainFormat,
    JsonOption,
    MaxPositionsOption,
    MemoryOption,
    MoveOrder,
    OrderOption,
    OutputOption,
    PictureTheme,
    SimulatedOption,
    SimulationSeedOption,
    Stage,
    TextbookEdition,
    TimeOption,
    TraceAlgorithm,
    TreeFormat,
)
from gamedsl.cli.request import Request


@game_command("Show a position, or the rules at a stage.", has_limits=True)
def show(
    request: Request,
    stage: Annotated[
        Stage,
        typer.Option(
            "--format",
            help="A position as text (board), picture (svg, png, pdf) or JSON (state); board and "
            "men to print and cut out, on A4 (sheets, in HTML); or the rules as "
            "parsed (ast), with included files (expanded), checked (model), compiled (ir), or as "
            "generated Python (source).",
        ),
    ] = Stage.BOARD,
    theme: Annotated[
        PictureTheme, "Colours of a picture: light, dark, or for print."
    ] = PictureTheme.LIGHT,
    output: OutputOption = None,
) -> ExitCode:
    """Show a position, or the rules at a stage between text and generated Python."""
    from gamedsl.cli.bodies.show import run

    return run(request, stage, theme, output)


@game_command("Draw the game tree.", has_limits=True)
def tree(
    request: Request,
    depth: Annotated[
        int | None,
        typer.Option(min=0, show_default="as many as fit", help="Number of plies to draw."),
    ] = None,
    algorithm: Annotated[
        TraceAlgorithm | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="Show the values, cuts and unvisited nodes of this search; auto fits the search "
            "to the game.",
        ),
    ] = None,
    strategies: Annotated[
        bool,
        typer.Option(
            "--strategies",
            "--strategy",
            help="Label branches with equilibrium probabilities.",
        ),
    ] = False,
    equilibrium: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            show_default="1 with --strategies",
            help="Label branches with the probabilities of equilibrium N in `solve`.",
        ),
    ] = None,
    order: OrderOption = MoveOrder.DECLARED,
    cutoff: Annotated[
        int | None,
        typer.Option(min=1, help="Stop the search after this many plies and use `evaluate`."),
    ] = None,
    output_format: Annotated[
        TreeFormat,
        typer.Option(
            "--format",
            help="html with an algorithm: step by step; beamer: stages of a search as overlays; "
            "efg, nfg: Gambit files; matrix-...: payoff matrix; reactions: best replies of a 2x2 "
            "game, as SVG.",
        ),
    ] = TreeFormat.TEXT,
    output: OutputOption = None,
    frames: Annotated[
        str | None,
        typer.Option(
            metavar="STEPS",
            help="svg, latex, beamer: a picture per stage of the search: after each leaf (leaves), "
            "at each cut (cuts), after each step (all), or after steps 5,9,17.",
        ),
    ] = None,
    boards: Annotated[
        bool,
        typer.Option("--boards/--no-boards", help="Draw small boards at the nodes of a picture."),
    ] = True,
    states: Annotated[bool, "Describe the state of each node in words."] = False,
    symmetry: Annotated[bool, "Draw a single move for rotated or mirrored results."] = False,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default="all",
            help="Draw at most this many children per node, and count the rest.",
        ),
    ] = None,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1, show_default="250; efg, nfg: 100,000", help="Draw at most this many nodes."
        ),
    ] = None,
    max_visits: Annotated[
        int, typer.Option(min=1, help="Give up beyond this many visited nodes.")
    ] = 200_000,
    plays: SimulatedOption = 30,
    seed: SimulationSeedOption = 0,
) -> ExitCode:
    """Draw the game tree, or the steps of an algorithm, as text, picture or page."""
    from gamedsl.cli.bodies.tree import TreeOptions, run
    from gamedsl.solvers.textbook.algorithms import Algorithm, Order

    wanted = TreeOptions(
        depth=depth,
        algorithm=None if algorithm in (None, TraceAlgorithm.MCTS) else Algorithm(algorithm),
        plays=plays if algorithm is TraceAlgorithm.MCTS else None,
        equilibrium=1 if strategies and equilibrium is None else equilibrium,
        seed=seed,
        order=Order(order),
        cutoff=cutoff,
        max_nodes=max_nodes,
        max_visits=max_visits,
        boards=boards,
        states=states,
        symmetry=symmetry,
        width=width,
        frames=frames,
        format=output_format,
        output=output,
    )
    return run(request, wanted)


@game_command("Explain a game as a textbook would.", has_limits=True)
def explain(
    request: Request,
    output_format: Annotated[
        ExplainFormat, typer.Option("--format", help="Format of the explanation.")
    ] = ExplainFormat.TEXT,
    edition: Annotated[
        TextbookEdition, "Edition of AIMA for the names; 4: TO-MOVE and IS-TERMINAL."
    ] = TextbookEdition.THIRD,
    output: OutputOption = None,
    max_positions: MaxPositionsOption = 20_000,
) -> ExitCode:
    """Explain a game as a textbook would: S0, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY."""
    from gamedsl.cli.bodies.explain import run
    from gamedsl.reports.explanations.names import Edition

    return run(request, output_format, Edition(edition), output, max_positions)


@game_command("Trace a search.", has_limits=True)
def trace(
    *,
    algorithm: Annotated[
        TraceAlgorithm,
        typer.Option(
            "--algorithm",
            "-a",
            help="Search to trace; auto fits the search to players and chance.",
        ),
    ] = TraceAlgorithm.AUTO,
    request: Request,
    depth: Annotated[
        int | None,
        typer.Option(
            "--cutoff",
            min=1,
            help="Stop after this many plies and use the file's `evaluate`.",
        ),
    ] = None,
    order: OrderOption = MoveOrder.DECLARED,
    summary: Annotated[bool, "Print the value and the counts without the table."] = False,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Give up beyond this many visits.",
            show_default="2000 rows for a table, no limit for a summary",
        ),
    ] = None,
    max_positions: MaxPositionsOption = 100_000,
    plays: SimulatedOption = 30,
    seed: SimulationSeedOption = 0,
    json: JsonOption = False,
) -> ExitCode:
    """Trace a textbook algorithm: every visit with alpha, beta and value, the cuts, and the leaves
    never visited."""
    from gamedsl.cli.bodies.trace import TraceOptions, run, run_plays
    from gamedsl.solvers.textbook.algorithms import Algorithm, Order

    if algorithm is TraceAlgorithm.MCTS:
        return run_plays(request, plays, seed, is_summary=summary, as_json=json)
    wanted = TraceOptions(
        Algorithm(algorithm), depth, Order(order), max_nodes, max_positions, summary, json
    )
    return run(request, wanted)


@command("Set an exercise, and mark an answer.")
def exercise(
    name: Annotated[
        str | None,
        typer.Argument(help="An exercise, or your own .toml file; by default a list of all."),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Argument(help="The answer to mark: a file of rules, or a text."),
    ] = None,
    hint: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Show hint number N.")
    ] = None,
    solution: Annotated[bool, "Show the right answer with the reason."] = False,
    time: TimeOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """List exercises, set an exercise, or mark an answer: rules, a predicted value, pruned leaves,
    or information sets. The right answer is shown only on request."""
    from gamedsl.cli.bodies.exercise import ExerciseOptions, run

    with limited(Limits(time, memory).with_slack()):
        return run(name, answer, ExerciseOptions(hint, solution, time, json))
