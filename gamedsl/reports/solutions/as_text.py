"""A solution for people: the value, how it is known, best play, and what each move is worth.

In: a `Solution`, whose move it is, and the board. Out: text. Solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from gamedsl.model.board import Board
from gamedsl.reports.paragraphs import labelled, listed
from gamedsl.reports.phrases import bound_text, count, decimal_text, duration, titled
from gamedsl.reports.solutions.move_values import Setting, move_values_text, progress_line
from gamedsl.reports.solutions.policy import plan_words
from gamedsl.solvers.solution import Solution, SolverName, Status

MARGIN = 14
"""Columns of the words in front of each line."""
LONGEST_LINE = 60
"""Of a longer play the beginning is shown."""
LONGEST_PLAN = 12
"""Of a longer plan the beginning is shown."""


def solution_text(solution: Solution, mover: int, board: Board | None) -> str:
    """The report. `mover` is the index of the player to move (negative: nobody)."""
    parts = [_headline(solution), _facts(solution)]
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
        is_opposed=solution.pays_at_the_end
        and (len(solution.players) == 1 or not any(sum(m.value) for m in solution.moves)),
    )


def _headline(solution: Solution) -> str:
    return f"{titled(solution.game, solution.parameters)}: {solution.outcome}"


def _facts(solution: Solution) -> str:
    return "\n".join(labelled(f"  {word}", text, MARGIN) for word, text in _lines(solution))


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
        exact = "; error bound 0" if solution.solver is SolverName.VALUE_ITERATION else ""
        yield "value", ", ".join(f"{name} {payoff}" for name, payoff in pairs) + exact
    if solution.best:
        yield "best moves", _best(solution)
        if (told_apart := progress_line(solution.moves)) is not None:
            yield told_apart
    if solution.undecided:
        yield "not known", f"whether {listed(solution.undecided)} are as good"
    if solution.plies is not None:
        yield "length", f"{count(solution.plies, 'ply')} of best play"
    if solution.principal_variation:
        yield "best play", listed(solution.principal_variation, LONGEST_LINE)
    for place, step in enumerate(solution.plan[:LONGEST_PLAN]):
        yield "" if place else "plan", plan_words(step)
    if len(solution.plan) > LONGEST_PLAN:
        yield "", "... (--policy for more)"
    if solution.kind:
        yield "kind", solution.kind
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
            return (
                "not solved",
                f"stopped after {positions}; --max-positions and --max-seconds are the limits",
            )


def _best(solution: Solution) -> str:
    is_strong = solution.status is Status.STRONG
    if is_strong and len(solution.best) == len(solution.moves) > 1:
        alike = len({move.plies for move in solution.moves}) == 1
        return f"all {len(solution.moves)} {'are equally good' if alike else 'have this value'}"
    return listed(solution.best)
