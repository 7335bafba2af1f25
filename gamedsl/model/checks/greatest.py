"""Check `require e is greatest`: once in a move, unconditional, in all moves of a group.

A group of moves ends at an `otherwise`. Findings are reported as diagnostics.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from gamedsl.model import nodes
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.walk import statements
from gamedsl.source import Label


def check_greatest(moves: Sequence[nodes.Move], saying: Set[str], reporter: Reporter) -> None:
    """Report statements that cannot be compared with the statements of other moves.

    `saying`: the moves with the statement in their text, even in code that is never carried out.
    """
    for move in moves:
        requirements = [
            statement
            for statement in statements(move.body)
            if isinstance(statement, nodes.Greatest)
        ]
        for statement in requirements:
            if move.is_simultaneous:
                reporter.report(
                    "E2008",
                    statement.span,
                    "`require ... is greatest` cannot stand in a `simultaneous` move",
                    hint="what several choose at once is not compared",
                )
            elif statement is not move.greatest:
                is_second = statement in move.body
                reporter.report(
                    "E2008",
                    statement.span,
                    "a move says once, and not under a condition, what is greatest",
                    hint="add them up with weights: `10*a + b`"
                    if is_second
                    else "write `require e if c else 0 is greatest`",
                )
    first_with_it = {move.group: move for move in reversed(moves) if move.greatest is not None}
    for move in moves:
        with_it = first_with_it.get(move.group)
        if with_it is not None and with_it.greatest is not None and move.name not in saying:
            reporter.report(
                "E2008",
                move.span,
                f"`{move.name}` does not say what is greatest, and `{with_it.name}` does",
                secondary=(Label(with_it.greatest.span, "here"),),
                hint="moves that are compared all say it; with `otherwise` between them they are"
                " not compared",
            )
