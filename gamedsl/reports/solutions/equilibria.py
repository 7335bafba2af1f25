"""Equilibria as text and data: the players' strategies, and the steps of dominance.

`Equilibria` become labelled lines for the report of `solve`, or values for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gamedsl.reports.paragraphs import whole
from gamedsl.reports.phrases import bound_text, decimal_text
from gamedsl.reports.solutions.policy import decisions, local_words, seen_words, share
from gamedsl.solvers.decimals import near
from gamedsl.solvers.normal_form.dominance import is_always_worse
from gamedsl.solvers.normal_form.form import Mixture, NormalForm
from gamedsl.solvers.normal_form.solve import Equilibria, Equilibrium
from gamedsl.source.plurals import count

MOST_PARTS = 6
"""Limit on the parts of a plan whose information sets are explained."""
ZERO = Fraction(0)
LONGEST = 16
"""Limit on the equilibria or steps shown."""


def equilibria_lines(equilibria: Equilibria) -> Iterator[tuple[str, str]]:
    """The notation of plans, the steps of dominance, the equilibria, one per line, and the best
    correlated equilibrium.
    """
    if (plans := _plan_words(equilibria)) is not None:
        yield "plans", plans
    for place, words in enumerate(_step_words(equilibria)):
        yield "" if place else "dominance", words
    yield from _listed(equilibria)
    correlated = equilibria.correlated
    if correlated is not None and len(correlated.chances) > 1:
        best = max(sum(equilibrium.value) for equilibrium in equilibria.equilibria)
        told = ", ".join(
            whole(f"{_profile_words(equilibria.form, profile)} {share(chance)}")
            for profile, chance in correlated.chances
        )
        if sum(correlated.value) > best:
            words = f"if somebody whom all trust tells each his part: {told}"
            yield "correlated", f"{words}: pays {_paid(equilibria, correlated.value)}"


def _plan_words(equilibria: Equilibria) -> str | None:
    """The information sets of the parts of a plan: `Sender with weak - with strong`.

    None if no plan has two parts, or a plan has too many.
    """
    told = []
    for player, name in enumerate(equilibria.form.players):
        behaviour = equilibria.equilibria[0].behaviour
        strategies = [
            local for local in behaviour if local.player == player and len(local.choices) > 1
        ]
        if len(strategies) > MOST_PARTS:
            return None
        if len(strategies) > 1:
            places = (whole(seen_words(local, name)) for local in strategies)
            told.append(f"{name} {' - '.join(places)}")
    return f"what their parts are for: {'; '.join(told)}" if told else None


def _listed(equilibria: Equilibria) -> Iterator[tuple[str, str]]:
    several = len(equilibria.equilibria) > 1
    members: dict[int, int] = {}
    for equilibrium in equilibria.equilibria:
        members[equilibrium.number_of_set] = members.get(equilibrium.number_of_set, 0) + 1
    for place, equilibrium in enumerate(equilibria.equilibria[:LONGEST], start=1):
        words = (
            f"{_words(equilibria, equilibrium)}: pays "
            f"{_paid(equilibria, equilibrium.value, equilibrium.error)}"
        )
        if equilibrium.labels:
            words += f" ({', '.join(equilibrium.labels)})"
        if equilibrium.error:
            words += f" (irrational: each probability within {bound_text(equilibrium.error)})"
        number = f"{place}. " if several else ""
        if members[equilibrium.number_of_set] > 1:
            number = f"{place}. (set {equilibrium.number_of_set + 1}) "
        yield "" if place > 1 else "equilibria" if several else "equilibrium", number + words
    if len(equilibria.equilibria) > LONGEST:
        yield "", f"... and {len(equilibria.equilibria) - LONGEST} more (--json)"


def _words(equilibria: Equilibria, equilibrium: Equilibrium) -> str:
    """The strategies of all players: `Row opera 2/3, football 1/3; Column ...`."""
    if equilibrium.behaviour:
        parts = []
        for player, name in enumerate(equilibria.form.players):
            phrases = [
                local_words(local, name) for local in decisions(equilibrium.behaviour, player)
            ]
            phrases = [words.removeprefix("at the start: ") for words in phrases]
            parts.append(f"{name} {', '.join(phrases)}" if phrases else f"{name} has no choice")
        return "; ".join(parts)
    pairs = zip(
        equilibria.form.players, equilibria.form.strategies, equilibrium.mixtures, strict=True
    )
    return "; ".join(
        f"{name} {mixture_words(strategies, mixture)}" for name, strategies, mixture in pairs
    )


def mixture_words(names: Sequence[str], mixture: Mixture) -> str:
    """`opera`, or `opera 2/3, football 1/3`; `2 (1/5), 5 (4/5)` behind names that end in digits."""
    played = [(name, chance) for name, chance in zip(names, mixture, strict=True) if chance]
    if len(played) == 1:
        return played[0][0]
    if any(name[-1:].isdigit() for name, _ in played):
        return ", ".join(whole(f"{name} ({share(chance)})") for name, chance in played)
    return ", ".join(whole(f"{name} {share(chance)}") for name, chance in played)


def _paid(equilibria: Equilibria, value: Sequence[Fraction], error: Fraction = ZERO) -> str:
    """The players' payoffs; in decimals if known approximately."""
    return ", ".join(
        whole(f"{name} {near(payoff, error, '.3f') if error else share(payoff)}")
        for name, payoff in zip(equilibria.form.players, value, strict=True)
    )


def _profile_words(form: NormalForm, profile: Sequence[int]) -> str:
    return "+".join(strategies[n] for strategies, n in zip(form.strategies, profile, strict=True))


def _step_words(equilibria: Equilibria) -> Iterator[str]:
    """`1. Row: silence is always worse than defect`; `now` where the earlier steps are needed."""
    for place, step in enumerate(equilibria.steps[:LONGEST], start=1):
        strategies = equilibria.form.strategies[step.player]
        mixture = [Fraction(0)] * len(strategies)
        for strategy, chance in step.better:
            mixture[strategy] = chance
        name, better = (
            equilibria.form.players[step.player],
            mixture_words(strategies, tuple(mixture)),
        )
        number = f"{place}. " if len(equilibria.steps) > 1 else ""
        always = "always" if is_always_worse(equilibria.form, step) else "now"
        yield f"{number}{name}: {strategies[step.strategy]} is {always} worse than {better}"
    if len(equilibria.steps) > LONGEST:
        yield f"... and {count(len(equilibria.steps) - LONGEST, 'step')} more (--json)"


def equilibria_data(equilibria: Equilibria) -> dict[str, object]:
    """The equilibria, JSON-ready; exact numbers are text."""
    form = equilibria.form
    return {
        "strategies": {
            name: list(strategies)
            for name, strategies in zip(form.players, form.strategies, strict=True)
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
            for step in equilibria.steps
        ],
        "found": [_data(form, equilibrium) for equilibrium in equilibria.equilibria],
        "complete": equilibria.why_more is None,
        "why_more": equilibria.why_more,
        "degenerate": equilibria.is_degenerate,
        "method": equilibria.method,
        "correlated": None if equilibria.correlated is None else {
            "chances": {
                _profile_words(form, profile): str(chance)
                for profile, chance in equilibria.correlated.chances
            },
            "value": list(map(str, equilibria.correlated.value)),
        },
    }  # fmt: skip


def _data(form: NormalForm, equilibrium: Equilibrium) -> dict[str, object]:
    return {
        "mixtures": [
            {
                name: _number(chance, equilibrium)
                for name, chance in zip(strategies, mixture, strict=True)
                if chance
            }
            for strategies, mixture in zip(form.strategies, equilibrium.mixtures, strict=True)
        ],
        "value": [_number(payoff, equilibrium) for payoff in equilibrium.value],
        "error_bound": bound_text(equilibrium.error),
        "set": equilibrium.number_of_set,
        "labels": list(equilibrium.labels),
    }


def _number(number: Fraction, equilibrium: Equilibrium) -> str:
    """The exact number, or decimals for an approximate equilibrium."""
    return decimal_text(number) if equilibrium.error else str(number)
