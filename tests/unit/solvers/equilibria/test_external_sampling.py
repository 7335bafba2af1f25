"""External sampling: near the value from samples, the same from the same seed, in every engine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from gamedsl.compiler.errors import has_llvm
from gamedsl.game import LoadedGame
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers import form_analysis
from gamedsl.solvers.equilibria.best_response import best_response_gains
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.equilibria.external_sampling import ExternalSampling
from gamedsl.solvers.methods import LEARNING, SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

Shipped = Callable[..., LoadedGame]
SAMPLING = SolverName.EXTERNAL_SAMPLING


def test_kuhn_poker_is_learnt_from_samples(shipped: Shipped) -> None:
    form = extensive_form(shipped("kuhn_poker"), with_tree=True)
    learning = ExternalSampling(form, 1, 2_000, is_native=False)
    found = []
    for rounds in (20, 9_999):
        learning.go_on(rounds)
        found.append(float(sum(best_response_gains(form, learning.behaviour())) / 2))
    assert learning.rounds == 2_000, "no more than were agreed on"
    assert found[1] < min(found[0] / 4, 0.04)


def test_a_seed_says_it_all(shipped: Shipped) -> None:
    form = extensive_form(shipped("kuhn_poker"), with_tree=True)
    learnt = []
    for seed, parts in ((1, (300,)), (1, (100, 200)), (2, (300,))):
        learning = ExternalSampling(form, seed, 300, is_native=False)
        for rounds in parts:
            learning.go_on(rounds)
        learnt.append(learning.behaviour())
    assert learnt[0] == learnt[1] != learnt[2]


@pytest.mark.skipif(not has_llvm(), reason="there is no machine code here")
@pytest.mark.parametrize("name", ["kuhn_poker_several", "blotto", "battle_of_the_sexes"])
def test_machine_code_samples_the_same(shipped: Shipped, name: str) -> None:
    """Three players; choices made at once; chance, and interests that are not opposed."""
    form = extensive_form(shipped(name), with_tree=True)
    learnt = []
    for is_native in (False, True):
        learning = ExternalSampling(form, 7, 200, is_native=is_native)
        learning.go_on(200)
        learnt.append(learning.behaviour())
    assert learnt[0] == learnt[1]


@pytest.mark.parametrize("name", ["kuhn_poker", "one_card_poker", "blotto", "beer_and_quiche"])
def test_the_tree_is_the_form(shipped: Shipped, name: str) -> None:
    """Gone through from its root with the probabilities of its nodes, the tree has the payoffs of
    the form for every combination of sequences."""
    form = extensive_form(shipped(name), with_tree=True)
    assert form.tree is not None
    tree, found = form.tree, dict.fromkeys(form.payoffs, Fraction(0))
    stack = [(0, Fraction(1), (0,) * len(form.sets))]
    while stack:
        node, weight, own = stack.pop()
        mover, place, first = tree.movers[node], tree.places[node], tree.children[node]
        if mover == TERMINAL:
            found[own] += weight * tree.payoffs[place][0]
        elif mover == CHANCE:
            for turn, share in enumerate(tree.shares[place]):
                stack.append((first + turn, weight * share, own))
        else:
            one = form.sets[mover][place]
            assert own[mover] == one.parent, "the player knows what he has done"
            for turn, sequence in enumerate(one.sequences):
                after = (*own[:mover], sequence, *own[mover + 1 :])
                stack.append((first + turn, weight, after))
    for own, paid in form.payoffs.items():
        assert found[own] == paid[0]


def test_the_bound_is_that_of_best_replies(shipped: Shipped) -> None:
    found = solve(
        shipped("kuhn_poker"), options=SolveOptions(solver=SAMPLING, rounds=2_000, seed=3)
    )
    curve = found.learning
    assert curve is not None
    assert (found.status, curve.rounds, curve.seed) == (Status.OPEN, 2_000, 3)
    assert [rounds for rounds, _ in curve.marks] == [10, 100, 1_000, 2_000]
    assert found.value is not None
    last = curve.marks[-1][1]
    assert abs(found.value[0] + Fraction(1, 18)) <= found.error_bound
    assert 0 <= found.error_bound - last <= Fraction(1, 10**12), "rounding apart"
    assert "samples of chance" in str(found.kind)


def test_three_players_have_no_guarantee(shipped: Shipped) -> None:
    found = solve(shipped("kuhn_poker_several"), options=SolveOptions(solver=SAMPLING, rounds=500))
    assert (found.status, found.value) == (Status.OPEN, None)
    assert "samples of chance" in str(found.kind)
    assert "there is no guarantee that more rounds come nearer" in str(found.kind)


@pytest.mark.parametrize("rule", LEARNING)
def test_every_rule_is_a_solver(shipped: Shipped, rule: SolverName) -> None:
    found = solve(shipped("kuhn_poker"), options=SolveOptions(solver=rule, rounds=200))
    assert found.solver is rule
    assert found.learning is not None
    gains = [gain for _, gain in found.learning.marks]
    assert gains[-1] < gains[0] / 3
    with pytest.raises(ValueError, match="counts at most"):
        solve(shipped("kuhn_poker"), options=SolveOptions(solver=rule, rounds=10**10))


def test_the_tree_of_histories_is_recorded_for_who_samples_alone(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    made = form_analysis.extensive_form

    def watched(*given: Any, with_tree: bool, **more: Any) -> ExtensiveForm:
        asked.append(with_tree)
        return made(*given, with_tree=with_tree, **more)

    monkeypatch.setattr(form_analysis, "extensive_form", watched)
    solve(shipped("kuhn_poker"), options=SolveOptions(solver=SAMPLING, rounds=10))
    solve(shipped("kuhn_poker"), options=SolveOptions(solver=SolverName.CFR, rounds=10))
    solve(shipped("kuhn_poker"))
    assert asked[:1] == [True]
    assert not any(asked[1:])
    assert extensive_form(shipped("kuhn_poker")).tree is None
