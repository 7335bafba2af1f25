"""Compares claimed values with a solution, where a game may have several equilibria.

In: a solution and a claim about the value. Out: the value, whether the claim holds, and the
reason if not. `value` claims the payoffs of best play or of a listed equilibrium; `only value` the
payoffs of every equilibrium, `first value` the payoffs of the first listed equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.model.expectations import Approximate, Claim, Expectation
from gamedsl.solvers.decimals import decimals
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.solution import Others, Solution

VALUES = ("value", "only value", "first value")
"""Facts about payoffs of best play."""
MOST_PAYOFFS = 6
"""Greatest number of equilibrium payoffs named in a finding."""
OF_ONE = "true of one of several equilibria"
"""The remark on a claim that holds for only one of several equilibria."""
Finding = tuple[str, bool | None, str]
"""(value, whether the claim holds, reason if not)"""


def compare_value(solution: Solution, expectation: Expectation) -> Finding:
    """Compares a claim about a value with a solution."""
    fact = expectation.fact
    if len(expectation.claims) != 1:
        return _paid(solution), False, "a game has one value"
    each = [_value_agrees(*paid, expectation.claims[0]) for paid in _payoffs(solution)]
    if solution.others is Others.NONE or fact == "first value":
        vague = (
            f"the value is known within an error only{_as_a_decimal(fact, *_payoffs(solution)[0])}"
        )
        reason = vague if each[0] is None else "" if each[0] else solution.ties or ""
        return _paid(solution), each[0], reason
    if fact == "only value":
        ok = False if False in each else None if solution.others is Others.POSSIBLE else each[0]
        return _paid(solution), ok, "" if ok else _why_others(solution)
    if True in each:
        return _paid(solution), True, OF_ONE
    is_whole = solution.others is Others.LISTED and None not in each
    is_outside = is_whole and not _is_between(solution, expectation.claims[0])
    return _paid(solution), False if is_outside else None, _why_others(solution)


def _payoffs(solution: Solution) -> list[tuple[Vector, Fraction]]:
    """Payoffs of best play, or of each known equilibrium, with the error bounds."""
    listed = () if solution.equilibria is None else solution.equilibria.equilibria
    if solution.others is Others.NONE or not listed:
        return [(paid, solution.error_bound) for paid in solution.payoffs]
    return list(
        dict.fromkeys((equilibrium.value, equilibrium.value_error) for equilibrium in listed)
    )


def _paid(solution: Solution) -> str:
    """Payoffs of best play or of all equilibria, in the notation of claims, with words where words
    add information."""
    payoffs = _payoffs(solution)
    vectors = [
        ", ".join(decimals(payoff, error) for payoff in paid)
        for paid, error in payoffs[:MOST_PAYOFFS]
    ]
    listed = ", ".join(words if len(solution.players) == 1 else f"({words})" for words in vectors)
    if solution.others is not Others.NONE:
        more = ", ..." if len(payoffs) > MOST_PAYOFFS else ""
        number = 0 if solution.equilibria is None else len(solution.equilibria.equilibria)
        several = f"{number} equilibria pay" if number > 1 else "equilibria pay"
        return f"{several} {listed}{more}"
    is_list = solution.outcome.startswith(("payoffs ", "expected payoffs "))
    return listed if is_list else f"{listed}, {solution.outcome}"


def _as_a_decimal(fact: str, paid: Vector, error: Fraction) -> str:
    """How the first player's payoff is claimed with as many decimals as the error allows, at most
    four; empty where the error allows none."""
    for digits in (4, 3, 2, 1):
        text = f"{float(paid[0]):.{digits}f}"
        text = text.removeprefix("-") if Fraction(text) == 0 else text
        if agrees(paid[0], error, Approximate(text, Fraction(text), Fraction(1, 2 * 10**digits))):
            return f": claim it as a decimal, `expect {fact}: {text}`"
    return ""


def _why_others(solution: Solution) -> str:
    if solution.others is Others.POSSIBLE:
        return "there may be equilibria that are not listed, with other payoffs"
    if solution.equilibria is not None and solution.equilibria.has_sets:
        return "equilibria are connected, and those between the ones listed pay what is between"
    return solution.ties or ""


def _is_between(solution: Solution, claim: Claim) -> bool:
    """Whether connected equilibria may pay the claimed payoffs although the ends do not."""
    if solution.equilibria is None or not solution.equilibria.has_sets:
        return False
    columns = list(zip(*(paid for paid, _ in _payoffs(solution)), strict=True))
    match claim:
        case Fraction():
            claimed: tuple[Fraction, ...] = (claim,)
        case Approximate():
            claimed = (claim.value,)
        case tuple():
            claimed = claim
        case _:
            return False
    pairs = zip(columns, claimed, strict=False)
    return all(min(column) <= wanted <= max(column) for column, wanted in pairs)


def _value_agrees(value: Sequence[Fraction], error: Fraction, claim: Claim) -> bool | None:
    if isinstance(claim, Fraction | Approximate):
        return agrees(value[0], error, claim)
    if isinstance(claim, str) or len(claim) != len(value):
        return False
    each = [agrees(payoff, error, wanted) for payoff, wanted in zip(value, claim, strict=True)]
    return False if False in each else None if None in each else True


def agrees(number: Fraction, error: Fraction, claim: Fraction | Approximate) -> bool | None:
    """Whether a number known within `error` equals the claimed number; None if the error is too
    large."""
    wanted = claim.value if isinstance(claim, Approximate) else claim
    tolerance = claim.tolerance if isinstance(claim, Approximate) else Fraction(0)
    distance = abs(number - wanted)
    if distance + error <= tolerance:
        return True
    return None if distance - error <= tolerance else False
