"""Commands for designers of games: a report on a game, and puzzles from its positions."""

from __future__ import annotations

from gamedsl.cli.asked.designs import AnalyseOptions, PuzzleOptions
from gamedsl.cli.declare import game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import MemoryOption
from gamedsl.cli.request import Request


@game_command("Report on a game for its designer.", engine_after="request")
def analyse(request: Request, options: AnalyseOptions, memory: MemoryOption = None) -> ExitCode:
    """Report how a game plays, as play-testers would: who wins between random, weak and strong
    players, how long plays are, how much there is to choose, how tense and how deep the game is,
    which first moves are fair, and which moves, squares and rules never matter."""
    from gamedsl.cli.bodies.designing import run

    with limited(Limits(None, memory)):
        return run(request, options)


@game_command("Make puzzles with one winning move.", engine_after="request")
def puzzles(request: Request, options: PuzzleOptions, memory: MemoryOption = None) -> ExitCode:
    """Make puzzles: positions of play in which exactly one move wins, proved, without symmetric
    repetitions, the hardest last, with the solutions at the end."""
    from gamedsl.cli.bodies.designing import run_puzzles

    with limited(Limits(None, memory)):
        return run_puzzles(request, options)
