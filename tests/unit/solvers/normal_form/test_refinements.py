"""Labels of equilibria, against the textbooks from which the games are."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.small_tree import SmallTree
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

Shipped = Callable[..., LoadedGame]
PERFECT = ("subgame perfect", "sequential")
HORSE = """\
game "Selten's horse"
players One, Two, Three

tree:
    One:
        across -> Two:
            across -> (1, 1, 1)
            down   -> Three [below]: left -> (4, 4, 0), right -> (0, 0, 1)
        down   -> Three [below]: left -> (3, 3, 2), right -> (0, 0, 0)
"""
"""R. Selten 1975, figure 1, with the payoffs that D. Kreps and R. Wilson (1982) take."""
ENTRY = """\
game "Entry"
players Entrant, Incumbent

tree:
    Entrant:
        stay  -> (0, 2)
        enter -> Incumbent: fight -> (-1, -1), yield -> (1, 1)
"""
"""R. Selten 1978, one market of the chain store."""
TWO_WAYS = """\
game "Two ways in"
players Entrant, Incumbent

tree:
    Entrant:
        stay -> (0, 2)
        big  -> Incumbent [inside]: fight -> (-1, -1), yield -> (3, 0)
        small -> Incumbent [inside]: fight -> (-1, -1), yield -> (2, 1)
"""
"""A. Mas-Colell and others, "Microeconomic Theory", 1995, example 9.C.1: no belief makes fighting
best, though there is no subgame."""
ULTIMATUM = """\
game "Ultimatum"
players Proposer, Responder

tree:
    Proposer:
        half -> Responder: accept -> (2, 2), reject -> (0, 0)
        more -> Responder: accept -> (3, 1), reject -> (0, 0)
"""
COUPLE = """\
game "Couple in turn"
players Row, Column

tree:
    Row:
        opera    -> Column: opera -> (2, 1), football -> (0, 0)
        football -> Column: opera -> (0, 0), football -> (1, 2)
"""
OUTSIDE = """\
game "Outside option"
players A, B

tree:
    A:
        out -> (2, 2)
        enter -> A:
            opera    -> B [inside]: opera -> (3, 1), football -> (0, 0)
            football -> B [inside]: opera -> (0, 0), football -> (1, 3)
"""
"""E. van Damme, "Stable equilibria and forward induction", 1989."""
BURNING = """\
game "Burning money"
players A, B

tree:
    A:
        burn -> A:
            opera    -> B [burnt]: opera -> (2, 1), football -> (-1, 0)
            football -> B [burnt]: opera -> (-1, 0), football -> (0, 3)
        keep -> A:
            opera    -> B [kept]: opera -> (3, 1), football -> (0, 0)
            football -> B [kept]: opera -> (0, 0), football -> (1, 3)
"""
"""E. Ben-Porath and E. Dekel, "Signaling future actions and the potential for sacrifice", 1992."""


def labelled(game: LoadedGame) -> list[tuple[tuple[str, ...], tuple[Fraction, ...]]]:
    """The labels and payoffs of all equilibria."""
    found = solve(game, options=SolveOptions(solver=SolverName.NORMAL_FORM)).equilibria
    assert found is not None
    return [(one.labels, one.value) for one in found.equilibria]


def test_a_threat_in_a_subgame_is_idle() -> None:
    assert labelled(gamedsl.load(ENTRY)) == [
        (("not subgame perfect",), (0, 2)),
        (("not subgame perfect",), (0, 2)),
        (PERFECT, (1, 1)),
    ]


def test_a_threat_without_a_subgame_is_idle_if_no_belief_bears_it() -> None:
    found = labelled(gamedsl.load(TWO_WAYS))
    assert ((("sequential"),), (3, 0)) in found
    assert {labels for labels, value in found if value == (0, 2)} == {("not sequential",)}


def test_the_horse_has_equilibria_that_rest_on_nobody_looking_ahead() -> None:
    found = labelled(gamedsl.load(HORSE))
    assert {labels for labels, value in found if value == (1, 1, 1)} == {("sequential",)}
    assert {labels for labels, value in found if value == (3, 3, 2)} == {("not sequential",)}


def test_who_offers_takes_the_most_of_the_subgame_perfect_equilibria() -> None:
    found = labelled(gamedsl.load(ULTIMATUM))
    assert {value for labels, value in found if labels == PERFECT} == {(3, 1)}
    assert (("not subgame perfect",), (2, 2)) in found


def test_who_comes_first_has_his_way() -> None:
    found = labelled(gamedsl.load(COUPLE))
    assert {value for labels, value in found if labels == PERFECT} == {(2, 1)}
    assert (("not subgame perfect",), (1, 2)) in found


def test_what_a_plan_leaves_open_is_filled_in(shipped: Shipped) -> None:
    """The centipede ends at once in every equilibrium; in one nobody would go on later."""
    labels = [labels for labels, _ in labelled(shipped("centipede"))]
    assert labels.count(PERFECT) == 1
    assert labels.count(("not subgame perfect",)) == len(labels) - 1 == 7


def test_a_mixture_in_what_is_left_open_is_looked_for_or_ruled_out() -> None:
    """After `enter` B plays opera two times in three, against which opera alone is best, to which
    that is no reply: no equilibrium of the couple's game."""
    assert labelled(gamedsl.load(OUTSIDE)) == [
        (PERFECT, (2, 2)),
        (("not subgame perfect",), (2, 2)),
        (PERFECT, (3, 1)),
    ]


def test_what_is_left_open_may_have_to_be_mixed() -> None:
    """A keeps his money; had he burnt it, both would have to choose by chance in one equilibrium.
    Nothing is left undecided, and no behaviour is listed twice for two mixtures of plans."""
    game = gamedsl.load(BURNING)
    solved = solve(game, options=SolveOptions(solver=SolverName.NORMAL_FORM)).equilibria
    assert solved is not None
    behaviour = [(one.number_of_set, tuple(one.behaviour)) for one in solved.equilibria]
    assert len(set(behaviour)) == len(behaviour) == 9
    labels = [one.labels for one in solved.equilibria]
    assert set(labels) == {PERFECT, ("not subgame perfect",)}
    mixed = [one for one in solved.equilibria if one.value == (Fraction(3, 4), Fraction(3, 4))]
    assert [one.labels for one in mixed] == [PERFECT, PERFECT, ("not subgame perfect",)]


def test_both_breakfasts_are_sequential(shipped: Shipped) -> None:
    """Cho and Kreps 1987: it takes more than that to rule out quiche for all."""
    assert {labels for labels, _ in labelled(shipped("beer_and_quiche"))} == {("sequential",)}


@pytest.mark.parametrize("name", ["kuhn_poker", "hidden_coin", "rock_paper_scissors", "goofspiel"])
def test_a_tree_is_worth_what_the_form_says(shipped: Shipped, name: str) -> None:
    game = shipped(name)
    solution = solve(game, options=SolveOptions(solver=SolverName.SEQUENCE_FORM))
    form = extensive_form(game)
    tree = SmallTree(form)
    profile, strategies = [], iter(solution.strategies)
    for sets in form.sets:
        profile.append([tuple(p for _, p in next(strategies).choices) for _ in sets])
    assert tree.expected_payoffs(profile)[0] == solution.value
    assert solution.value == tuple(tree.best_reply(profile, player) for player in (0, 1))
    assert next(tree.subgames()) == 0
