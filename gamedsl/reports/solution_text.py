"""A solution for people: the value, how it is known, best play, and what each move is worth.

In: a `Solution`, whose move it is, and the board. Out: text. Solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill, indent

from gamedsl.model.board import Board
from gamedsl.reports.move_values import WIDTH, Setting, move_values_text
from gamedsl.reports.words import bound_text, count, decimal_text, duration
from gamedsl.solvers.solution import Solution, Status

MARGIN = 14
"""Columns of the words in front of each line."""


def solution_text(solution: Solution, mover: int, board: Board | None) -> str:
    """The report. `mover` is the index of the player to move (negative: nobody)."""
    parts = [_headline(solution), "\n".join(_line(*line) for line in _lines(solution))]
    if solution.moves and solution.status is not Status.WEAK:
        moves = move_values_text(solution.moves, setting_of(solution, mover, board))
        parts.append(f"what each move leads to:\n\n{indent(moves, '  ')}")
    return "\n\n".join(parts)


def setting_of(solution: Solution, mover: int, board: Board | None) -> Setting:
    """How the moves of a solution are put into words."""
    return Setting(
        solution.players,
        mover,
        bool(solution.chance_nodes) or bool(solution.error_bound),
        solution.error_bound,
        board,
    )


def _headline(solution: Solution) -> str:
    settings = ", ".join(f"{name} = {value}" for name, value in solution.parameters)
    title = f"{solution.game} ({settings})" if settings else solution.game
    return f"{title}: {solution.outcome}"


def _lines(solution: Solution) -> Iterator[tuple[str, str]]:
    yield _status(solution)
    if solution.error_bound and solution.value is not None:
        values = ", ".join(
            f"{name} {decimal_text(payoff)}"
            for name, payoff in zip(solution.players, solution.value, strict=True)
        )
        yield "value", f"{values}; proven error at most {bound_text(solution.error_bound)}"
    elif solution.chance_nodes and solution.value is not None:
        pairs = zip(solution.players, solution.value, strict=True)
        yield "value", ", ".join(f"{name} {payoff}" for name, payoff in pairs)
    if solution.best:
        yield "best moves", _best(solution)
    if solution.plies is not None:
        yield "length", f"{count(solution.plies, 'ply')} of best play"
    if solution.principal_variation:
        yield "best play", " ".join(solution.principal_variation)
    if solution.ties:
        yield "ties", solution.ties
    if solution.solver is not None:
        yield "solved by", f"{solution.solver}, {duration(solution.seconds)}"


def _status(solution: Solution) -> tuple[str, str]:
    positions = count(solution.positions, "position")
    match solution.status:
        case Status.STRONG:
            chance = count(solution.chance_nodes, "chance event")
            more = f", {chance}" if solution.chance_nodes else ""
            endings = count(solution.terminals, "ending")
            return "solved", f"strongly: all {positions} ({endings}{more})"
        case Status.WEAK:
            return "solved", f"weakly: this position, after {positions}"
        case Status.ULTRA_WEAK:
            return "solved", "ultra-weakly: the value alone is known"
        case Status.OPEN:
            return "not solved", f"stopped after {positions}; --max-positions allows more"


def _best(solution: Solution) -> str:
    if len(solution.best) > 1 and len(solution.best) == len(solution.moves):
        if solution.status is Status.STRONG:
            return f"all {len(solution.moves)} are equally good"
    return "  ".join(solution.best)


def _line(words: str, text: str) -> str:
    return fill(
        text,
        WIDTH,
        initial_indent=f"  {words:<{MARGIN - 2}}",
        subsequent_indent=" " * MARGIN,
        break_on_hyphens=False,
        break_long_words=False,
    )
