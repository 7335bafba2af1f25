"""Equilibria as text and data: the players' strategies, and the steps of dominance.

`Equilibria` become labelled lines for the report of `solve`, or values for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gamedsl.reports.paragraphs import whole
from gamedsl.reports.phrases import bound_text, decimal_text
from gamedsl.reports.solutions.policy import decisions, local_words, seen_words, share
from gamedsl.solvers.exact.outcomes import near
from gamedsl.solvers.normal_form.form import Mixture, NormalForm
from gamedsl.solvers.normal_form.solve import Equilibria, Equilibrium
from gamedsl.source.plurals import count

MOST_PARTS = 6
"""Limit on the parts of a plan whose information sets are explained."""
ZERO = Fraction(0)
LONGEST = 16
"""Limit on the equilibria or steps shown."""


def equilibria_lines(found: Equilibria) -> Iterator[tuple[str, str]]:
    """The notation of plans, the steps of dominance, the equilibria, one per line, and the best
    correlated equilibrium.
    """
    if (plans := _plan_words(found)) is not None:
        yield "plans", plans
    for place, words in enumerate(_step_words(found)):
        yield "" if place else "dominance", words
    yield from _listed(found)
    correlated = found.correlated
    if correlated is not None and len(correlated.chances) > 1:
        best = max(sum(one.value) for one in found.found)
        told = ", ".join(
            whole(f"{_profile_words(found.form, profile)} {share(chance)}")
            for profile, chance in correlated.chances
        )
        if sum(correlated.value) > best:
            words = f"if somebody whom all trust tells each his part: {told}"
            yield "correlated", f"{words}: pays {_paid(found, correlated.value)}"


def _plan_words(found: Equilibria) -> str | None:
    """The information sets of the parts of a plan: `Sender with weak - with strong`.

    None if no plan has two parts, or a plan has too many.
    """
    told = []
    for player, name in enumerate(found.form.players):
        behaviour = found.found[0].behaviour
        own = [one for one in behaviour if one.player == player and len(one.choices) > 1]
        if len(own) > MOST_PARTS:
            return None
        if len(own) > 1:
            places = (whole(seen_words(one, name)) for one in own)
            told.append(f"{name} {' - '.join(places)}")
    return f"what their parts are for: {'; '.join(told)}" if told else None


def _listed(found: Equilibria) -> Iterator[tuple[str, str]]:
    several = len(found.found) > 1
    members: dict[int, int] = {}
    for one in found.found:
        members[one.number_of_set] = members.get(one.number_of_set, 0) + 1
    for place, one in enumerate(found.found[:LONGEST], start=1):
        words = f"{_words(found, one)}: pays {_paid(found, one.value, one.error)}"
        if one.labels:
            words += f" ({', '.join(one.labels)})"
        if one.error:
            words += f" (irrational: each probability within {bound_text(one.error)})"
        number = f"{place}. " if several else ""
        if members[one.number_of_set] > 1:
            number = f"{place}. (set {one.number_of_set + 1}) "
        yield "" if place > 1 else "equilibria" if several else "equilibrium", number + words
    if len(found.found) > LONGEST:
        yield "", f"... and {len(found.found) - LONGEST} more (--json)"


def _words(found: Equilibria, one: Equilibrium) -> str:
    """The strategies of all players: `Row opera 2/3, football 1/3; Column ...`."""
    if one.behaviour:
        parts = []
        for player, name in enumerate(found.form.players):
            own = [local_words(local, name) for local in decisions(one.behaviour, player)]
            own = [words.removeprefix("at the start: ") for words in own]
            parts.append(f"{name} {', '.join(own)}" if own else f"{name} has no choice")
        return "; ".join(parts)
    pairs = zip(found.form.players, found.form.strategies, one.mixtures, strict=True)
    return "; ".join(f"{name} {mixture_words(own, mixture)}" for name, own, mixture in pairs)


def mixture_words(names: Sequence[str], mixture: Mixture) -> str:
    """`opera`, or `opera 2/3, football 1/3`."""
    played = [(name, chance) for name, chance in zip(names, mixture, strict=True) if chance]
    if len(played) == 1:
        return played[0][0]
    return ", ".join(whole(f"{name} {share(chance)}") for name, chance in played)


def _paid(found: Equilibria, value: Sequence[Fraction], error: Fraction = ZERO) -> str:
    """The players' payoffs; in decimals if known approximately."""
    return ", ".join(
        whole(f"{name} {near(payoff, error, '.3f') if error else share(payoff)}")
        for name, payoff in zip(found.form.players, value, strict=True)
    )


def _profile_words(form: NormalForm, profile: Sequence[int]) -> str:
    return "+".join(own[n] for own, n in zip(form.strategies, profile, strict=True))


def _step_words(found: Equilibria) -> Iterator[str]:
    """`1. Row: silence is always worse than defect`; later steps assume the earlier."""
    for place, step in enumerate(found.steps[:LONGEST], start=1):
        own = found.form.strategies[step.player]
        mixture = [Fraction(0)] * len(own)
        for strategy, chance in step.better:
            mixture[strategy] = chance
        name, better = found.form.players[step.player], mixture_words(own, tuple(mixture))
        number = f"{place}. " if len(found.steps) > 1 else ""
        always = "always" if place == 1 else "now"
        yield f"{number}{name}: {own[step.strategy]} is {always} worse than {better}"
    if len(found.steps) > LONGEST:
        yield f"... and {count(len(found.steps) - LONGEST, 'step')} more (--json)"


def equilibria_data(found: Equilibria) -> dict[str, object]:
    """The equilibria, JSON-ready; exact numbers are text."""
    form = found.form
    return {
        "strategies": {
            name: list(own) for name, own in zip(form.players, form.strategies, strict=True)
        },
        "dominance": [
            {
                "player": form.players[step.player],
                "strategy": form.strategies[step.player][step.strategy],
                "better": {
                    form.strategies[step.player][number]: str(chance)
                    for number, chance in step.better
                },
            }
            for step in found.steps
        ],
        "found": [_data(form, one) for one in found.found],
        "complete": found.why_more is None,
        "why_more": found.why_more,
        "degenerate": found.is_degenerate,
        "method": found.method,
        "correlated": None if found.correlated is None else {
            "chances": {
                _profile_words(form, profile): str(chance)
                for profile, chance in found.correlated.chances
            },
            "value": list(map(str, found.correlated.value)),
        },
    }  # fmt: skip


def _data(form: NormalForm, one: Equilibrium) -> dict[str, object]:
    return {
        "mixtures": [
            {
                name: _number(chance, one)
                for name, chance in zip(own, mixture, strict=True)
                if chance
            }
            for own, mixture in zip(form.strategies, one.mixtures, strict=True)
        ],
        "value": [_number(payoff, one) for payoff in one.value],
        "error_bound": bound_text(one.error),
        "set": one.number_of_set,
        "labels": list(one.labels),
    }


def _number(number: Fraction, one: Equilibrium) -> str:
    """The exact number, or decimals for an approximate equilibrium."""
    return decimal_text(number) if one.error else str(number)
