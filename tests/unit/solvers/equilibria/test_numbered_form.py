"""The form built by the kernel equals the form built by walking the game contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gamedsl.compiler.errors import has_llvm
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import Refusal, SearchLimits, accelerator_of
from gamedsl.solvers.equilibria import numbered_form
from gamedsl.solvers.equilibria.best_response import best_response_gains
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.equilibria.regret_minimisation import nearly_optimal_behaviour
from gamedsl.solvers.graphs.graph import OutOfHistoriesError
from gamedsl.solvers.histories import native, observed_graph

Shipped = Callable[..., LoadedGame]
SECRETS = (
    "auction", "blotto", "blotto_three_fields", "hidden_coin", "kuhn_poker", "kuhn_poker_several",
    "leduc_poker", "liars_dice", "monty_hall", "one_card_poker", "phantom_line", "secretary",
    "goofspiel", "goofspiel_by_lot", "matching_pennies",
)  # fmt: skip


def assert_equal(one: ExtensiveForm, other: ExtensiveForm) -> None:
    assert one.size == other.size
    assert one.outcomes == other.outcomes
    assert one.sets == other.sets
    assert list(one.payoffs.items()) == list(other.payoffs.items())
    assert list(one.chances.items()) == list(other.chances.items())
    for mine, theirs in zip(one.sets, other.sets, strict=True):
        assert [found.tell() for found in mine] == [found.tell() for found in theirs]


@pytest.mark.parametrize("name", SECRETS)
def test_the_kernel_finds_the_form_of_the_walk(name: str, shipped: Shipped) -> None:
    game = shipped(name)
    numbered = numbered_form.numbered_form(game, 100_000)
    assert numbered is not None
    assert_equal(numbered, extensive_form(game, by_kernel=False))


@pytest.mark.skipif(not has_llvm(), reason="needs LLVM")
@pytest.mark.parametrize("name", ["leduc_poker", "kuhn_poker_several", "goofspiel_by_lot"])
def test_machine_code_walks_as_python_does(
    name: str, shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Any = shipped(name)
    plain = extensive_form(game)
    monkeypatch.setattr(native, "WORTH_COMPILING", 0)
    assert_equal(extensive_form(game), plain)


@pytest.mark.parametrize("name", ["leduc_poker", "kuhn_poker_several"])
def test_both_forms_teach_the_same_behaviour(name: str, shipped: Shipped) -> None:
    game = shipped(name)
    forms = [extensive_form(game, by_kernel=by_kernel) for by_kernel in (True, False)]
    learnt = [nearly_optimal_behaviour(form, 20) for form in forms]
    assert learnt[0] == learnt[1]
    gains = [best_response_gains(form, learnt[0]) for form in forms]
    assert gains[0] == gains[1]


@pytest.mark.skipif(not has_llvm(), reason="needs LLVM")
def test_a_small_listing_of_large_states_ends_where_its_room_ends(shipped: Shipped) -> None:
    """Its table of pairs was filled beyond the end: states of several words need more pairs."""
    code = accelerator_of(shipped("bridge_ending_hidden"))
    assert not isinstance(code, Refusal)
    with pytest.raises(OutOfHistoriesError):
        code.list_states(SearchLimits(positions=3_000))


def test_as_many_states_as_are_allowed_are_not_looked_at_twice(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observed_graph, "machine_code_of", None)
    looked_at = list[int]()
    with pytest.raises(OutOfHistoriesError):
        observed_graph.observed_graph(shipped("kuhn_poker"), 20, lambda n, _: looked_at.append(n))
    assert len(looked_at) == 1


def test_histories_are_counted_before_they_are_walked(shipped: Shipped) -> None:
    game = shipped("kuhn_poker")
    with pytest.raises(OutOfHistoriesError):
        numbered_form.numbered_form(game, 57)
    assert numbered_form.numbered_form(game, 58) is not None


def test_a_tree_is_left_to_the_walk(shipped: Shipped) -> None:
    assert numbered_form.numbered_form(shipped("beer_and_quiche"), 1000) is None
