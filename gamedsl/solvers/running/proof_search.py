"""Proves forced wins by the native search of a game, also where play can return.

If one of two players can force the best possible payoff, the solution is the value and a winning
play. The winning play is checked by the rules against all replies, and therefore respects rules
about repetition. Where a limit ends the search, the solution gives the number of positions
searched. The absence of a forced win is not proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from gamedsl.game.accelerator import Payoffs, ProofSearch, Refusal
from gamedsl.game.contract import Action, Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.exact.retrograde import Arena, solve_arena
from gamedsl.solvers.graphs.graph import Exploration, OutOfBudgetError, StateGraph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.proved import BUDGETS, proved_value
from gamedsl.solvers.solution import Solution, Status

HALF = 0.5
"""Share of the remaining time for the search of a value or a forced win; the rest is for the
solution of the whole game."""
USUALLY = 1_000_000
"""Greatest number of positions searched where no time limit is set."""
MOST_WALKED = 50_000
"""Greatest number of positions in which the winning play is checked."""
MOST_EXPLORED = 100_000
"""Greatest number of states in which a forced win is looked for in Python."""
DEEPEST = 250
"""Greatest length of the winning play, in plies."""
FIRST_LOOK = 4
"""Positions searched at first to decide whether an action wins; eight times as many in each later
round."""
LAST_LOOK = 1 << 20


class TooLongError(RuntimeError):
    """The winning play has more positions than the limit for checking."""


def by_proof_search(problem: Problem) -> Solution | None:
    """Result of the proof search; OPEN at a limit; None without a forced win or where the search
    does not apply."""
    accelerator, options = problem.accelerator, problem.options
    if isinstance(accelerator, Refusal) or not problem.suits_search:
        return None
    most = options.max_positions or (USUALLY if problem.ends is None else None)
    search = accelerator.proof_search(replace(options.search_limits(), positions=most))
    if isinstance(search, Refusal):
        return None
    try:
        return forced_win(problem.game, problem.root, search)
    except UnsupportedGameError:
        return None
    except BUDGETS as reached:
        return Solution(
            problem.game,
            Status.OPEN,
            search.looked_at,
            solver=SolverName.NATIVE_PROOF_NUMBERS,
            limit=options.met(reached),
        )


def by_forced_win(problem: Problem) -> Solution | None:
    """A forced win; None if no forced win is found in half of the time."""
    solution = by_proof_search(problem.within_part(HALF))
    return None if solution is None or solution.status is Status.OPEN else solution


def by_forced_win_in_graph(problem: Problem) -> Solution | None:
    """A forced win by retrograde analysis in Python, where the rules fail in some states; None if
    there is none among the first `MOST_EXPLORED` states. Failing and unexplored states are won by
    nobody, so that a proof rests on endings alone."""
    game, facts = problem.game, problem.game.facts
    if facts.repeats:
        return None
    exploration = Exploration(game, problem.root, skips_failures=True)
    with suppress(*BUDGETS):
        most = min(problem.most_in_python, MOST_EXPLORED)
        exploration.run(most, problem.options.progress)
    graph, best = exploration.graph(), facts.utility_bounds[1]
    successors = [*graph.successors, *[()] * (len(graph.states) - len(graph.successors))]
    for side in range(2):
        winners = [player for player, of in enumerate(facts.sides) if of == side]
        endings = {
            node: int(payoffs[winners[0]] == best) for node, payoffs in graph.payoffs.items()
        }
        wins = [mover in winners for mover in graph.movers]
        arena = Arena([*wins, *[False] * (len(successors) - len(wins))], successors, endings, 0)
        values, plies = solve_arena(arena)
        if values[0]:
            return _won_in_graph(graph, values, plies, winners)
    return None


def _won_in_graph(
    graph: StateGraph, values: Sequence[int], plies: Sequence[int | None], winners: Sequence[int]
) -> Solution:
    """The forced win of some players from the first state of a graph, given where they win, and how
    soon."""
    game, node, line = graph.game, 0, list[str]()
    low, high = game.facts.utility_bounds
    value = tuple(high if player in winners else low for player in range(len(game.players)))
    while graph.successors[node]:
        sooner = (plies[node] or 0) - 1
        children = graph.successors[node]
        edge = next(e for e, c in enumerate(children) if values[c] and plies[c] == sooner)
        line.append(graph.edge_name(node, edge))
        node = children[edge]
    root = graph.states[0]
    actions = list(zip(game.legal_actions(root), graph.successors[0], strict=True))
    best = [action for action, child in actions if values[child]]
    undecided = [action for action, child in actions if not values[child]]
    return replace(
        proved_value(game, root, len(graph.states), value, best, undecided),
        status=Status.WEAK,
        principal_variation=tuple(line),
        solver=SolverName.RETROGRADE,
    )


def forced_win(game: Game, root: State, search: ProofSearch) -> Solution | None:
    """A forced win from a position that is not over.

    None if the winning play is too long to check and rules about repetition might matter. Raises
    the errors of `search`.
    """
    value = search.value(root)
    positions = search.looked_at
    walk = WinningPlay(game, search, value)
    try:
        line = walk.line(root)
    except (TooLongError, OutOfBudgetError):
        if game.facts.repeats:
            return None
        line = ()
    actions = game.legal_actions(root)
    is_lost = game.current_player(root) != walk.winner
    best = [action for action in actions if is_lost or game.action_name(root, action) in line[:1]]
    undecided = [action for action in actions if action not in best]
    return replace(
        proved_value(game, root, positions, value, best, undecided),
        status=Status.WEAK if line else Status.ULTRA_WEAK,
        principal_variation=line,
        solver=SolverName.NATIVE_PROOF_NUMBERS,
    )


class WinningPlay:
    """The winning play, reconstructed from the proofs of the search.

    Of the actions proved to win, the winner takes the action followed by the fewest plies, and play
    does not return to an earlier position. Proofs lost from the table may be found again with more
    plies; if play returns nevertheless, the next winning action is tried.
    """

    def __init__(self, game: Game, search: ProofSearch, value: Payoffs) -> None:
        self._game, self._search, self._value = game, search, value
        self.winner = max(range(2), key=value.__getitem__)
        self._won: dict[State, tuple[Action, int] | None] = {}
        self._way: set[State] = set()
        self._walked = 0

    def line(self, root: State) -> tuple[str, ...]:
        """The win against the longest defence, as names of actions.

        Raises TooLongError, OutOfBudgetError, and the errors of the search.
        """
        if not self._is_won(root):
            raise TooLongError
        line, state = list[str](), root
        while (step := self._won[state]) is not None:
            line.append(self._game.action_name(state, step[0]))
            state = self._game.result(state, step[0])
        return tuple(line)

    def _is_won(self, state: State) -> bool:
        """Whether play from the state wins without returning to an earlier position of the play."""
        if state in self._won:
            return True
        if state in self._way:
            return False
        self._walked += 1
        if self._walked > MOST_WALKED or len(self._way) > DEEPEST:
            raise TooLongError
        game = self._game
        if game.is_terminal(state):
            if game.utilities(state)[self.winner] < self._value[self.winner]:
                return False
            self._won[state] = None
            return True
        self._way.add(state)
        is_own = game.current_player(state) == self.winner
        action = self._winning_action(state) if is_own else self._longest_defence(state)
        self._way.remove(state)
        if action is not None:
            self._won[state] = action, 1 + self._length(game.result(state, action))
        return action is not None

    def _length(self, state: State) -> int:
        step = self._won[state]
        return 0 if step is None else step[1]

    def _longest_defence(self, state: State) -> Action | None:
        """The loser's action with the longest play; None if an action avoids the loss."""
        after = {
            action: self._game.result(state, action) for action in self._game.legal_actions(state)
        }
        if not all(map(self._is_won, after.values())):
            return None
        return max(after, key=lambda action: self._length(after[action]))

    def _winning_action(self, state: State) -> Action | None:
        """A winning action of the winner; None if no action is proved to win."""
        after = {
            candidate: self._game.result(state, candidate)
            for candidate in self._game.legal_actions(state)
        }
        most = FIRST_LOOK
        while after and most <= LAST_LOOK:
            told = {
                candidate: self._is_proved(position, most) for candidate, position in after.items()
            }
            proved = [candidate for candidate, is_proved in told.items() if is_proved]
            for action in sorted(proved, key=lambda candidate: self._plies(after[candidate])):
                if self._is_won(after[action]):
                    return action
            after = {
                candidate: position
                for candidate, position in after.items()
                if told[candidate] is None
            }
            most *= 8
        return None

    def _plies(self, state: State) -> int:
        return 0 if self._game.is_terminal(state) else self._search.plies(state)

    def _is_proved(self, state: State, most: int) -> bool | None:
        """Whether the search proves the winner's win; None if undecided within `most` positions."""
        if self._game.is_terminal(state):
            return True
        before = self._search.max_positions
        end = self._search.looked_at + most
        self._search.max_positions = end if before is None else min(end, before)
        try:
            return self._search.gives(state, self.winner, self._value)
        except OutOfBudgetError:
            if before is not None and self._search.looked_at > before:
                raise
            return None
        finally:
            self._search.max_positions = before
