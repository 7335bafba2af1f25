"""Describes the value of a game in words.

In: a solved graph. Out: "draw", "X wins", "A wins with probability 4/7", "payoffs A: 1, B: 2", and
the win probability, if defined. Inexact numbers are written with as many decimals as the error
bound guarantees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10

from gamedsl.model.facts import Facts
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.extended import is_infinite
from gamedsl.solvers.graphs.graph import Vector

PAYOFFS, EXPECTED = "payoffs ", "expected payoffs "
"""First words of values written as lists of payoffs."""
MILLION = 10**6
ROUNDED = "≈"
"""Mark before a rounded decimal."""
MOST_DECIMALS = 12
SHORT_DENOMINATOR = 1000
"""Greatest denominator of fractions written without decimals."""


def outcome_words(names: Sequence[str], payoffs: Vector, *, has_winners: bool = True) -> str:
    """Certain payoffs, in the words of the language.

    One or two players: `draw` where no player gets or loses anything, `X wins 3` where the opponent
    (if any) loses as much; else every player's payoff. A lone player's payoff is written as in a
    game without winners (`Facts.has_winners`), and also if below 0 and not -1, where the payoff may
    be the cost of the way.
    """
    is_cost = len(payoffs) == 1 and payoffs[0] < 0 and payoffs[0] != -1
    if (
        is_cost
        or not has_winners
        or len(payoffs) > 2
        or (len(payoffs) == 2 and payoffs[0] != -payoffs[1])
    ):
        return PAYOFFS + _each(names, payoffs, Fraction(0))
    if not any(payoffs):
        return "draw"
    size = abs(payoffs[0])
    amount = "" if size == 1 else f" {size}"
    if len(payoffs) == 1:
        return f"{names[0]} {'wins' if payoffs[0] > 0 else 'loses'}{amount}"
    return f"{names[0] if payoffs[0] > 0 else names[1]} wins{amount}"


def is_list_of_payoffs(words: str) -> bool:
    """Whether words for a value only list the players' payoffs."""
    return words.startswith((PAYOFFS, EXPECTED))


def solved_words(solved: SolvedGraph, value: Vector, error: Fraction) -> str:
    """The outcome of best play from state 0; `value` and `error` as displayed."""
    facts = solved.graph.game.facts
    names = facts.players
    if not facts.pays_at_the_end:
        if solved.needs_chance:
            return expected_words(facts, value, error)
        return PAYOFFS + _each(names, value, error)
    if solved.needs_chance:
        outcomes = solved.graph.outcomes()
        return chance_words(facts, value, error, outcomes, lambda: ends_surely(solved))
    return sure_words(facts, value, solved.plies[0])


def expected_words(facts: Facts, value: Vector, error: Fraction) -> str:
    """The expected payoffs of best play."""
    return EXPECTED + _each(facts.players, value, error)


def sure_words(facts: Facts, value: Vector, plies: int | None) -> str:
    """The outcome of best play without chance; `plies` is None for endless play."""
    if not facts.pays_at_the_end:
        return PAYOFFS + _each(facts.players, value, Fraction(0))
    endless = facts.endless if plies is None else None
    paid = value if endless is None else endless
    words = outcome_words(facts.players, paid, has_winners=facts.has_winners)
    if endless is None:
        return words
    return "endless draw" if words == "draw" else f"endless play: {words}"


def chance_words(
    facts: Facts,
    value: Vector,
    error: Fraction,
    outcomes: Set[Vector],
    is_sure: Callable[[], bool],
) -> str:
    """The outcome of best play with chance; `is_sure`: whether play ends with probability one."""
    names = facts.players
    if not error and value in outcomes and is_sure():
        firsts = [payoffs[0] for payoffs in outcomes]
        if len(value) <= 2 and value[0] in (min(firsts), max(firsts)):
            return outcome_words(names, value, has_winners=facts.has_winners)
    probability = chance_of_winning(value, outcomes, is_sure)
    if probability is not None:
        return f"{names[0]} wins with probability {decimals(probability, error / 2)}"
    return expected_words(facts, value, error)


def mean_words(
    facts: Facts, value: Vector, payoffs: Set[Fraction], probability: Fraction | None
) -> str:
    """A single player's expected payoff, given the payoffs of the endings."""
    names = facts.players
    if value[0] in payoffs and value[0] in (min(payoffs), max(payoffs)):
        return outcome_words(names, value, has_winners=facts.has_winners)
    if probability is not None:
        return f"{names[0]} wins with probability {decimals(probability, Fraction(0))}"
    return expected_words(facts, value, Fraction(0))


def bounds_words(names: Sequence[str], value: Vector, error: Fraction) -> str:
    """Bounds on an uncertain value, rounded outwards: `A gets between -0.5 and 0.25`."""
    low, high = floor((value[0] - error) * MILLION), ceil((value[0] + error) * MILLION)
    return f"{names[0]} gets between {low / MILLION:.12g} and {high / MILLION:.12g}"


def paid_words(names: Sequence[str], paid: Vector) -> str:
    """Expected payoffs, where no value is defined: `A -0.0208, B 0.0208`."""
    return ", ".join(
        f"{name} {rounded(payoff, '.3g')}" for name, payoff in zip(names, paid, strict=True)
    )


def rounded_up(amount: Fraction) -> str:
    """A non-negative amount rounded up to a decimal of two digits: `0.00031`."""
    if not amount:
        return "0"
    scale = Fraction(10) ** (1 - floor(log10(amount)))
    return f"{float(ceil(amount * scale) / scale):.6g}"


def win_probability(solved: SolvedGraph, value: Vector) -> Fraction | None:
    """`chance_of_winning` from state 0 of a solved graph; None for play without chance."""
    graph = solved.graph
    if not solved.needs_chance or not graph.game.facts.pays_at_the_end:
        return None
    return chance_of_winning(value, graph.outcomes(), lambda: ends_surely(solved))


def chance_of_winning(
    value: Vector, outcomes: Set[Vector], is_sure: Callable[[], bool]
) -> Fraction | None:
    """The first player's probability of winning under best play.

    The probability is (1 + v) / 2 for the value v, if every ending is a win (payoff 1) or a loss
    (-1) and best play ends with probability one (`is_sure`). Otherwise draws, or endless play, may
    contribute to the value, and the result is None.
    """
    if len(value) > 2:
        return None
    win = (Fraction(1), Fraction(-1))[: len(value)]
    loss = tuple(-payoff for payoff in win)
    return (1 + value[0]) / 2 if outcomes <= {win, loss} and is_sure() else None


def ends_surely(solved: SolvedGraph) -> bool:
    """Whether best play from state 0 (one best action per state) ends with probability one."""
    graph = solved.graph
    before: dict[int, list[int]] = {0: []}
    reached = [0]
    for node in reached:
        for child in _played(solved, node):
            if child not in before:
                before[child] = []
                reached.append(child)
            before[child].append(node)
    ending = dict.fromkeys(node for node in reached if node in graph.payoffs)
    queue = list(ending)
    for node in queue:
        for parent in before[node]:
            if parent not in ending:
                ending[parent] = None
                queue.append(parent)
    return len(ending) == len(reached)


def _played(solved: SolvedGraph, node: int) -> list[int]:
    """The successors possible in best play."""
    edge, children = solved.choices[node], solved.graph.successors[node]
    if edge >= 0:
        return [children[edge]]
    if node not in solved.mixtures:
        return list(children)
    chances = [dict(mixture) for mixture in solved.mixtures[node]]
    joint_actions = solved.graph.joint_actions(node)
    return [
        child
        for child, joint in zip(children, joint_actions, strict=True)
        if all(probabilities[action] for probabilities, action in zip(chances, joint, strict=True))
    ]


def rounded(number: Fraction, form: str) -> str:
    """A number as a decimal, in the notation of `format` (`.3f`), with a mark if rounded: `0.250`,
    `≈0.333`."""
    text = format(Decimal(number.numerator) / Decimal(number.denominator), form)
    if form.endswith("g") and "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text if Fraction(text) == number else f"{ROUNDED}{text}"


def near(number: Fraction, error: Fraction, form: str) -> str:
    """An exact number as a fraction; an inexact number as a decimal, always with a mark."""
    return f"{ROUNDED}{rounded(number, form).removeprefix(ROUNDED)}" if error else str(number)


def decimals(number: Fraction, error: Fraction) -> str:
    """A number as text: exact numbers as fractions, with decimals if long; inexact numbers as
    marked decimals with only certain digits."""
    if is_infinite(number):
        return "infinity" if number > 0 else "-infinity"
    if not error:
        is_short = number.denominator <= SHORT_DENOMINATOR
        return str(number) if is_short else f"{rounded(number, '.6f')} (exactly {number})"
    digits = 1
    while digits < MOST_DECIMALS and 2 * error * 10 ** (digits + 1) <= 1:
        digits += 1
    return f"{ROUNDED}{float(number):.{digits}f}"


def _each(names: Sequence[str], payoffs: Vector, error: Fraction) -> str:
    pairs = zip(names, payoffs, strict=True)
    return ", ".join(f"{name}: {decimals(payoff, error)}" for name, payoff in pairs)
