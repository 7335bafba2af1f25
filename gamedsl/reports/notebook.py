"""The display of games, states, trees, definitions and solutions in notebooks and by `print`.

`gamedsl.game.notebook` finds the functions by name, imported functions included.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from gamedsl.game import LoadedGame
from gamedsl.reports.analyses.as_html import analysis_html
from gamedsl.reports.analyses.as_text import analysis_text as analysis_text
from gamedsl.reports.boards.as_svg import state_svg as state_svg
from gamedsl.reports.counts.estimate import estimate_text
from gamedsl.reports.explanations.as_markdown import explain_markdown as explain_markdown
from gamedsl.reports.explanations.as_text import explain_text as explain_text
from gamedsl.reports.solutions.as_text import solution_text, summary_text
from gamedsl.reports.solutions.sums import sum_text as sum_text
from gamedsl.reports.trees.as_svg import tree_svg as tree_svg
from gamedsl.reports.trees.as_text import tree_text as tree_text
from gamedsl.reports.trees.growth import grow
from gamedsl.solvers.advice.best_moves import BestMoves
from gamedsl.solvers.analysis.analysis import GameAnalysis
from gamedsl.solvers.feasibility.estimate import Estimate
from gamedsl.solvers.solution import Solution, Status


def game_svg(game: LoadedGame) -> str:
    """The first state; for a game written as a tree, the tree."""
    if game.model.tree is not None:
        return tree_svg(grow(game, game.initial_state()))
    return state_svg(game, game.initial_state())


def estimate_html(estimate: Estimate) -> str:
    """The report of `gamedsl estimate`."""
    return f"<pre>{escape(estimate_words(estimate))}</pre>"


def estimate_words(estimate: Estimate) -> str:
    """The report of `gamedsl estimate`."""
    return estimate_text(estimate, "GAME")


def solution_html(solution: Solution) -> str:
    """The report of `gamedsl solve`; the values of moves of one player as a table."""
    values = solution.moves
    if solution.status is not Status.STRONG or not values or solution.equilibria is not None:
        return f"<pre>{escape(solution_words(solution))}</pre>"
    rows = [
        ("★" * v.is_best + v.name, _payoffs(v.value), "" if v.plies is None else v.plies)
        for v in sorted(values, key=lambda v: not v.is_best)
    ]
    table = _table(("move (★ best)", "payoffs", "plies"), rows)
    return f"<pre>{escape(summary_text(solution))}</pre>{table}"


def solution_words(solution: Solution) -> str:
    """The report of `gamedsl solve`."""
    return solution_text(solution, 0 if solution.moves else -1, None)


def best_moves_html(best: BestMoves) -> str:
    """The best moves, with payoffs, length and line of best play, or with probabilities."""
    title = escape(repr(best).strip("<>").partition(": ")[2]) or "best moves"
    rows: list[tuple[object, ...]] = [
        (
            move.name,
            _payoffs(move.value),
            "" if move.plies is None else move.plies,
            " ".join(move.line),
        )
        for move in best.moves
    ]
    heads: tuple[str, ...] = ("move", "payoffs", "plies", "best play")
    if best.mixed:
        heads = ("player", "move", "probability")
        rows = [
            (local.player + 1, name, chance)
            for local in best.mixed
            for name, chance in local.choices
        ]
    return f"<p>{title}</p>{_table(heads, rows)}"


def _payoffs(value: Iterable[object]) -> str:
    return ", ".join(map(str, value))


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    first = "".join(f"<th>{escape(head)}</th>" for head in heads)
    others = (
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><tr>{first}</tr>{''.join(others)}</table>"


def analysis_page(analysis: GameAnalysis) -> str:
    """The designer's report as a page in a frame."""
    content = escape(analysis_html(analysis))
    return f'<iframe srcdoc="{content}" width="100%" height="600" style="border: 0"></iframe>'
