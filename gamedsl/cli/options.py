"""Arguments and options shared by several commands, with help texts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from gamedsl.cli.units import bytes_of, seconds_of

ALL = 2**62
"""No limit."""


def completed_game(incomplete: str) -> list[str]:
    """Completions of the beginning of a game's name or path."""
    from gamedsl.cli.naming import games_beginning

    return games_beginning(incomplete)


def completed_solver(incomplete: str) -> list[str]:
    """Completions of the beginning of a solver's name."""
    from gamedsl.solvers.methods import NAMED

    return [name.slug for name in NAMED if name.slug.startswith(incomplete)]


def number_or_all(text: str) -> int:
    """A number of positions as typed: `5000`, or `all`."""
    if text == "all":
        return ALL
    if text.isdecimal() and int(text):
        return int(text)
    raise typer.BadParameter(f"a number from 1 on, or `all`, is needed here, found `{text}`")


def positions_option(usual: str, purpose: str) -> Any:
    """The option `--positions N|all`, with the default and the purpose for the help."""
    return typer.Option(
        "--positions", parser=number_or_all, metavar="N|all", show_default=usual, help=purpose
    )


Question = StrEnum("Question", "CHECK SOLVE ESTIMATE PLAYOUTS")
"""Questions of a sweep: keys of `gamedsl.python.sweeps.QUESTIONS`."""
OutputFormat = StrEnum("OutputFormat", "TEXT CONCISE JSON GITHUB")
"""Output formats of `check`."""
EngineName = StrEnum("EngineName", "AUTO INTERPRETER PYTHON NATIVE")
"""The engines, by the names in `gamedsl.game.engines`."""
Protocol = StrEnum("Protocol", "AUTO JSON UCI GTP")
"""Line protocols of `engine`; auto: told by the first line."""
Stage = StrEnum("Stage", "BOARD SVG PNG PDF SHEETS STATE AST EXPANDED MODEL IR SOURCE")
"""Subjects of `show`: a position in six formats, then the stages of the rules, in order."""
PictureTheme = StrEnum("PictureTheme", "LIGHT DARK PRINT")
"""Colours of pictures: the names of `THEMES` in `gamedsl.reports.boards.themes`."""


class TraceAlgorithm(StrEnum):
    """Searches for `trace` and `tree`: the names of `Algorithm` in
    `gamedsl.solvers.textbook.algorithms`, and Monte-Carlo tree search.
    """

    AUTO = "auto"
    MINIMAX = "minimax"
    ALPHA_BETA = "alpha-beta"
    MAXN = "maxn"
    PARANOID = "paranoid"
    EXPECTIMINIMAX = "expectiminimax"
    STAR1 = "star1"
    STAR2 = "star2"
    MCTS = "mcts"


GoalChoice = StrEnum("GoalChoice", "VALUE PLAY ALL HARDEST GRUNDY")
"""Goals of `solve`: the least result to find.

`hardest`: every value, and the longest plays; `grundy`: the value of a position in a sum.
"""
MoveOrder = StrEnum("MoveOrder", "DECLARED REVERSED EVALUATE BEST WORST")
"""Orders of moves for `trace` and `tree`; the names of `Order` in
`gamedsl.solvers.textbook.algorithms`.
"""
GameKind = StrEnum("GameKind", "COUNTERS BOARD CAPTURE CARDS DICE MATRIX TREE PUZZLE")
"""Kinds of small games that `new` writes."""


class TreeFormat(StrEnum):
    """Output formats of `tree`."""

    TEXT = "text"
    SVG = "svg"
    HTML = "html"
    DOT = "dot"
    LATEX = "latex"
    BEAMER = "beamer"
    JSON = "json"
    EFG = "efg"
    NFG = "nfg"
    MATRIX_LATEX = "matrix-latex"
    MATRIX_HTML = "matrix-html"
    MATRIX_SVG = "matrix-svg"
    REACTIONS = "reactions"


ExplainFormat = StrEnum("ExplainFormat", "TEXT MARKDOWN LATEX HTML JSON")
"""Output formats of `explain`."""
SheetFormat = StrEnum("SheetFormat", "TEXT HTML JSON")
"""Output formats of `analyse` and `puzzles`."""


class TextbookEdition(StrEnum):
    """Editions of the textbook, for the names in `explain`; as in
    `gamedsl.reports.explanations.names.Edition`.
    """

    THIRD = "3"
    FOURTH = "4"


FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A .game file, `-` for standard input, the name of a shipped game, or openspiel:NAME.",
        autocompletion=completed_game,
    ),
]
FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help=".game files, `-` for standard input, or names of shipped games.",
        autocompletion=completed_game,
    ),
]
DefineOption = Annotated[
    list[str] | None,
    typer.Option("-D", "--define", metavar="NAME=VALUE", help="Set a parameter of the game."),
]
SolutionArgument = Annotated[
    Path, typer.Argument(metavar="SOLUTION", help="A solution saved by `gamedsl solve --save`.")
]
SolutionOption = Annotated[
    Path | None,
    typer.Option("--solution", metavar="SAVED", help="Use a solution saved by `solve --save`."),
]
AtOption = Annotated[
    str,
    typer.Option("--at", metavar="MOVES", help='Start after these moves: --at "e2e4 e7e5".'),
]
StateOption = Annotated[
    Path | None,
    typer.Option("--state", metavar="FILE", help="Start from the state in this JSON file."),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="OUT", help="Write to this file instead of the screen."),
]
EngineOption = Annotated[
    EngineName,
    typer.Option(
        "--engine",
        help="Engine: the interpreter, generated Python or machine code; auto chooses.",
    ),
]
JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Processes (0: one per core).")
]
SeedOption = Annotated[int, typer.Option(min=0, help="Random seed.")]
OrderOption = Annotated[MoveOrder, "Order of moves; best and worst solve the game first."]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print no progress and no notes on standard error.")
]
MaxRoundsOption = Annotated[
    int | None,
    typer.Option(
        "--max-rounds",
        min=1,
        show_default="10,000,000",
        help="Limit on the loop rounds of a body; rules beyond the limit are rejected.",
    ),
]
SimulatedOption = Annotated[
    int, typer.Option("--plays", min=1, help="mcts: number of simulated plays.")
]
SimulationSeedOption = Annotated[int, typer.Option("--seed", min=0, help="mcts: random seed.")]
AnswerTimeOption = Annotated[
    float,
    typer.Option(
        "--time",
        parser=seconds_of,
        metavar="TIME",
        help="Answer within about this time: 0.5, 90s, 10m.",
    ),
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        parser=seconds_of,
        metavar="TIME",
        show_default="any",
        help="Give up after this time: 90s, 10m, 1h30m; a plain number is seconds.",
    ),
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory",
        parser=bytes_of,
        metavar="SIZE",
        show_default="half of the free memory",
        help="Give up beyond this much memory: 500MB, 8GiB.",
    ),
]
MaxPositionsOption = Annotated[
    int, typer.Option("--max-positions", min=1, help="Give up beyond this many positions.")
]
SolverOption = Annotated[
    str | None,
    typer.Option(
        "--solver",
        metavar="NAME",
        help="Name of the algorithm; chosen automatically by default.",
        autocompletion=completed_solver,
    ),
]
GoalOption = Annotated[
    GoalChoice,
    typer.Option(
        "--goal",
        help="Least result: the value; the value with best play (play); the values of all "
        "positions (all), with the longest best plays (hardest); or the Grundy value or outcome "
        "class of a normal-play game, where the player who cannot move loses (grundy).",
    ),
]
ProvedPositionsOption = Annotated[
    int | None,
    typer.Option(
        "--max-positions",
        min=1,
        show_default="as many as the time allows",
        help="Give up a proof beyond this many positions.",
    ),
]
SolvedPositionsOption = Annotated[
    int | None,
    typer.Option(
        "--max-positions",
        min=1,
        show_default="2,000,000, fewer above 2 cells a state; native code: as memory allows",
        help="Each search gives up beyond this many positions.",
    ),
]
