"""Finds the value of a single position by the native value search of a game.

In: a `Problem`. Out: the value; the first actions that keep the value, found at no more than the
cost of the value, or in the given time; or, if the budget ends first, the facts proved so far. None
if the search does not apply, for example if play can return. Facts proved during the search are
reported at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.game.accelerator import Payoffs, Refusal, ValueSearch
from gamedsl.game.contract import Action, Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.exact.outcomes import outcome_words
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.solution import MoveValue, Solution, Status

AT_LEAST = 1_000_000
"""Positions that may always be searched to compare first actions, however few the value needed."""
NAMED = 3
"""Greatest number of first actions named in a progress report."""
BUDGETS = (OutOfBudgetError, OutOfTimeError, OutOfMemoryError)


def by_value_search(problem: Problem) -> Solution | None:
    """The result of the value search; None where the search does not apply."""
    accelerator = problem.accelerator
    if isinstance(accelerator, Refusal) or problem.returns or not problem.suits_search:
        return None
    watch = _Watch(problem)
    limits = replace(problem.options.search_limits(), progress=watch.report)
    search = accelerator.value_search(limits)
    if isinstance(search, Refusal):
        return None
    watch.search = search
    try:
        value = search.value(problem.root)
    except UnsupportedGameError:
        return None
    except BUDGETS as reached:
        return Solution(
            problem.game,
            Status.OPEN,
            search.looked_at,
            proved=proved_words(problem.game.facts.players, *search.bounds(problem.root)),
            solver=SolverName.NATIVE_ALPHA_BETA,
            limit=problem.options.met(reached),
        )
    return _with_moves(problem, search, value)


def _with_moves(problem: Problem, search: ValueSearch, value: Payoffs) -> Solution:
    """The value, and the first actions known to keep the value."""
    game, root, spent = problem.game, problem.root, search.looked_at
    search.max_positions = problem.options.max_positions
    if not problem.options.wants_value or problem.ends is None:
        most = spent + max(spent, AT_LEAST)
        search.max_positions = min(most, problem.options.max_positions or most)
    best, undecided = list[Action](), list[Action]()
    actions = game.legal_actions(root)
    for number, action in enumerate(actions):
        _tell_of_moves(problem, value, best, number, len(actions))
        try:
            if keeps(game, root, search, action, value):
                best.append(action)
        except (*BUDGETS, UnsupportedGameError):
            undecided.append(action)
    return proved_value(game, root, search, value, best, undecided)


def _tell_of_moves(
    problem: Problem, value: Payoffs, best: Sequence[Action], asked: int, count: int
) -> None:
    if problem.options.tell is None:
        return
    game = problem.game
    names = " ".join(game.action_name(problem.root, action) for action in best[:NAMED])
    more = " ..." if len(best) > NAMED else ""
    good = f", as good: {names}{more}" if best else ""
    outcome = outcome_words(game.facts.players, value)
    problem.options.tell(f"{outcome}; {asked} of {count} first actions asked{good}")


class _Watch:
    """Progress of a value search, which reports proved bounds whenever they improve."""

    def __init__(self, problem: Problem) -> None:
        self.search: ValueSearch | None = None
        self._problem = problem
        self._told: str | None = None

    def report(self, explored: int, waiting: int) -> None:
        """Reports the progress."""
        problem, tell = self._problem, self._problem.options.tell
        if tell is not None and self.search is not None:
            low, high = self.search.bounds(problem.root)
            proved = proved_words(problem.game.facts.players, low, high)
            if proved is not None and low != high and proved != self._told:
                self._told = proved
                tell(proved)
        if problem.options.progress is not None:
            problem.options.progress(explored, waiting)


def proved_value(
    game: Game,
    root: State,
    search: ValueSearch,
    value: Payoffs,
    best: Sequence[Action],
    undecided: Sequence[Action],
) -> Solution:
    """The value of a position, the actions that keep the value, and the undecided actions."""
    return Solution(
        game,
        Status.ULTRA_WEAK,
        search.looked_at,
        value=value,
        outcome=outcome_words(game.facts.players, value),
        moves=tuple(
            MoveValue(action, game.action_name(root, action), value, None, True, False)
            for action in best
        ),
        undecided=tuple(game.action_name(root, action) for action in undecided),
        solver=SolverName.NATIVE_ALPHA_BETA,
    )


def keeps(game: Game, root: State, search: ValueSearch, action: Action, value: Payoffs) -> bool:
    """Whether an action gives the mover the position's value; raises the errors of the search."""
    mover = game.current_player(root)
    after = game.result(root, action)
    if game.is_terminal(after):
        return game.utilities(after)[mover] == value[mover]
    return search.gives(after, mover, value)


def proved_words(players: Sequence[str], low: Payoffs | None, high: Payoffs | None) -> str | None:
    """Proved bounds in words, or None: the first of two players gets at least `low` and at most
    `high`."""
    sides = [(low, 0), (high, 1)]
    bounds = [
        _at_least(players, payoffs, player) for payoffs, player in sides if payoffs is not None
    ]
    return " and ".join(bounds) or None


def _at_least(players: Sequence[str], payoffs: Payoffs, player: int) -> str:
    """The statement that a player gets at least the given payoff."""
    if not any(payoffs):
        return f"{players[player]} does not lose"
    return f"{players[player]} gets at least {payoffs[player]}"
