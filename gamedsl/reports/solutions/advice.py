"""Advice for a play in words: the advised action, and how it came about."""

from __future__ import annotations

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.reports.solutions.best_moves import method_words, proof_words, sampled_words
from gamedsl.reports.solutions.policy import choice_words, is_mixed, worth_words
from gamedsl.solvers.advice.counsel import Advice, Counsel
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.textbook.decision import Decision


def way_words(game: Game, advice: Advice) -> str:
    """The method behind an advised action."""
    answer = advice.answer
    if isinstance(answer, Decision):
        return method_words(answer)
    if not isinstance(answer, Solution):
        return sampled_words(answer)
    if not advice.drawn:
        return proof_words(answer)
    return "best by what can be known" if len(game.players) == 1 else _sort_of(answer)


def advice_words(game: Game, advice: Advice, state: State, player: int) -> str:
    """The advised action of a player, by name or as probabilities."""
    name = repr(game.players[player])
    values = (
        worth_words(choice, name) for choice in advice.informed if choice.local.player == player
    )
    more = "".join(f"; {words}" for words in values)
    how = way_words(game, advice)
    for local in advice.drawn:
        if local.player == player:
            return f"{choice_words(local)} ({how}{more})"
    return f"{game.action_name(state, advice.of(player))} ({how})"


def counsel_words(counsel: Counsel) -> str:
    """How advice comes about in a play."""
    solution = counsel.adviser.solution
    if solution is not None and solution.strategies:
        mixes = ", which mixes by chance" if any(map(is_mixed, solution.strategies)) else ""
        return f"{_sort_of(solution)}{mixes}: {solution.outcome}"
    if solution is not None:
        return f"the solution: {solution.outcome}"
    how = "outcome sampling" if counsel.samples else counsel.adviser.method
    return f"{how}, {counsel.seconds:g} s a move; not solved: {counsel.adviser.why_not}"


def _sort_of(solution: Solution) -> str:
    """The kind of behaviour in a solution with mixed strategies."""
    match solution.status:
        case Status.MODEL:
            return "a model of behaviour"
        case Status.OPEN:
            return "nearly an equilibrium"
        case _:
            return "an equilibrium"
