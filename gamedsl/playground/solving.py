"""Values, best moves and replies for the page, by solving and searching.

In games too large to solve, a search looks for forced wins; unproved answers are marked. The last
solution is kept until the text changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from random import Random

from gamedsl.game import LoadedGame
from gamedsl.game.slices import in_slice, relevant_game
from gamedsl.model import SIMULTANEOUS, State, UnsupportedGameError
from gamedsl.playground.plays import Play, line_labels, move_label, play_at
from gamedsl.playground.reading import load_text
from gamedsl.reports.boards.clicks import move_labels
from gamedsl.reports.outcomes import outcome_words
from gamedsl.reports.paragraphs import labelled, listed
from gamedsl.reports.solutions.advice import way_words
from gamedsl.reports.solutions.as_text import setting_of, solution_text, summary_lines
from gamedsl.reports.solutions.best_moves import method_words
from gamedsl.reports.solutions.move_values import Setting, ground_of, signs_and_words
from gamedsl.reports.solutions.policy import choice_words
from gamedsl.solvers.advice.adviser import SOON, Adviser
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.solvers.advice.tactics import tactics
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.matches.players import (
    PlayerKind,
    PlayerSettings,
    player_settings,
    plays_of,
)
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.reach import out_of_reach
from gamedsl.solvers.solution import MoveValue, Solution, Status
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.plurals import count

MOST_POSITIONS = 400_000
"""Positions solved at most, within the memory of a page."""
NODES_OF_TACTICS = 60_000
SECONDS_OF_TACTICS = 20.0
"""Limits of the search for a forced win: nodes and seconds."""
SECONDS_OF_ESTIMATE = 2.0
"""Limit of the search for a forced win, and of an estimate, where values are shown."""
MARGIN = 14
"""Columns of the label in front of a line."""


class GameSolver:
    """The last solution of a game."""

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self._known: tuple[State, Solution] | None = None

    def solution(self, root: State) -> Solution | str:
        """The solution from a state on, or the reason not to solve.

        Raises `UnsupportedGameError`.
        """
        if self._known is None or self._known[0] != root:
            reason = out_of_reach(*in_slice(self.game, root), SOON)
            if reason is not None:
                return reason
            self._known = root, solve(self.game, root, SolveOptions(max_positions=MOST_POSITIONS))
        return self._known[1]

    def holding(self, play: Play) -> Solution | str:
        """A solution that covers the end of a play, or the reason for the lack of a solution.

        Games with secrets are solved from the start.
        """
        if self._known is not None and play.state in self._known[1]:
            return self._known[1]
        has_secrets = relevant_game(self.game).facts.has_secrets
        solution = self.solution(play.history[0][0] if has_secrets else play.state)
        if (
            isinstance(solution, Solution)
            and solution.status is Status.OPEN
            and not solution.strategies
        ):
            return solution.outcome
        return solution

    def forced(self, state: State, seconds: float = SECONDS_OF_TACTICS) -> Decision | None:
        """A win or loss proved without a visit to all positions."""
        if self.game.current_player(state) < 0:
            return None
        try:
            search = tactics(self.game, state, nodes=NODES_OF_TACTICS, seconds=seconds)
        except UnsupportedGameError:
            return None
        return search.decision


@lru_cache(maxsize=1)
def _solver_of(text: str) -> GameSolver:
    return GameSolver(load_text(text))


def solve_position(text: str, moves: list[str]) -> dict[str, object]:
    """The winner under best play, the proof and the best moves as text; `headline` names only the
    winner. Games with secrets are solved from the start.
    """
    play, solver = play_at(text, moves), _solver_of(text)
    game, state = play.game, play.state
    if relevant_game(game).facts.has_secrets:
        state = play.history[0][0]
    solution = solver.solution(state)
    is_open = isinstance(solution, str) or solution.status is Status.OPEN
    if is_open and (decision := solver.forced(state)) is not None:
        facts = _forced_facts(decision, line_labels(game, state, decision.line))
        return {
            "headline": _headline(game, decision),
            "facts": facts,
            "moves": [],
            "text": "\n".join(labelled(label, text, MARGIN) for label, text in facts),
            "is_solved": True,
        }
    if isinstance(solution, str):
        facts = [("why", solution)]
        return {
            "headline": "not solved", "facts": facts, "moves": [], "text": solution,
            "is_solved": False,
        }  # fmt: skip
    game, state = in_slice(game, state)
    shown = _labelled(solution, game, state)
    told = solution_text(shown, game.current_player(state), ground_of(game, state))
    return {
        "headline": solution.outcome,
        "facts": list(summary_lines(shown)),
        "moves": _move_values(shown, shown.moves, game, state),
        "text": told,
        "is_solved": not is_open,
    }


def _labelled(solution: Solution, game: LoadedGame, state: State) -> Solution:
    """The solution with moves named as the buttons and the record name the moves."""
    return replace(
        solution,
        moves=tuple(
            replace(move, name=move_label(game, state, move.name)) for move in solution.moves
        ),
        principal_variation=tuple(line_labels(game, state, solution.principal_variation)),
    )


def _forced_facts(decision: Decision, line: list[str]) -> list[tuple[str, str]]:
    """The proof of a forced win or loss, and the line of play."""
    seen = f"{method_words(decision)}, {count(decision.nodes, 'node')}"
    few = "not every position was looked at, for there are too many"
    return [
        ("solved", f"{seen}; {few}"),
        ("best move", line[0]),
        ("best play", listed(line)),
    ]


def values(text: str, moves: list[str]) -> dict[str, object]:
    """The results of all actions under best play: sign, words, and rank.

    The rank is from 0 (worst) to 1 (best) for the player to move. If results are unknown, `why`
    gives the reason. `share` is the first player's part of a value bar, from 0 (all lost) to 1
    (all won), also of an estimate; None where the two players' payoffs are not opposed.
    """
    play, solver = play_at(text, moves), _solver_of(text)
    game, state = play.game, play.state
    solution = solver.holding(play)
    if isinstance(solution, str):
        return _estimated(solution, game, state, solver)
    if solution.solved is None and solution.moves:
        names = [move_label(game, state, move.name) for move in solution.moves if move.is_best]
        return {"moves": [], "why": f"{solution.outcome}: {', '.join(names)}", "share": None}
    if (chances := solution.strategies_at(play.history)) or state not in solution:
        told = "; ".join(
            f"{game.facts.players[local.player]}: {_choice_words(game, state, local)}"
            for local in chances
        )
        why = told or "what is best depends on what was seen on the way"
        return {"moves": [], "why": why, "share": None}
    known = solution.moves_at(state)
    best = next((move for move in known if move.is_best), None)
    share = None if best is None else _share(game, best.value[0])
    return {"moves": _move_values(solution, known, game, state), "why": "", "share": share}


def _share(game: LoadedGame, value: Fraction | float) -> float | None:
    """The first player's payoff as a part of a bar from the least to the greatest payoff of an
    ending; None where the payoffs are not opposed."""
    if not game.facts.is_opposed:
        return None
    low, high = map(float, game.facts.utility_bounds)
    if low == high:
        low, high = low - 1, high + 1
    return (min(max(float(value), low), high) - low) / (high - low)


def _move_values(
    solution: Solution, known: Sequence[MoveValue], game: LoadedGame, state: State
) -> list[dict[str, object]]:
    """The values of moves: name, sign, words, rank, and whether the move is best."""
    setting = setting_of(solution, game.current_player(state), ground_of(game, state))
    labels = signs_and_words(known, setting)
    total = Fraction(0) if setting.is_opposed else game.facts.payoff_total
    ranks = _ranks({move.name: move.value for move in known}, setting, total)
    best = {move.name for move in known if move.is_best}
    return [
        {"name": name, "sign": sign, "words": words, "rank": ranks[name], "is_best": name in best}
        for name, (sign, words) in labels.items()
    ]


def _estimated(why: str, game: LoadedGame, state: State, solver: GameSolver) -> dict[str, object]:
    """A forced win or loss, or else an estimate, of a position that is not solved."""
    decision = solver.forced(state, SECONDS_OF_ESTIMATE)
    if decision is not None:
        words = f"{_headline(game, decision)}: {move_label(game, state, decision.line[0])}"
    elif len(game.players) != 2:
        words = f"not solved: {why}; play on and ask again"
    else:
        try:
            decision = Adviser(game, Random(0)).estimate(state, seconds=SECONDS_OF_ESTIMATE)
        except UnsupportedGameError as refusal:
            return {"moves": [], "why": f"not solved: {why}; {refusal.reason}", "share": None}
        best = [move_label(game, state, name) for name in decision.best[:1]]
        words = f"not solved: {why}; {method_words(decision)}: {', '.join(best)}"
    value = None if decision is None else decision.payoffs(game.facts)[0]
    return {"moves": [], "why": words, "share": None if value is None else _share(game, value)}


def _ranks(
    values: dict[str, Vector], setting: Setting, total: Fraction | None
) -> dict[str, float | None]:
    """The mover's payoffs scaled to the range between the least and the greatest payoff.

    With a constant `total` of the payoffs, the opponent's payoffs are in the range, too.
    """
    if setting.mover < 0:
        return dict.fromkeys(values)
    payoffs = {name: float(value[setting.mover]) for name, value in values.items()}
    least, most = min(payoffs.values(), default=0.0), max(payoffs.values(), default=0.0)
    if total is not None and len(setting.players) < 3 and not setting.by_chance:
        least, most = min(least, float(total) - most), max(most, float(total) - least)
    size = most - least
    return {name: (payoff - least) / size if size else 0.5 for name, payoff in payoffs.items()}


def _headline(game: LoadedGame, decision: Decision) -> str:
    """The outcome in the words for solved positions; where the payoffs' sum is not 0, the winners
    are the players who get the greatest part."""
    payoffs, players = decision.payoffs(game.facts), game.facts.players
    told = outcome_words(players, payoffs, has_winners=game.facts.has_winners)
    if not sum(payoffs) or len(set(payoffs)) == 1:
        return told
    most = max(payoffs)
    winners = [name for name, payoff in zip(players, payoffs, strict=True) if payoff == most]
    return f"{' and '.join(winners)} {'win' if winners[1:] else 'wins'} ({told})"


def reply(
    text: str, moves: list[str], player: int, opponent: str, seconds: float, seed: int
) -> dict[str, object]:
    """The action of a computer player; `opponent` is a player of matches, as `best` or `level:3`.

    Without a better method the action is drawn at random, as stated in `how`.
    """
    play, rng = play_at(text, moves), Random(seed)
    settings = player_settings(opponent)
    if settings.kind is PlayerKind.RANDOM:
        return _any(play, player, rng, "at random")
    try:
        return _advised(play, _solver_of(text), player, replace(settings, seconds=seconds), rng)
    except UnsupportedGameError as refusal:
        return _any(play, player, rng, f"at random: {refusal.reason}")


def _advised(
    play: Play, solver: GameSolver, player: int, settings: PlayerSettings, rng: Random
) -> dict[str, object]:
    game, state = play.game, play.state
    plays = plays_of(settings, len(game.legal_actions(state, _asked(play, player))))
    known = solver.holding(play) if settings.kind is PlayerKind.BEST else ""
    solution = known if isinstance(known, Solution) else None
    counsel = Counsel(game, rng, settings.seconds, solution=solution, solves=False)
    advice = counsel.advise(play.history, plays)
    how = [way_words(game, advice)]
    how += [_choice_words(game, state, local) for local in advice.drawn if local.player == player]
    return _told(play, advice.of(player), player, ": ".join(how))


def _choice_words(game: LoadedGame, state: State, local: LocalStrategy) -> str:
    """The probabilities of a player's moves, named as the buttons name the moves."""
    is_joint = game.current_player(state) == SIMULTANEOUS
    labels = move_labels(game, state, local.player if is_joint else None)
    named = tuple((labels[name], chance) for name, chance in local.choices)
    return choice_words(replace(local, choices=named))


def _any(play: Play, player: int, rng: Random, how: str) -> dict[str, object]:
    actions = play.game.legal_actions(play.state, _asked(play, player))
    return _told(play, rng.choice(tuple(actions)), player, how)


def _told(play: Play, action: int, player: int, how: str) -> dict[str, object]:
    game, state = play.game, play.state
    names = game.action_names(state, _asked(play, player))
    actions = game.legal_actions(state, _asked(play, player))
    return {"name": names[actions.index(action)], "how": how}


def _asked(play: Play, player: int) -> int | None:
    return player if play.game.current_player(play.state) == SIMULTANEOUS else None
