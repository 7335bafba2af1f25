"""The best moves of every solved position, as a table for people or as data.

One row per position with a single player to move; under hidden information, one row per information
set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.game import LoadedGame, state_to_json
from gamedsl.model import State
from gamedsl.reports.paragraphs import whole
from gamedsl.reports.phrases import Payoffs, decimal_text, value_words
from gamedsl.reports.solutions.move_values import progress_line
from gamedsl.solvers.decimals import SHORT_DENOMINATOR, rounded
from gamedsl.solvers.solution import MoveValue, Solution, move_values

if TYPE_CHECKING:
    from gamedsl.solvers.equilibria.informed_play import InformedChoice
    from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
    from gamedsl.solvers.exact.information_sets import PlanStep

NEXT_TO_NEVER = Fraction(1, 2000)
"""Least probability of a choice worth listing."""
MOST_WORTHS = 12
"""Limit on the actions listed, best first."""


def policy_text(game: LoadedGame, solution: Solution) -> str:
    """One line per position: the state on one line, the value, and the best moves.

    If lengths of play differ, only the moves that keep the length of best play are listed.
    """
    lines = [plan_words(step) for step in solution.plan]
    for player, name in enumerate(solution.players):
        strategies = decisions(solution.strategies, player)
        lines += [f"{name} {local_words(strategy, name)}" for strategy in strategies]
    for state, payoffs, moves in _rows(solution):
        value = value_words(
            payoffs,
            solution.players,
            solution.error_bound,
            bool(solution.chance_nodes or solution.strategies),
            is_opposed=solution.has_winners,
        )
        where = " / ".join(game.show(state, in_words=True).splitlines())
        told_apart = progress_line(moves)
        more = "" if told_apart is None else f" | {told_apart[0]}: {told_apart[1]}"
        lines.append(f"{where} | {value} | {'  '.join(move.name for move in moves)}{more}")
    return "\n".join(lines)


def plan_words(step: PlanStep) -> str:
    """A step of a plan with the condition: `after point(left), opened=middle: switch`."""
    where = f"after {', '.join(step.seen)}" if step.seen else "at the start"
    return f"{where}: {'  '.join(step.best)}"


def decisions(strategies: Iterable[LocalStrategy], player: int) -> list[LocalStrategy]:
    """A player's strategy in the information sets with a choice, reachable under the strategy."""
    mine = (strategy for strategy in strategies if strategy.player == player)
    return [strategy for strategy in mine if strategy.is_reached and len(strategy.choices) > 1]


def local_words(local: LocalStrategy, player: str) -> str:
    """A player's strategy in an information set: `with J after check, bet: call 1/3, fold 2/3`."""
    return f"{seen_words(local, player)}: {choice_words(local)}"


def seen_words(local: LocalStrategy, player: str) -> str:
    """The description of an information set: `with J after check, bet`.

    A chance result for the player's own cell is described by the value only, unless the player
    has seen other cells of the variable.
    """
    prefix = f"[{player}]="
    variables = [name.partition("[")[0] for name in local.drawn]
    cells = Counter(variables)
    drawn = [
        (name.partition(prefix)[2] if cells[variable] == 1 else "") or name
        for name, variable in zip(local.drawn, variables, strict=True)
    ]
    told = [f"with {', '.join(drawn)}"] if drawn else []
    told += [f"after {', '.join(local.seen)}"] if local.seen else []
    return " ".join(told) or "at the start"


def local_data(players: Sequence[str], local: LocalStrategy) -> dict[str, object]:
    """A strategy at an information set, JSON-ready: `{player, seen, choices, reached}`."""
    return {
        "player": players[local.player],
        "seen": [*local.drawn, *local.seen],
        "choices": {name: str(chance) for name, chance in local.choices},
        "reached": local.is_reached,
    }


def worth_words(choice: InformedChoice, player: str) -> str:
    """The expected payoff of a player in an information set, in total and per action: `Ann -1 on
    average: check -1, bet -1`.
    """
    if choice.worths is None or choice.value is None:
        return "not to be told: by what the others do, play never comes here"
    names = [name for name, _ in choice.local.choices]
    value = f"{player} {share(choice.value)} on average"
    if len(names) > 1 and len(set(choice.worths)) == 1:
        return f"{value}, whatever is chosen"
    pairs = sorted(zip(choice.worths, names, strict=True), key=lambda pair: -pair[0])
    told = [whole(f"{name} {share(payoff)}") for payoff, name in pairs]
    more = f", and {len(told) - MOST_WORTHS} more, no better" if len(told) > MOST_WORTHS else ""
    return f"{value}: {', '.join(told[:MOST_WORTHS])}{more}"


def worth_data(players: Sequence[str], choice: InformedChoice) -> dict[str, object]:
    """The expected payoffs, JSON-ready: `{player, value, actions}`."""
    names = [name for name, _ in choice.local.choices]
    worths = [None] * len(names) if choice.worths is None else list(map(str, choice.worths))
    return {
        "player": players[choice.local.player],
        "value": None if choice.value is None else str(choice.value),
        "actions": dict(zip(names, worths, strict=True)),
    }


def is_mixed(local: LocalStrategy) -> bool:
    """Whether the choice is random."""
    return sum(chance > 0 for _, chance in local.choices) > 1


def choice_words(local: LocalStrategy) -> str:
    """The choice: `bet`, or `check 2/3, bet 1/3`; without very rare choices."""
    if not is_mixed(local):
        return next(name for name, chance in local.choices if chance)
    told = [(name, share(chance)) for name, chance in local.choices if chance >= NEXT_TO_NEVER]
    if len(told) == 1:
        return told[0][0]
    return ", ".join(f"{name} {chance}" for name, chance in told)


def share(chance: Fraction) -> str:
    """A probability; in thousandths if the fraction is long."""
    return str(chance) if chance.denominator <= SHORT_DENOMINATOR else rounded(chance, ".3f")


def policy_data(game: LoadedGame, solution: Solution) -> list[dict[str, object]]:
    """Rows of `{state, value, best, progress}`, JSON-ready."""
    return [
        {
            "state": state_to_json(game, state),
            "value": [
                decimal_text(payoff) if solution.error_bound else str(payoff) for payoff in payoffs
            ],
            "best": [move.name for move in moves],
            "progress": [move.name for move in moves if move.makes_progress],
        }
        for state, payoffs, moves in _rows(solution)
    ]


def _rows(solution: Solution) -> Iterator[tuple[State, Payoffs, list[MoveValue]]]:
    """Positions with a single player to move, with their values and the best actions."""
    solved = solution.solved
    if solved is None:
        return
    for state in solved.states:
        best = [move for move in move_values(solved, state) if move.is_best]
        if best:
            yield state, solved.value(state), best
