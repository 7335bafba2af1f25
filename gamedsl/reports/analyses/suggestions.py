"""Findings about a game, and suggestions, in plain sentences.

In: a `GameAnalysis`. Out: sentences, the most important first. A sentence about shares is written
only where the interval of 95 % leaves no doubt.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.paragraphs import listed
from gamedsl.reports.solutions.sentences import outcome_in_short
from gamedsl.solvers.analysis.analysis import GameAnalysis
from gamedsl.solvers.analysis.measures import wilson
from gamedsl.solvers.matches.elo import Interval
from gamedsl.source.plurals import count

UNFAIR = 0.55
"""Score of the first of two players, proved greater by the interval, from which a game is called
unfair."""
DRAWISH, FORCED, EARLY, UNFINISHED = 0.4, 0.3, 0.5, 0.05
SHALLOW, DEEP = 50, 150
"""Mean Elo of fourfold search of shallow and of deep games."""
SWUNG = 0.7
NAMED = 8


def share_words(share: Interval) -> str:
    """`58 % (54 to 61)`."""
    return f"{100 * share.mean:.1f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"


def range_words(low: float, high: float) -> str:
    """`54 to 61`, or `100` where both numbers are equal without decimals."""
    ends = f"{low:.0f}", f"{high:.0f}"
    return " to ".join(dict.fromkeys(ends))


def score_words(outcome: str) -> str:
    """The value of a solution, in words."""
    return f"{outcome}, by best play"


def suggestions(analysis: GameAnalysis) -> tuple[str, ...]:
    """The sentences."""
    return (
        *_fairness(analysis),
        *_endings(analysis),
        *_choices(analysis),
        *_skill(analysis),
        *_parts(analysis),
    )


def _fairness(analysis: GameAnalysis) -> Iterator[str]:
    level, players = analysis.strongest, analysis.players
    results, solution = level.results, analysis.solution
    if solution is not None and solution.is_exact and len(players) > 1:
        yield f"With best play: {outcome_in_short(solution)} (proved)."
    if len(players) != 2 or not results.ended:
        return
    score = results.first_score
    who = "strong players" if level.strength else "random players"
    ahead = players[0] if score.low > 0.5 else players[1]
    low, high = score.low, score.high
    if ahead == players[1]:
        low, high = 1 - high, 1 - low
    if low > UNFAIR:
        yield (
            f"{ahead} scores {range_words(100 * low, 100 * high)} % between {who} (a draw counts "
            f"half).{_remedy(analysis, ahead)}"
        )
    elif score.low > 1 - UNFAIR and score.high < UNFAIR:
        yield f"The chances are even between {who}: {players[0]} scores {share_words(score)}."
    elif solution is None and (
        not 0.5 - (UNFAIR - 0.5) < score.mean < UNFAIR or score.high - score.low > 0.2
    ):
        yield (
            f"{players[0]} scores {share_words(score)} between {who}: more plays (--time) would "
            "tell whether the sides are even."
        )


def _remedy(analysis: GameAnalysis, ahead: str) -> str:
    """What would even the chances."""
    openings = analysis.openings
    if openings is None or len(openings.moves) < 2:
        return " A handicap, or drawing lots for the side, would even the chances."
    fairest = openings.fairest
    if abs(fairest.value - 0.5) > UNFAIR - 0.5 or ahead != analysis.players[0]:
        return (
            f" No first move is even (the nearest is {fairest.name} at {fairest.value:.2f}), so a "
            "swap rule would not help; a handicap or another start would."
        )
    return (
        f" A swap rule would even the chances: after {fairest.name} the mover's value is "
        f"{fairest.value:.2f}."
    )


def _endings(analysis: GameAnalysis) -> Iterator[str]:
    level = analysis.strongest
    results = level.results
    unfinished = wilson(results.unfinished, results.plays)
    if unfinished.low > UNFINISHED and len(analysis.players) == 1:
        yield f"{unfinished.mean:.0%} of the plays of the strongest player reached no end in time."
    elif unfinished.low > UNFINISHED:
        yield (
            f"{unfinished.mean:.0%} of the plays did not end: a rule against repetition "
            "(`repeat`), a limit of moves, or a value of endless play (`endless:`) would end them."
        )
    if len(analysis.players) > 1 and results.ended:
        draws = results.share(results.draws)
        if draws.low > DRAWISH:
            told = f"{100 * draws.low:.0f} to {100 * draws.high:.0f} %"
            yield f"Plays often end in a draw ({told} between the strongest players)."
    tension = level.tension
    if tension is not None and tension.decided is not None and tension.decided.high < EARLY:
        yield (
            f"Plays are decided after {tension.decided.mean:.0%} of their length: the rest is "
            "waiting for the end. An earlier end, or a way back for the player behind, would help."
        )
    if tension is not None and tension.killer.low > SWUNG and tension.drama is not None:
        yield (
            "Plays turn on single moves: the greatest change of value by one move is "
            f"{tension.killer.mean:.2f} in a mean play."
        )


def _choices(analysis: GameAnalysis) -> Iterator[str]:
    branching = analysis.strongest.branching
    if branching.forced > FORCED:
        yield f"In {branching.forced:.0%} of the decisions there is nothing to choose."


def _skill(analysis: GameAnalysis) -> Iterator[str]:
    depth = analysis.depth
    if depth is None:
        return
    if depth < SHALLOW:
        yield (
            f"More search gains little (a mean of {depth:+z.0f} Elo for four times as much): the "
            "game is soon played perfectly, or chance decides."
        )
    elif depth > DEEP:
        yield f"The game rewards thought: {depth:+z.0f} Elo on average for four times the search."


def _parts(analysis: GameAnalysis) -> Iterator[str]:
    usage, idle = analysis.usage, analysis.idle
    if usage is None:
        return
    plays = f"in {count(sum(usage.plays), 'play')}"
    if usage.never_legal:
        yield f"Never legal {plays}: {listed(usage.never_legal, NAMED)}."
    if usage.shunned:
        yield f"Legal, but never made by strong players: {listed(usage.shunned, NAMED)}."
    if usage.dead_squares:
        yield f"No play uses these squares: {listed(usage.dead_squares, NAMED)}."
    if usage.missing_values:
        names = [f"{variable} = {value}" for variable, value in usage.missing_values]
        yield f"Never present {plays}: {listed(names, NAMED)}."
    if idle is not None and idle.parts and idle.positions:
        number = count(len(idle.parts), "part")
        yield (
            f"{number} of the rules made no difference in {count(idle.positions, 'position')} "
            "(`Use of the rules`)."
        )
