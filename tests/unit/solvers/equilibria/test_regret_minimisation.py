"""Regret minimisation: every rule comes near the value, and machine code does what Python does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from gamedsl.compiler.errors import has_llvm
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.solvers import problem as problems
from gamedsl.solvers.decimals import rounded_up
from gamedsl.solvers.equilibria import regret_kernel, regret_minimisation
from gamedsl.solvers.equilibria.best_response import best_response_value
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.equilibria.form import Cells
from gamedsl.solvers.equilibria.regret_minimisation import Learning, RegretRule, simplified
from gamedsl.solvers.graphs.graph import until
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running import forms
from gamedsl.solvers.solution import Status

Shipped = Callable[..., LoadedGame]
BOUNDS = {
    RegretRule.CFR: 2e-2,
    RegretRule.CFR_PLUS: 2e-3,
    RegretRule.LINEAR: 1e-2,
    RegretRule.DISCOUNTED: 2e-3,
    RegretRule.PREDICTIVE: 2e-3,
}
"""Exploitability of Kuhn poker after 300 rounds."""


def exploitability(form: ExtensiveForm, learning: Learning) -> float:
    """The mean of what both could gain by best replies."""
    profile = learning.behaviour()
    return float(sum(best_response_value(form, profile, player) for player in (0, 1))) / 2


def test_gains_and_losses_are_discounted() -> None:
    half = regret_kernel.WHOLE // 2
    for divisors, found in (((0, 0), [1500, -2500]), ((5, 2), [1200, -1250])):
        regrets, lasts, gains = [0, 500, -1500], [0] * 3, [0, 1 << 30, 0]
        unit = 1000 / ((1 << 30) >> 1)
        regrets[1:] = [round(one / unit) for one in regrets[1:]]
        form = regret_kernel.SequenceForm(
            sequence_starts=[0, 3],
            set_starts=[0, 1],
            firsts=[1],
            widths=[2],
            enters=[0, 1],
            parents=[0],
        )
        learnt = regret_kernel.Learnt(
            regrets=regrets, lasts=lasts, local=[0, half, half], plan=[], totals=[], gains=gains
        )
        regret_kernel.regret(0, 1, *divisors, form, learnt)
        assert [round(one * unit) for one in regrets[1:]] == found
        assert [round(one * unit) for one in lasts[1:]] == [1000, -1000]


@pytest.mark.parametrize("rule", RegretRule)
def test_every_rule_comes_near(shipped: Shipped, rule: RegretRule) -> None:
    form = extensive_form(shipped("kuhn_poker"))
    learning = Learning(form, rule, 300, is_native=False)
    learning.go_on(30)
    soon = exploitability(form, learning)
    learning.go_on(1_000)
    assert learning.rounds == 300, "no more than were agreed on"
    assert exploitability(form, learning) < min(soon / 2, BOUNDS[rule])


@pytest.mark.skipif(not has_llvm(), reason="there is no machine code here")
@pytest.mark.parametrize("rule", RegretRule)
@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker_several"])
def test_machine_code_learns_the_same(shipped: Shipped, name: str, rule: RegretRule) -> None:
    form = extensive_form(shipped(name))
    learnt = []
    for is_native in (False, True):
        learning = Learning(form, rule, 40, is_native=is_native)
        learning.go_on(15)
        learning.go_on(25)
        learnt.append(learning.behaviour())
    assert learnt[0] == learnt[1]


def test_payoffs_far_from_zero_are_no_matter(shipped: Shipped) -> None:
    """What everybody is paid in any case changes no regret."""
    form = extensive_form(shipped("kuhn_poker"))
    payoffs = {
        pair: (paid[0] + 10**6 * form.chances[pair], paid[1] - 10**6 * form.chances[pair])
        for pair, paid in form.payoffs.items()
    }
    moved = replace(
        form,
        cells=Cells.of(payoffs, form.chances),
        outcomes=frozenset((one + 10**6, other - 10**6) for one, other in form.outcomes),
    )
    learnt = []
    for one in (form, moved):
        learning = Learning(one, RegretRule.CFR_PLUS, 20, is_native=False)
        learning.go_on(20)
        learnt.append(learning.behaviour())
    assert learnt[0] == learnt[1]
    assert sum(learnt[0][0][0]) == Fraction(1)


def test_an_equilibrium_of_simple_fractions_is_found_exactly(shipped: Shipped) -> None:
    """On four squares nobody gets three, though nobody sees what the other has."""
    found = solve(
        shipped("phantom_line", wide=4, k=3), options=SolveOptions(solver=SolverName.REGRETS)
    )
    assert (found.status, found.error_bound) == (Status.WEAK, 0)
    assert found.value == (0, 0)


def test_learning_ends_where_simple_fractions_are_an_equilibrium_early(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[Learning] = []

    def remembered(*arguments: Any) -> Learning:
        learnt.append(Learning(*arguments, is_native=False))
        return learnt[-1]

    monkeypatch.setattr(forms, "Learning", remembered)
    game = shipped("phantom_line", wide=4, k=3)
    found = solve(game, options=SolveOptions(solver=SolverName.REGRETS, rounds=100))
    monkeypatch.setattr(forms, "EARLY", 10)
    early = solve(game, options=SolveOptions(solver=SolverName.REGRETS, rounds=100))
    assert [one.rounds for one in learnt] == [100, 10]
    assert found.is_exact
    assert (found.value, found.kind) == (early.value, early.kind)


def test_no_position_is_drawn_for_a_value_alone(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[State] = []
    show = LoadedGame.show

    def noted(game: LoadedGame, state: State, *how: Any, **more: Any) -> str:
        shown.append(state)
        return show(game, state, *how, **more)

    monkeypatch.setattr(LoadedGame, "show", noted)
    found = solve(
        shipped("phantom_line", wide=4, k=3),
        options=SolveOptions(solver=SolverName.REGRETS, rounds=100),
    )
    assert found.is_exact
    assert len(found.strategies) > 10
    assert not shown
    assert len(list(found.strategies)) == len(found.strategies)
    assert shown


def test_three_players_come_near_without_a_guarantee(shipped: Shipped) -> None:
    """Bob loses 1/48 in the equilibria where Ann bets nothing (Szafron and others 2013)."""
    found = solve(shipped("kuhn_poker_several"))
    assert (found.status, found.value, found.solver) == (Status.OPEN, None, SolverName.REGRETS)
    assert re.fullmatch(
        r"not solved: what was found pays Ann ≈-0\.02\d+, Bob ≈-0\.0208, Cid ≈0\.04\d+",
        found.outcome,
    )
    gain = re.search(r"nobody gains more than (\S+) on average", str(found.kind))
    assert gain is not None
    assert 0 < float(gain[1]) < 1e-4
    assert "no guarantee that more rounds" in str(found.kind)
    assert {one.player for one in found.strategies} == {0, 1, 2}


def test_an_equilibrium_of_other_interests_is_called_one_of_perhaps_many(shipped: Shipped) -> None:
    found = solve(shipped("prisoners_dilemma"), options=SolveOptions(solver=SolverName.REGRETS))
    assert (found.status, found.value) == (Status.WEAK, (1, 1))
    assert "there was no guarantee" in str(found.kind)


@pytest.mark.parametrize(("amount", "words"), [("1/3", "0.34"), ("0", "0"), ("25", "25"),
                                               ("123", "130"), ("1/1000000", "1e-06")])  # fmt: skip
def test_gains_are_rounded_up(amount: str, words: str) -> None:
    assert rounded_up(Fraction(amount)) == words


def test_rounding_gives_probabilities() -> None:
    third, tiny = Fraction(333_333, 10**6), Fraction(1, 10**6)
    assert simplified(((third, third, 1 - 2 * third),)) == ((Fraction(1, 3),) * 3,)
    assert simplified(((tiny, 1 - tiny),)) == ((Fraction(0), Fraction(1)),)
    uneven = (Fraction(1, 119),) * 119
    assert all(chance >= 0 for chance in simplified((uneven,))[0])
    assert sum(simplified((uneven,))[0]) == 1


def test_learned_strategies_are_verified_within_the_time(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call of the kernel takes a second of the clock here; no round is long enough to end."""
    now = [0.0]

    def late(self: Learning, first: int, last: int) -> None:
        now[0] += 1
        go_on(self, first, last)

    go_on = Learning._go_on
    monkeypatch.setattr(Learning, "_go_on", late)
    for module in (problems, regret_minimisation):
        monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    monkeypatch.setattr(problems, "until", partial(until, clock=lambda: now[0]))
    game = shipped("liars_dice", sides=3)
    options = SolveOptions(rounds=1000, progress=until(16.0, None, clock=lambda: now[0]))
    problem = Problem(game, game.initial_state(), options, ends=16.0)
    monkeypatch.setattr(forms, "first_equilibrium", lambda form, profiles: None)
    solution = forms.by_regret_minimisation(problem)
    assert now[0] <= 13  # a half, and half of the rest, with one more call each
    assert solution.error_bound > 0
