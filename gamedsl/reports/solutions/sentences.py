"""The sentences about a solution: headline, kind of answer, ties, facts proved, further attempts.

`Solution.outcome`, `kind`, `ties`, `proved` and `ways` find the functions by name
(`gamedsl.registry.say`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from gamedsl.model.facts import Facts
from gamedsl.reports.outcomes import listed_payoffs, outcome_words, paid_words
from gamedsl.solvers.decimals import SHORT_DENOMINATOR, decimals, near, rounded_up
from gamedsl.solvers.graphs.extended import is_infinite
from gamedsl.solvers.solution import Limit, Solution
from gamedsl.solvers.verdicts import (
    Advice,
    Answer,
    Approached,
    Bounds,
    FirstMoves,
    Obstacle,
    Outcome,
    Proved,
    TieBreaks,
)

if TYPE_CHECKING:
    from gamedsl.solvers.normal_form.solve import Equilibria

MILLION = 10**6
INSTEAD_OF_HISTORIES = (
    "; where something is hidden every play counts by itself: smaller parameters (-D) or shorter "
    "play may be solved, --max-positions N allows so many"
)
MORE: dict[Limit | None, str] = {
    None: "--max-positions N tries it all the same",
    Limit.TIME: "--time allows more time",
    Limit.MEMORY: "--memory allows more memory",
    Limit.POSITIONS: "--max-positions allows more positions",
    Limit.USUAL_POSITIONS: "--max-positions N allows more positions",
}
"""Advice for removing a limit, by the limit; without a limit the search was not begun."""
ADVICE = {
    Advice.SEARCH_LONGER: (
        "`gamedsl solve --goal value --time 10m` looks longer for a win, or the value"
    ),
    Advice.ESTIMATE: "`gamedsl best` estimates the best move within seconds",
    Advice.SMALLER_OR_LATER: "smaller parameters (-D) or a later position (--at) may be solved",
    Advice.LATER: "a later position (--at) may be solved",
}
KINDS = {
    Answer.SUBGAME_PERFECT: (
        "a subgame-perfect equilibrium: from no position on does anybody gain by other moves while "
        "the others keep to theirs"
    ),
    Answer.PURE_PAY_THE_SAME: "; all in pure strategies pay the same",
    Answer.TEAM: (
        "the value of the best joint plan: all players want the same, and whatever they do "
        "together, they do not get more; equilibria that pay less are not best play of a team"
    ),
    Answer.BEST_FOR_ALL: (
        "an equilibrium: one play pays every player the most that the rules can pay, and nobody "
        "gains by playing otherwise; there may be other equilibria, which pay some players less"
    ),
    Answer.NEARLY_TEAM: (
        "a joint plan that may not be the best: all players want the same, and whatever they do "
        "together, they do not get more than the upper bound"
    ),
    Answer.SIDES: (
        "the value of two sides that agree before play: each side draws a joint plan at random, "
        "unseen by the other side, and then each player goes by what the player sees; partners who "
        "cannot draw in common may get less"
    ),
    Answer.NEARLY_SIDES: (
        "bounds for two sides that agree before play: each side draws a joint plan at random, "
        "unseen by the other side, and then each player goes by what the player sees"
    ),
    Answer.REPETITIONS: (
        "the value while no position has come back: a repetition is worth as much as endless "
        "play; after positions have come back, values may be others"
    ),
    Answer.STATIONARY: (
        "a stationary equilibrium: one action for each position, and nobody gains by playing "
        "otherwise, from any position on, while the others keep to theirs; there may be others, "
        "with other payoffs"
    ),
    Answer.RETURNING: (
        "an equilibrium: probabilities go by the position alone, and neither gains on average by "
        "any other way to play, which was verified by best replies; all equilibria have this value"
    ),
    Answer.NEARLY_RETURNING: (
        "nearly an equilibrium: probabilities go by the position alone, and by another way to play "
        "neither gains more than twice the error on average, which was verified by best replies"
    ),
    Answer.SEQUENCES: (
        "an equilibrium: neither gains on average by any other way to play, which was verified by "
        "best replies to what is shown here; there may be others, and all have this value"
    ),
    Answer.NEARLY_SEQUENCES: (
        "nearly an equilibrium: by another way to play neither gains more than twice the error on "
        "average, which was verified by best replies; `--solver sequence-form` looks for "
        "an exact one, however long that takes"
    ),
    Answer.LEARNED_MERGED: (
        "nearly an equilibrium: by another way to play neither gains more than twice the error on "
        "average, which was verified by best replies; the mean of both gains, the exploitability, "
        "is the error"
    ),
    Answer.LEARNED_VIEWS: (
        "nearly an equilibrium: by another way to play neither gains more than twice the error on "
        "average, which was verified by best replies that remember everything; the mean of both "
        "gains, the exploitability, is the error. The strategies that were learned depend on "
        "what a player sees at present, not on what the player saw before"
    ),
    Answer.LEARNED: (
        "an equilibrium: nobody gains on average by any other way to play, which was verified by "
        "best replies; there may be others, with other payoffs, and there was no guarantee that "
        "regret minimisation finds one"
    ),
    Answer.NEARLY_LEARNED: (
        "nearly an equilibrium: by another way to play nobody gains more than {gain} on average, "
        "which was verified by best replies; there is no guarantee that more rounds come nearer to "
        "one, and there may be others, with other payoffs"
    ),
    Answer.SAMPLED: (
        "the mean of what was played against samples of chance and of the others' choices, judged "
        "by best replies to all that can happen; "
    ),
    Answer.IRRATIONAL: (
        "nearly an equilibrium, since those that there are have irrational probabilities: by "
        "another way to play nobody gains more than {gain} on average, which was verified by best "
        "replies"
    ),
    Answer.ALL_EQUILIBRIA: (
        "an equilibrium: nobody gains on average by another strategy while the others keep to "
        "theirs; these are all"
    ),
    Answer.ENDS_OF_EQUILIBRIA: (
        "the game is degenerate, so that equilibria may be connected; those listed are the corners "
        "of which all others are made: two that share what one player does, and all between them"
    ),
    Answer.SOME_EQUILIBRIA: (
        "an equilibrium: nobody gains on average by another strategy while the others keep to "
        "theirs; there may be more: {why_more}"
    ),
    Answer.GIVEN_LATER: ", given what follows",
    Answer.LATER_EQUILIBRIA: (
        "; later positions have several equilibria too, and there the first was taken (--policy "
        "shows what it pays)"
    ),
    Answer.STAGES: (
        "an equilibrium: in every position with choices made at once, neither gains on average by "
        "other probabilities; all equilibria have this value"
    ),
    Answer.PERFECT_STAGES: (
        "a subgame-perfect equilibrium: nobody gains by other choices in any position"
    ),
    Answer.PURE_STAGES: (
        "an equilibrium in pure strategies: neither gains by another choice, and there is no "
        "equilibrium with another value"
    ),
    Answer.ONLY_EQUILIBRIUM: "the only equilibrium{by_dominance}",
    Answer.ONLY_PERFECT: "the only subgame-perfect equilibrium{by_dominance}",
    Answer.DOMINANT: "an equilibrium{in_dominant_choices}",
    Answer.DOMINANT_PERFECT: "a subgame-perfect equilibrium{in_dominant_choices}",
    Answer.QUANTAL_RESPONSE: (
        "a quantal response equilibrium, a model of people who make mistakes: everybody foresees "
        "what the others do, and chooses more often what pays more, but not always what pays most; "
        "{replies}"
    ),
}
"""The kinds of answers; remarks begin or end with the mark that joins remark and kind."""
BY_DOMINANCE = (
    ": what is left when choices are crossed out, one after the other, that are worse than another "
    "whatever the others do"
)
IN_DOMINANT_CHOICES = (
    " in weakly dominant choices: none is worse than another of the same player, whatever the "
    "others do; there may be other equilibria, with other payoffs"
)


def outcome(solution: Solution) -> str:
    """The value in words, or the reason why no value is known."""
    facts, value, error = solution.rules.facts, solution.value, solution.error_bound
    names, form = facts.players, solution.outcome_form
    if form is Outcome.OPEN:
        return f"not solved{_obstacle(solution)}"
    if form is Outcome.EQUILIBRIA:
        assert solution.equilibria is not None, "equilibria are listed"
        return _equilibria(solution.equilibria)
    if value is None:
        paid = paid_words(names, solution.paid)
        if form is Outcome.MODEL:
            return f"by a model of behaviour, not by best play: {paid}"
        return f"not solved: what was found pays {paid}"
    match form:
        case Outcome.BOUNDS:
            low, high = floor((value[0] - error) * MILLION), ceil((value[0] + error) * MILLION)
            between = f"between {low / MILLION:.12g} and {high / MILLION:.12g}"
            return f"not solved: {names[0]} gets {between}"
        case Outcome.PROBABLE if (probability := solution.win_probability) is not None:
            return f"{names[0]} wins with probability {decimals(probability, error / 2)}"
        case Outcome.EXPECTED:
            return f"expected payoffs {listed_payoffs(names, value, error)}"
        case Outcome.PAYOFFS:
            return f"payoffs {listed_payoffs(names, value, error)}"
        case Outcome.ENDLESS if facts.endless is not None:
            words = outcome_words(names, facts.endless, has_winners=facts.has_winners)
            return "endless draw" if words == "draw" else f"endless play: {words}"
    return outcome_words(names, value, has_winners=facts.has_winners)


def outcome_in_short(solution: Solution) -> str:
    """As `outcome`, with six decimals in place of a fraction of many digits."""
    form, value = solution.outcome_form, solution.value or ()
    if form is Outcome.PROBABLE and solution.win_probability is not None:
        value = (*value, solution.win_probability)
    is_number = form in (Outcome.PROBABLE, Outcome.EXPECTED, Outcome.PAYOFFS)
    if not is_number or solution.error_bound or any(map(is_infinite, value)):
        return outcome(solution)
    if all(number.denominator <= SHORT_DENOMINATOR for number in value):
        return outcome(solution)
    short = [Fraction(round(number * MILLION), MILLION) for number in value]
    probability = short.pop() if form is Outcome.PROBABLE else None
    error = Fraction(1, 2 * MILLION)
    return outcome(
        replace(solution, value=tuple(short), win_probability=probability, error_bound=error)
    )


def _obstacle(solution: Solution) -> str:
    facts, told = solution.rules.facts, solution.obstacle_words
    match solution.obstacle:
        case Obstacle.HISTORIES:
            return f", as there are {told}{INSTEAD_OF_HISTORIES}"
        case Obstacle.OUT_OF_REACH:
            return f", {told}"
        case Obstacle.MEMORY:
            items = "histories" if facts.has_secrets else "positions"
            instead = INSTEAD_OF_HISTORIES if facts.has_secrets else ""
            return f", as its {items} fill {told} and there is no memory for more{instead}"
        case Obstacle.REPEATS:
            return ", as the `repeat` rule makes the history part of every position"
    return ""


def _equilibria(equilibria: Equilibria) -> str:
    """The number of equilibria, and the payoffs of the first."""
    pairs = zip(equilibria.form.players, equilibria.equilibria[0].value, strict=True)
    error = equilibria.equilibria[0].error
    paid = ", ".join(f"{name} {near(payoff, error, '.6f')}" for name, payoff in pairs)
    number = len(equilibria.equilibria)
    if number == 1:
        only = "one equilibrium" if equilibria.is_only else "an equilibrium"
        return f"{only}, which pays {paid}"
    same = len(equilibria.values) == 1
    sort = "ends of sets of equilibria" if equilibria.has_sets else "equilibria"
    least = "at least " if equilibria.why_more is not None else ""
    return f"{least}{number} {sort}; {'they all pay' if same else 'the first pays'} {paid}"


def kind(solution: Solution) -> str | None:
    """The kind of answer, where the value is not the value of best play against all play."""
    if isinstance(solution.answer, str):
        return solution.answer
    why_more = "" if solution.equilibria is None else solution.equilibria.why_more
    sentence = "".join(KINDS[part] for part in solution.answer).format(
        gain=rounded_up(solution.gain),
        why_more=why_more,
        by_dominance=BY_DOMINANCE,
        in_dominant_choices=IN_DOMINANT_CHOICES,
        replies=_replies(solution),
    )
    return sentence or None


def _replies(solution: Solution) -> str:
    """The players' gains from best replies to a quantal response equilibrium."""
    if solution.response is None:
        return ""
    gains = solution.response.gains
    if not any(gains):
        return "here it is a Nash equilibrium, too"
    pairs = zip(solution.players, gains, strict=True)
    paid = ", ".join(f"{name} {rounded_up(gain)}" for name, gain in pairs)
    return f"no Nash equilibrium: best replies would pay more on average ({paid})"


def ties(solution: Solution) -> str | None:
    """The effect of different choices between equally good moves, if known."""
    match solution.tie_breaks:
        case None:
            return None
        case TieBreaks.TOO_MANY:
            return "may depend on tie-breaking; there are too many ties to list"
        case TieBreaks.LISTED:
            vectors = (f"({', '.join(map(str, vector))})" for vector in solution.alternatives)
            return f"depends on tie-breaking: other ties lead to {', '.join(vectors)}"


def proved(solution: Solution) -> str | None:
    """Facts proved about an unknown value."""
    facts = solution.rules.facts
    return None if solution.facts_proved is None else proved_words(facts, solution.facts_proved)


def proved_words(facts: Facts, proved: Proved) -> str | None:
    """Facts proved about an unknown value, of the first player of each side; None for bounds that
    bound nothing."""
    names = facts.players
    if isinstance(proved, Approached):
        name, most = names[proved.player], proved.most
        return (
            f"{name} gets as near to {most} as is wanted, and {most} by no way to play: "
            "a supremum that is approached and not attained"
        )
    bounds = [
        (facts.sides.index(side), payoffs) for side, payoffs in enumerate((proved.low, proved.high))
    ]
    return (
        " and ".join(
            f"{names[player]} gets at least {payoffs[player]}"
            if any(payoffs)
            else f"{names[player]} does not lose"
            for player, payoffs in bounds
            if payoffs is not None
        )
        or None
    )


def progress_words(facts: Facts, progress: Bounds | FirstMoves) -> str | None:
    """Facts proved so far during a search for a value."""
    if isinstance(progress, Bounds):
        return proved_words(facts, progress)
    more = " ..." if progress.has_more else ""
    good = f", as good: {' '.join(progress.best)}{more}" if progress.best else ""
    asked = f"{progress.asked} of {progress.count} first actions asked"
    return f"{outcome_words(facts.players, progress.value)}; {asked}{good}"


def ways(solution: Solution) -> tuple[str, ...]:
    """Further attempts at a game that was not solved."""
    return tuple(ADVICE.get(advice) or MORE[solution.limit] for advice in solution.advice)
