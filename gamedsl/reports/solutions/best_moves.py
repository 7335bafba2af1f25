"""The best moves of a position as text or data; estimates are marked as estimates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from textwrap import indent

from gamedsl.game.contract import Game
from gamedsl.game.pictures.tints import tinted
from gamedsl.game.writing import line_in_notation
from gamedsl.model.state import State
from gamedsl.reports.json_text import data_of, game_data
from gamedsl.reports.paragraphs import labelled, listed, whole
from gamedsl.reports.phrases import (
    Payoffs,
    all_alike,
    decimal_text,
    duration,
    undecided_words,
    value_words,
)
from gamedsl.reports.searches.as_json import decision_data
from gamedsl.reports.searches.as_text import player_name
from gamedsl.reports.solutions.as_json import outcomes_data
from gamedsl.reports.solutions.as_text import outcomes_text, setting_of
from gamedsl.reports.solutions.move_values import progress_line
from gamedsl.reports.solutions.policy import (
    choice_words,
    local_data,
    local_words,
    seen_words,
    worth_data,
    worth_words,
)
from gamedsl.solvers.advice.best_moves import BestMove, BestMoves
from gamedsl.solvers.advice.sampled_play import Promise, SampledAnswer
from gamedsl.solvers.decimals import rounded
from gamedsl.solvers.solution import Others, Solution, Status
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.solvers.textbook.trace import Value
from gamedsl.source.plurals import count

MARGIN = 14
"""Columns of the label in front of a line; more for long names of moves."""
PROMISES = {
    Promise.APPROACHES: "more plays come nearer to an equilibrium, and how near is not known",
    Promise.NOTHING: "players learn against each other, and nothing is proved",
    Promise.DEALS: "as if all hands were seen from the next action on, and nothing is proved",
}
"""What is known of strategies by simulated plays."""
LONGEST_LINE = 24
"""Limit on the plies of a line of play; the beginning is shown."""
WORTH_NAMING = 1.0
"""Least number of seconds of compiling to name beside an estimate."""
MOST_ROWS = 12
"""Limit on the rows of moves, best first."""
MOST_APART = 2
"""Limit on the neighbouring moves of which the same is told in a row each."""


def best_moves_text(game: Game, state: State, best: BestMoves, *, has_colours: bool = False) -> str:
    """The player to move, the position's value with the proof, then the moves."""
    player = game.current_player(state)
    mover = player_name(game, player)
    if best.sampled is not None:
        lines = tuple(_sampled_lines(game, best, best.sampled, mover))
    elif best.estimate is None:
        assert best.solution is not None, "what is not estimated is solved"
        lines = tuple(_proved_lines(best, best.solution, mover))
    else:
        lines = tuple(_estimated_lines(game, state, best, best.estimate))
    margin = max(MARGIN, *(len(label) + 2 for label, _ in lines))
    tints = _tints(best, player) if has_colours else {}
    text = "\n".join(_line(label, text, margin, tints) for label, text in lines)
    outcomes = "" if best.solution is None else outcomes_text(best.solution)
    return f"{text}\n{indent(outcomes, '  ')}" if outcomes else text


def in_notation(game: Game, state: State, best: BestMoves) -> BestMoves:
    """The same answer, its moves and lines in the notation of the game."""

    def line(names: Sequence[str]) -> tuple[str, ...]:
        return line_in_notation(game, state, names)

    moves = tuple(
        replace(move, name=line((move.name,))[0], line=line(move.line)) for move in best.moves
    )
    estimate = best.estimate
    if estimate is not None:
        tried = tuple(replace(move, name=line((move.name,))[0]) for move in estimate.moves)
        estimate = replace(estimate, moves=tried, line=line(estimate.line))
    return replace(best, moves=moves, estimate=estimate)


def _tints(best: BestMoves, mover: int) -> dict[str, str]:
    """The colours of the results of moves, by phrase."""
    if best.solution is None or best.informed or best.mixed:
        return {}
    solution = best.solution
    setting = setting_of(solution, mover, None, has_colours=True)
    tints = {_words(solution, move): setting.tint(move.value) for move in best.moves}
    if solution.value is not None:
        tints[solution.outcome] = setting.tint(solution.value)
    return tints


def _line(label: str, text: str, margin: int, tints: dict[str, str]) -> str:
    line = labelled(label, text, margin)
    words = max(filter(text.startswith, tints), key=len, default="")
    return line.replace(words, tinted(words, tints[words]), 1) if words else line


def best_moves_data(game: Game, state: State, best: BestMoves) -> dict[str, object]:
    """The best moves, JSON-ready; `estimate` holds the search behind an estimate, else null."""
    return {
        **game_data(game),
        "players": list(game.facts.players),
        "to_move": player_name(game, game.current_player(state)),
        "is_proved": best.is_proved,
        "others": None if best.solution is None else str(best.solution.others),
        "why_estimate": best.why_estimate,
        "value": _value_data(game, best),
        "outcome": None if best.solution is None else best.solution.outcome,
        "outcomes": [] if best.solution is None else outcomes_data(best.solution),
        "best": [_move_data(best, move) for move in best.moves],
        "mixed": [local_data(game.facts.players, local) for local in best.mixed],
        "worths": [worth_data(game.facts.players, choice) for choice in best.informed],
        "estimate": None if best.estimate is None else decision_data(game, best.estimate),
        "sampled": None if best.sampled is None else data_of(best.sampled, "plays promise"),
    }


def _proved_lines(best: BestMoves, solution: Solution, mover: str) -> Iterator[tuple[str, str]]:
    yield "to move", mover
    asked = "value" if solution.informed is None else "the game"
    yield asked, f"{_outcome(solution)} ({_proof(solution)})"
    for place, local in enumerate(best.mixed):
        name = solution.players[local.player]
        yield name, ", ".join(map(whole, local_words(local, name).split(", ")))
        if best.informed:
            yield "worth there", worth_words(best.informed[place], name)
    if best.informed and best.moves:
        (choice,) = best.informed
        name = solution.players[0]
        told = listed(move.name for move in best.moves)
        yield name, f"{seen_words(choice.local, name)}: {told}"
        yield "worth there", worth_words(choice, name)
    if best.mixed or best.informed:
        pass
    elif solution.status is not Status.ULTRA_WEAK and len(best.moves) == len(solution.moves) > 1:
        alike = progress_line(solution.moves) is None
        yield "best moves", all_alike(len(best.moves), alike)
    elif best.moves:
        yield "best moves", listed(move.name for move in best.moves)
    told_apart = progress_line(solution.moves)
    if told_apart is not None and not best.informed:
        yield told_apart
    if solution.undecided:
        yield "not known", undecided_words(solution.undecided)
    if not best.informed:
        yield from _by_move((move.name, _words_and_line(solution, move)) for move in best.moves)
    if solution.kind is not None:
        yield "kind", solution.kind
    if solution.ties is not None:
        yield "ties", solution.ties


def _sampled_lines(
    game: Game, best: BestMoves, sampled: SampledAnswer, mover: str
) -> Iterator[tuple[str, str]]:
    yield "to move", mover
    for choice in sampled.choices:
        name = game.facts.players[choice.local.player]
        yield name, ", ".join(map(whole, choice_words(choice.local).split(", ")))
        if choice.worths is not None:
            yield "worth there", worth_words(choice, name)
    yield "kind", f"{sampled_words(sampled)}; {PROMISES[sampled.promise]}"
    yield "not solved", str(best.why_estimate)


def sampled_words(sampled: SampledAnswer) -> str:
    """The method behind strategies by simulated plays."""
    how = (
        "random plays from other deals" if sampled.promise is Promise.DEALS else "outcome sampling"
    )
    return f"an estimate: {how}, {count(sampled.plays, 'simulated play')}"


def _outcome(solution: Solution) -> str:
    """The result of best play; a probability of winning follows the payoff that ranks the moves."""
    is_told = solution.win_probability is not None and _is_by_chance(solution)
    if not is_told or solution.value is None:
        return solution.outcome
    return f"{_value_words(solution, solution.value)}; {solution.outcome}"


def _proof(solution: Solution) -> str:
    how = "proved" if solution.is_exact else "proved within an error bound"
    if solution.value is None:
        how = "not proved"
    elif solution.others is not Others.NONE:
        how = _others_words(solution)
    return f"{how}, {count(solution.positions, 'position')} looked at"


def _others_words(solution: Solution) -> str:
    """The equilibrium of the moves, if several equilibria may exist."""
    number = 0 if solution.equilibria is None else len(solution.equilibria.equilibria)
    sort = "the first" if number > 1 else "one equilibrium"
    if solution.others is Others.POSSIBLE:
        return (
            f"{sort} of {number} equilibria, and there may be more"
            if number > 1
            else (f"{sort}, and there may be others")
        )
    return f"{sort} of {number} equilibria" if number > 1 else f"{sort} of several"


def _by_move(told: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """A row for each move, and a single row for neighbouring moves of which the same is told."""
    rows = list[tuple[str, str, int]]()
    for words, group in groupby(told, itemgetter(1)):
        names = [name for name, _ in group]
        if len(names) > MOST_APART:
            rows.append((f"{len(names):,} moves", f"{words}: {listed(names)}", len(names)))
        else:
            rows += ((name, words, 1) for name in names)
    yield from ((f"  {label}", words) for label, words, _ in rows[:MOST_ROWS])
    if left := sum(number for _, _, number in rows[MOST_ROWS:]):
        yield "", f"... and {left} more"


def _words_and_line(solution: Solution, move: BestMove) -> str:
    words = _words(solution, move)
    return words if move.line == (move.name,) else f"{words}: {listed(move.line, LONGEST_LINE)}"


def _words(solution: Solution, move: BestMove) -> str:
    words = _value_words(solution, move.value)
    return words if move.plies is None else f"{words} in {count(move.plies, 'ply')}"


def _value_words(solution: Solution, value: Payoffs) -> str:
    return value_words(
        value,
        solution.players,
        solution.error_bound,
        _is_by_chance(solution),
        is_opposed=solution.has_winners,
    )


def _is_by_chance(solution: Solution) -> bool:
    return bool(solution.chance_nodes) or bool(solution.error_bound)


def _estimated_lines(
    game: Game, state: State, best: BestMoves, estimate: Decision
) -> Iterator[tuple[str, str]]:
    player = game.current_player(state)
    yield "to move", player_name(game, player)
    yield "best move", listed(move.name for move in best.moves)
    yield "value", f"{_about(game, estimate.value, player)} ({method_words(estimate)})"
    if not estimate.is_exact:
        yield "not solved", f"{best.why_estimate}{_preparing_words(best)}"
    yield "line", listed(estimate.line, LONGEST_LINE)
    ranked = _ranked(best, estimate, player)
    yield from _by_move((move.name, _tried(game, move, player)) for move in ranked)


def _preparing_words(best: BestMoves) -> str:
    """A clause about the time without a search, if long."""
    if best.preparing < WORTH_NAMING:
        return ""
    spent = f"; compiling took {duration(best.preparing)} of the time"
    return spent + (", once for each game" if best.is_compiled else " and was not over (--time)")


def _ranked(best: BestMoves, estimate: Decision, player: int) -> list[RootMove]:
    """The order of moves: first the move played.

    With simulated plays the most tried moves come next; else exact values before bounds, and then
    better values for the player to move.
    """

    def place(move: RootMove) -> tuple[bool, int, bool, Fraction]:
        value = move.value
        if isinstance(value, Fraction):
            gain = -value if player else value
        else:
            gain = value[player]
        return move.name not in best.names, -move.visits, move.is_bound, -gain

    return sorted(estimate.moves, key=place)


def method_words(estimate: Decision) -> str:
    """The method behind a decision."""
    if estimate.deepest is not None:
        kind = "proved" if estimate.is_exact else "an estimate"
        noun = "estimated position" if "evaluate" in estimate.algorithm else "simulated play"
        plays = count(estimate.nodes, noun)
        return f"{kind}: {estimate.algorithm}, {plays}, {count(estimate.deepest, 'ply')} deep"
    if estimate.depth is None and estimate.is_exact:
        return f"proved: {estimate.algorithm}, {count(estimate.nodes, 'position')} looked at"
    if estimate.depth is None:
        return f"an estimate: {estimate.algorithm}, {count(estimate.nodes, 'simulated play')}"
    how = f"{estimate.algorithm} to depth {estimate.depth}"
    return f"proved: {how}" if estimate.is_exact else f"an estimate: {how}"


def proof_words(solution: Solution) -> str:
    """The proof behind a move of a solution.

    With several equilibria the move is best only against the equilibrium's strategies.
    """
    return "proved best" if solution.others is Others.NONE else "of one equilibrium among several"


def _tried(game: Game, move: RootMove, player: int) -> str:
    text = _about(game, move.value, player)
    if move.is_bound:
        return f"{text} or worse"
    return f"{text}, {count(move.visits, 'play')}" if move.visits else text


def _about(game: Game, value: Value, player: int) -> str:
    """Each player's estimate to three places; for opposed payoffs only the mover's."""
    players = game.facts.players
    payoffs = value if isinstance(value, tuple) else game.facts.payoffs_from(value)
    pairs = list(zip(players, payoffs, strict=True))
    if game.facts.is_opposed:
        pairs = [pairs[player]]
    return ", ".join(f"{name}: {rounded(payoff, '.3f')}" for name, payoff in pairs)


def _value_data(game: Game, best: BestMoves) -> list[str] | None:
    if best.estimate is not None:
        return [str(payoff) for payoff in best.estimate.payoffs(game.facts)]
    if best.sampled is not None:
        return None
    assert best.solution is not None, "what is not estimated is solved"
    if best.solution.value is None:
        return None
    return [_number(best, payoff) for payoff in best.solution.value]


def _move_data(best: BestMoves, move: BestMove) -> dict[str, object]:
    value = [_number(best, payoff) for payoff in move.value]
    return data_of(move, "move=name value plies line", value=value)


def _number(best: BestMoves, payoff: Fraction) -> str:
    is_decimal = best.solution is not None and best.solution.error_bound
    return decimal_text(payoff) if is_decimal else str(payoff)
