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
    OutputOption,
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
            help="A position as text, picture or JSON; or the rules: as parsed (ast), with "
            "what they include (expanded), checked (model), compiled (ir), and as the "
            "Python that plays them (source)."
        ),
    ] = Stage.BOARD,
    output: OutputOption = None,
) -> ExitCode:
    """Show a position, or what the program made of the text at each stage."""
    from gamedsl.cli.bodies.show import run

    return run(request, stage, output)


@game_command("Draw the game tree.", has_limits=True, has_quiet=True)
def tree(
    request: Request,
    depth: Annotated[
        int | None,
        typer.Option(min=0, show_default="all that fit", help="Draw this many plies."),
    ] = None,
    algorithm: Annotated[
        TraceAlgorithm | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="Show this search: its values, its cuts and what it never visits; auto: the one "
            "that fits the game.",
        ),
    ] = None,
    strategies: Annotated[
        bool,
        typer.Option(
            "--strategies",
            "--strategy",
            help="Write on the branches how likely players take them in equilibrium.",
        ),
    ] = False,
    equilibrium: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            show_default="1 with --strategies",
            help="The same, of several equilibria the one with this number in `solve`.",
        ),
    ] = None,
    order: Annotated[
        MoveOrder, typer.Option(help="Which moves come first; best and worst solve first.")
    ] = MoveOrder.DECLARED,
    cutoff: Annotated[
        int | None,
        typer.Option(min=1, help="Stop the search after this many plies and use `evaluate`."),
    ] = None,
    output_format: Annotated[
        TreeFormat,
        typer.Option(
            "--format",
            help="html with an algorithm: step by step; efg and nfg: files of Gambit's; "
            "matrix-...: the payoff matrix; reactions: best replies of two by two, as SVG.",
        ),
    ] = TreeFormat.TEXT,
    output: OutputOption = None,
    frames: Annotated[
        str | None,
        typer.Option(
            metavar="STEPS",
            help="svg, latex: stages of the search as pictures of their own, after each leaf "
            "(leaves), at each cut (cuts), after each step (all), or after these: 5,9,17.",
        ),
    ] = None,
    boards: Annotated[
        bool, typer.Option("--boards/--no-boards", help="Small boards at the nodes of a picture.")
    ] = True,
    states: Annotated[
        bool, typer.Option("--states", help="Say at each node what its state is, in words.")
    ] = False,
    symmetry: Annotated[
        bool,
        typer.Option(
            "--symmetry", help="Draw one of moves whose results are turned or mirrored images."
        ),
    ] = False,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default="all",
            help="Draw so many children of each node, and count the others.",
        ),
    ] = None,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1, show_default="250; efg, nfg: 100,000", help="Draw no more nodes than these."
        ),
    ] = None,
    max_visits: Annotated[
        int, typer.Option(min=1, help="Nodes that a search may visit.")
    ] = 200_000,
    plays: SimulatedOption = 30,
    seed: SimulationSeedOption = 0,
) -> ExitCode:
    """Draw the game tree, or what an algorithm does in it, as text, picture or page."""
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


@game_command("Explain a game as a textbook would.", has_limits=True, has_quiet=True)
def explain(
    request: Request,
    output_format: Annotated[
        ExplainFormat, typer.Option("--format", help="For reading, or for a document.")
    ] = ExplainFormat.TEXT,
    edition: Annotated[
        TextbookEdition,
        typer.Option(help="Names of this edition of AIMA; 4: TO-MOVE and IS-TERMINAL."),
    ] = TextbookEdition.THIRD,
    output: OutputOption = None,
    max_positions: MaxPositionsOption = 20_000,
) -> ExitCode:
    """Explain a game as a textbook would: S0, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY."""
    from gamedsl.cli.bodies.explain import run
    from gamedsl.reports.explanations.names import Edition

    return run(request, output_format, Edition(edition), output, max_positions)


@game_command("Write down a search, step by step.", has_limits=True, has_quiet=True)
def trace(
    *,
    algorithm: Annotated[
        TraceAlgorithm,
        typer.Option(
            "--algorithm",
            "-a",
            help="The search to write down; auto: the one that fits players and chance.",
        ),
    ] = TraceAlgorithm.AUTO,
    request: Request,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "--cutoff",
            min=1,
            help="Stop after this many plies and use the file's `evaluate`.",
        ),
    ] = None,
    order: Annotated[
        MoveOrder, typer.Option(help="Which moves to look at first; best and worst solve first.")
    ] = MoveOrder.DECLARED,
    summary: Annotated[
        bool, typer.Option("--summary", help="The value and the counts, without the table.")
    ] = False,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Give up beyond this many visits.",
            show_default="2000 rows of a table, a summary has no limit",
        ),
    ] = None,
    max_positions: MaxPositionsOption = 100_000,
    plays: SimulatedOption = 30,
    seed: SimulationSeedOption = 0,
    json: JsonOption = False,
) -> ExitCode:
    """Write down what an algorithm of the textbook does: every visit, alpha, beta and value,
    what it cuts, and which leaves it never visits."""
    from gamedsl.cli.bodies.trace import TraceOptions, run, run_plays
    from gamedsl.solvers.textbook.algorithms import Algorithm, Order

    if algorithm is TraceAlgorithm.MCTS:
        return run_plays(request, plays, seed, is_summary=summary, as_json=json)
    wanted = TraceOptions(
        Algorithm(algorithm), depth, Order(order), max_nodes, max_positions, summary, json
    )
    return run(request, wanted)


@command("Set an exercise, and mark an answer to it.")
def exercise(
    name: Annotated[
        str | None,
        typer.Argument(help="An exercise, or a file .toml of your own; without it: list them."),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Argument(help="A file of rules, or what the exercise asks for, to be marked."),
    ] = None,
    hint: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Give the hint of this number.")
    ] = None,
    solution: Annotated[
        bool, typer.Option("--solution", help="Show the answer, and say why it is right.")
    ] = False,
    time: TimeOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """List exercises, set one, or mark an answer to it: rules written, a value predicted, cuts
    marked, information sets found. The answer is never shown before it is asked for."""
    from gamedsl.cli.bodies.exercise import ExerciseOptions, run

    with limited(Limits(time, memory).with_slack()):
        return run(name, answer, ExerciseOptions(hint, solution, time, json))
