"""A solution as text: the value, the proof, best play, and the values of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from textwrap import indent
from typing import TYPE_CHECKING

from gamedsl.model.state import CHANCE
from gamedsl.reports.paragraphs import fill, labelled, line_width, listed, whole
from gamedsl.reports.phrases import (
    all_alike,
    bound_text,
    compiling_words,
    decimal_text,
    duration,
    titled,
    undecided_words,
    value_words,
)
from gamedsl.reports.solutions.move_values import Ground, Setting, move_values_text, progress_line
from gamedsl.reports.solutions.payoff_matrix import form_of_moves, titled_matrix, too_many_words
from gamedsl.reports.solutions.policy import decisions, local_words, plan_words
from gamedsl.solvers.decimals import rounded, rounded_up
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.form import NormalForm
from gamedsl.solvers.solution import Limit, OutcomeValue, Solution, Status
from gamedsl.source.plurals import count

if TYPE_CHECKING:
    from gamedsl.solvers.equilibria.extensive_form import FormSize
    from gamedsl.solvers.equilibria.learning_curve import LearningCurve
    from gamedsl.solvers.normal_form.quantal_response import QuantalResponse

MARGIN = 14
"""Columns of the label in front of a line."""
LONGEST_FRACTION = 30
"""Limit on the characters of an exact payoff."""
LONGEST_LINE = 60
"""Limit on the plies of a line of play; the beginning is shown."""
MOST_OUTCOMES = 20
"""Limit on the results of chance shown."""
LONGEST_PLAN = 12
"""Limit on the steps of a plan; the beginning is shown."""
LIMITS: dict[Limit | None, str] = {
    None: "",
    Limit.TIME: ", until the time was up (--time)",
    Limit.MEMORY: ", until there was no memory for more (--memory)",
    Limit.POSITIONS: ", as many as --max-positions allows",
    Limit.USUAL_POSITIONS: ", as many as are looked at unless --max-positions names a number",
}
"""The reason for the end of a search."""


def solution_text(
    solution: Solution, mover: int, ground: Ground | None, *, has_colours: bool = False
) -> str:
    """The report. `mover` is the index of the player to move (negative: nobody)."""
    parts = [summary_text(solution)]
    if (matrix := _matrix(solution)) is not None:
        parts.append(matrix)
    elif (words := too_many_words(solution.moves)) is not None:
        parts.append(fill(words))
    elif solution.moves and solution.status not in {Status.WEAK, Status.ULTRA_WEAK}:
        setting = setting_of(solution, mover, ground, has_colours=has_colours)
        moves = move_values_text(solution.moves, setting)
        parts.append(f"what each move leads to:\n\n{indent(moves, '  ')}")
    if outcomes := outcomes_text(solution):
        has_replies = any(outcome.best for outcome in solution.first_outcomes)
        title = "what chance leads to" + (", and the best reply" if has_replies else "")
        parts.append(f"{title}:\n\n{indent(outcomes, '  ')}")
    return "\n\n".join(parts)


def summary_text(solution: Solution) -> str:
    """The report without the values of moves."""
    return f"{_headline(solution)}\n\n{_facts(solution)}"


def _matrix(solution: Solution) -> str | None:
    if solution.equilibria is not None:
        form: NormalForm | None = solution.equilibria.form
    else:
        form = None if solution.error_bound else form_of_moves(solution.moves)
    return None if form is None else titled_matrix(solution.players, form)


def outcomes_text(solution: Solution) -> str:
    """The results of a chance event at the start: probability, value, and the best replies.

    "" if the position does not start with a chance event.
    """
    outcomes = solution.first_outcomes
    shown = outcomes[:MOST_OUTCOMES]
    setting = setting_of(solution, CHANCE, None)
    labels = [f"{outcome.name} ({outcome.probability})" for outcome in shown]
    margin = max(map(len, labels), default=0) + 2
    lines = [
        labelled(label, _reply(outcome, setting), margin, line_width() - 2)
        for label, outcome in zip(labels, shown, strict=True)
    ]
    if len(outcomes) > len(shown):
        lines.append(f"... and {len(outcomes) - len(shown)} more; --at shows what follows one")
    return "\n".join(lines)


def _reply(outcome: OutcomeValue, setting: Setting) -> str:
    words = value_words(
        outcome.value, setting.players, setting.error_bound, True, is_opposed=setting.is_opposed
    )
    return f"{words}: {listed(outcome.best, LONGEST_LINE)}" if outcome.best else words


def setting_of(
    solution: Solution, mover: int, ground: Ground | None, *, has_colours: bool = False
) -> Setting:
    """The setting for the wording of a solution's moves."""
    return Setting(
        solution.players,
        mover,
        bool(solution.chance_nodes or solution.strategies or solution.error_bound),
        solution.error_bound,
        ground,
        is_opposed=solution.has_winners
        and (len(solution.players) == 1 or not any(sum(m.value) for m in solution.moves)),
        has_colours=has_colours,
    )


def _headline(solution: Solution) -> str:
    return fill(f"{titled(solution.game, solution.settings)}: {solution.outcome}", later="  ")


def _facts(solution: Solution) -> str:
    return "\n".join(labelled(f"  {word}", text, MARGIN) for word, text in summary_lines(solution))


def _shown(payoff: Fraction) -> str:
    """An exact payoff; a long payoff as decimals (`--json` writes all digits)."""
    text = str(payoff)
    return text if len(text) <= LONGEST_FRACTION else rounded(payoff, ".6f")


def summary_lines(solution: Solution) -> Iterator[tuple[str, str]]:
    """The summary as labels and texts; a line without label belongs to the line before."""
    if solution.status is not Status.OPEN or solution.positions:
        yield _status(solution)
    if solution.left_out:
        yield "without", f"{', '.join(solution.left_out)}: nothing depends on {_them(solution)}"
    if solution.proved:
        yield "proved", solution.proved
    if solution.ways:
        yield "instead", "; ".join(solution.ways)
    if solution.error_bound and solution.value is not None:
        values = ", ".join(
            f"{name} {decimal_text(payoff)}"
            for name, payoff in zip(solution.players, solution.value, strict=True)
        )
        yield "value", f"{values}; proven error at most {bound_text(solution.error_bound)}"
    elif (solution.chance_nodes or solution.strategies) and solution.value is not None:
        pairs = zip(solution.players, solution.value, strict=True)
        exact = "; error bound 0" if solution.solver is SolverName.VALUE_ITERATION else ""
        yield "value", ", ".join(f"{name} {_shown(payoff)}" for name, payoff in pairs) + exact
    if solution.equilibria is not None:
        from gamedsl.reports.solutions.equilibria import equilibria_lines

        yield from equilibria_lines(solution.equilibria)
    elif solution.best:
        yield "best moves", _best(solution)
        if (told_apart := progress_line(solution.moves)) is not None:
            yield told_apart
    if solution.undecided:
        yield "not known", undecided_words(solution.undecided)
    is_one_stage = solution.equilibria is not None and len(solution.principal_variation) == 1
    if solution.plies is not None and not is_one_stage:
        yield "length", f"{count(solution.plies, 'ply')} of best play"
    if solution.principal_variation and not is_one_stage:
        yield "best play", listed(solution.principal_variation, LONGEST_LINE)
    for place, step in enumerate(solution.plan[:LONGEST_PLAN]):
        yield "" if place else "plan", plan_words(step)
    if len(solution.plan) > LONGEST_PLAN:
        yield "", "... (--policy for more)"
    for player, name in enumerate(solution.players if solution.equilibria is None else ()):
        yield from _strategy(solution, player, name)
    if solution.families:
        from gamedsl.reports.solutions.families import family_words

        for place, words in enumerate(family_words(solution.players, solution.families)):
            yield "" if place else "all optimal", words
    if solution.learning is not None:
        yield "learnt", _learning_words(solution.learning)
    if solution.response is not None:
        yield from _response_lines(solution.response)
    if solution.kind:
        yield "kind", solution.kind
    if solution.ties:
        yield "ties", solution.ties
    if solution.solver is not None:
        time = f", {duration(solution.seconds)}{compiling_words(solution.compiling)}"
        yield "solved by", f"{solution.solver}{time if solution.seconds else ''}"


def _them(solution: Solution) -> str:
    return "it" if len(solution.left_out) == 1 else "them"


def _learning_words(curve: LearningCurve) -> str:
    marks = [f"{rounded_up(gain)} after {rounds:,}" for rounds, gain in curve.marks]
    seed = "" if curve.seed is None else f"; seed {curve.seed}"
    return f"exploitability {', '.join(map(whole, marks))} rounds{seed}"


def _response_lines(response: QuantalResponse) -> Iterator[tuple[str, str]]:
    """The precision, the residual of the response, and the events along the path."""
    words = f"each probability in proportion to exp({response.rationality} x what the action pays)"
    bound = bound_text(response.residual)
    yield "response", f"{words}; none is further off than {bound}, which is proved"
    told = "followed from 0, where all actions are chosen alike"
    if response.turns:
        told += f"; turned back at {_listed(response.turns)}"
    if response.crossings:
        told += f"; straight on at {_listed(response.crossings)}, where other branches cross it"
    yield "branch", told


def _listed(numbers: Iterable[float]) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers)


def _strategy(solution: Solution, player: int, name: str) -> Iterator[tuple[str, str]]:
    """A player's strategy in the reachable information sets with a choice."""
    strategies = decisions(solution.strategies, player)
    for place, local in enumerate(strategies[:LONGEST_PLAN]):
        parts = local_words(local, name).split(", ")
        yield "" if place else name, ", ".join(map(whole, parts))
    if len(strategies) > LONGEST_PLAN:
        yield "", f"... and {len(strategies) - LONGEST_PLAN} more (--policy)"


def _status(solution: Solution) -> tuple[str, str]:
    positions = count(solution.positions, "position")
    match solution.status:
        case Status.STRONG:
            chance = count(solution.chance_nodes, "chance event")
            more = f", {chance}" if solution.chance_nodes else ""
            endings = count(solution.terminals, "ending")
            return "solved", f"strongly: all {positions} ({endings}{more})"
        case Status.WEAK if solution.form is not None:
            return "solved", f"weakly: all {_size(solution.form)}"
        case Status.MODEL:
            size = "" if solution.form is None else f", in all {_size(solution.form)}"
            return "model", f"of behaviour{size}"
        case Status.WEAK:
            return "solved", f"weakly: this position, after {positions}"
        case Status.ULTRA_WEAK:
            return "solved", f"ultra-weakly: its value, after {positions}"
        case Status.OPEN if solution.form is not None:
            histories = count(solution.form.histories, "history")
            how = "nearly" if solution.value is None else "between proven bounds"
            return "not solved", f"exactly, but {how}; all {histories}"
        case Status.OPEN if solution.value is not None:
            return "not solved", f"exactly, but between proven bounds; all {positions}"
        case Status.OPEN:
            return "looked at", f"{positions}{LIMITS[solution.limit]}"


def _size(form: FormSize) -> str:
    sets = count(sum(form.information_sets), "information set")
    return f"{count(form.histories, 'history')}, {sets}"


def _best(solution: Solution) -> str:
    is_strong = solution.status is Status.STRONG
    if is_strong and len(solution.best) == len(solution.moves) > 1:
        alike = len({move.plies for move in solution.moves}) == 1
        return all_alike(len(solution.moves), alike)
    return listed(solution.best)
