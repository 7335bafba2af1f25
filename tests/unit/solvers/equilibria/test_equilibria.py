"""Equilibria of two players with opposed interests: published values, and nobody can gain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count, product

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.reports.solutions.families import family_words
from gamedsl.solvers.equilibria.active_constraints import exact_candidates
from gamedsl.solvers.equilibria.best_response import (
    best_response_value,
    first_equilibrium,
    verified_value,
)
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.equilibria.regret_minimisation import nearly_optimal_behaviour
from gamedsl.solvers.equilibria.sequence_form import optimal_behaviour
from gamedsl.solvers.graphs import graph
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.running import forms
from gamedsl.solvers.solution import Status

Shipped = Callable[..., LoadedGame]
Told = Mapping[object, Mapping[str, Fraction]]
"""With what probabilities to act, by player and what the player has seen."""


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("kuhn_poker", {}, Fraction(-1, 18)),
        ("myerson_poker", {}, Fraction(1, 3)),
        ("liars_dice", {"sides": 2}, Fraction(1, 2)),
        ("liars_dice", {}, Fraction(1, 9)),
        ("hidden_coin", {}, Fraction(0)),
        ("rock_paper_scissors", {}, Fraction(0)),
        ("odd_or_even", {}, Fraction(1, 12)),
        ("morra", {"k": 3}, Fraction(0)),
        ("blotto", {}, Fraction(14, 9)),
        ("goofspiel", {}, Fraction(0)),
        ("goofspiel", {"n": 4}, Fraction(0)),
    ],
)
def test_published_values(
    shipped: Shipped, name: str, parameters: dict[str, object], value: Fraction
) -> None:
    solution = solve(shipped(name, **parameters))
    assert solution.value == (value, -value)
    assert solution.is_exact
    assert solution.strategies
    assert str(solution.kind).startswith("an equilibrium")


@pytest.mark.parametrize("name", ["rock_paper_scissors", "odd_or_even", "goofspiel", "blotto"])
def test_the_tree_gives_the_value_of_the_stages(shipped: Shipped, name: str) -> None:
    game = shipped(name)
    by_tree = solve(game, options=SolveOptions(solver=SolverName.SEQUENCE_FORM))
    assert by_tree.solver is SolverName.SEQUENCE_FORM
    assert by_tree.value == solve(game).value


def walked(game: LoadedGame, told: Told, history: History) -> Fraction:
    """What the first player gets on average: the tree gone through, and nothing else asked."""
    state = history[-1][0]
    mover = game.current_player(state)
    if mover == TERMINAL:
        return game.utility(state, 0)
    if mover == CHANCE:
        shares = dict(game.chance_outcomes(state))
    else:
        chosen = told[int(mover), game.information_state(history, int(mover))]
        shares = {action: chosen[game.action_name(state, action)] for action in
                  game.legal_actions(state)}  # fmt: skip
    total = Fraction(0)
    for action, share in shares.items():
        if share:
            after = (*history[:-1], (state, action), (game.result(state, action), None))
            total += share * walked(game, told, after)
    return total


def pure_plans(sets: Mapping[object, tuple[str, ...]]) -> Iterator[Told]:
    for names in product(*sets.values()):
        yield {
            key: {name: Fraction(name == chosen) for name in legal}
            for (key, legal), chosen in zip(sets.items(), names, strict=True)
        }


@pytest.mark.parametrize("name", ["kuhn_poker", "myerson_poker", "hidden_coin"])
def test_no_plan_of_either_player_gains_anything(shipped: Shipped, name: str) -> None:
    """All pure plans against the equilibrium, played out on the tree."""
    game = shipped(name)
    form = extensive_form(game)
    profile = optimal_behaviour(form)
    start: History = ((game.initial_state(), None),)
    told: list[dict[object, dict[str, Fraction]]] = [{}, {}]
    for player, (sets, own) in enumerate(zip(form.sets, profile, strict=True)):
        for found, chances in zip(sets, own, strict=True):
            key = (player, game.information_state(found.history, player))
            told[player][key] = dict(zip(found.actions, chances, strict=True))
    value = walked(game, {**told[0], **told[1]}, start)
    assert verified_value(form, profile) == (value, -value)
    for player, other in ((0, 1), (1, 0)):
        legal = {key: tuple(chances) for key, chances in told[player].items()}
        gains = [walked(game, {**plan, **told[other]}, start) for plan in pure_plans(legal)]
        assert (max(gains) if player == 0 else min(gains)) == value


def test_what_is_no_equilibrium_is_not_called_one(shipped: Shipped) -> None:
    """Always the first action: against Ann, who never bets, Bob gets more by betting kings."""
    form = extensive_form(shipped("kuhn_poker"))
    first = tuple(
        tuple((Fraction(1), *(Fraction(0) for _ in one.actions[1:])) for one in sets)
        for sets in form.sets
    )
    assert best_response_value(form, first, 1) > 0
    with pytest.raises(ArithmeticError, match="no equilibrium"):
        verified_value(form, first)


def test_a_solution_tells_what_both_do(shipped: Shipped) -> None:
    """Kuhn 1950: Ann bets the jack a third as often as the king; Bob's play is unique."""
    solution = solve(shipped("kuhn_poker"))
    assert solution.status is Status.WEAK
    assert (solution.positions, solution.terminals) == (54, 30)
    assert solution.form is not None
    assert solution.form.information_sets == (6, 6)
    told = {(one.player, one.drawn, one.seen): dict(one.choices) for one in solution.strategies}
    jack = told[0, ("card[Ann]=J",), ()]["bet"]
    king = told[0, ("card[Ann]=K",), ()]["bet"]
    assert 3 * jack == king
    assert told[1, ("card[Bob]=J",), ("check",)]["bet"] == Fraction(1, 3)
    assert told[1, ("card[Bob]=Q",), ("bet",)]["call"] == Fraction(1, 3)


LOOK = """\
game "Look"
players A, B
state:
    coin: 0..2 = 0 secret to A
    guess: 0..2 = 0
setup:
    chance coin in 1..2
move tell:
    require guess == 0 and turn == A
move call(n in 1..2):
    require turn == B
    guess = n
end:
    if guess > 0: {ending}
"""


def test_payoffs_of_a_constant_sum_are_opposed_too() -> None:
    ending = "payoff A: 3 if guess != coin else 1, B: 0 if guess != coin else 2"
    solution = solve(gamedsl.load(LOOK.format(ending=ending)))
    assert solution.value == (2, 1)


def test_interests_that_are_not_opposed_have_no_linear_program() -> None:
    game = gamedsl.load(LOOK.format(ending="payoff A: guess, B: 1 if guess == coin else 0"))
    with pytest.raises(UnsupportedGameError, match="the other need not lose"):
        solve(game, options=SolveOptions(solver=SolverName.SEQUENCE_FORM))
    assert solve(game).solver is SolverName.NORMAL_FORM


def test_three_players_who_do_not_see_everything_have_no_linear_program() -> None:
    text = LOOK.replace("players A, B", "players A, B, C").replace("move call", "move skip:\n"
        "    require turn == C\nmove call")  # fmt: skip
    game = gamedsl.load(text.format(ending="payoff p: 0"))
    with pytest.raises(UnsupportedGameError, match="has 3 players"):
        solve(game, options=SolveOptions(solver=SolverName.SEQUENCE_FORM))


def test_a_position_within_the_game_is_refused(shipped: Shipped) -> None:
    game = shipped("hidden_coin")
    later = game.result(game.initial_state(), 0)
    with pytest.raises(UnsupportedGameError, match="depends on the play that led there"):
        solve(game, later)


def test_what_is_too_large_is_left_open(shipped: Shipped) -> None:
    few = solve(shipped("kuhn_poker"), options=SolveOptions(max_positions=20))
    assert (few.status, few.value) == (Status.OPEN, None)
    assert "more than 20 histories; where something is hidden every play" in few.outcome


def test_histories_end_where_the_memory_does(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count(0, 500_000)
    monkeypatch.setattr(graph, "resident_bytes", lambda: next(looks))  # as of a process that grows
    full = solve(shipped("liars_dice", sides=5), options=SolveOptions(max_bytes=1_000_000))
    assert (full.status, full.value) == (Status.OPEN, None)
    assert "its histories fill" in full.outcome
    assert "smaller parameters (-D)" in full.outcome


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice"])
def test_regrets_vanish_and_the_bounds_hold(
    shipped: Shipped, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between proven bounds, which the exact value must lie in, where no equations are found that
    hold; closer after more rounds."""
    monkeypatch.setattr(forms, "exact_candidates", lambda *_: iter(()))
    game = shipped(name)
    exact = solve(game).value
    near = solve(game, options=SolveOptions(solver=SolverName.REGRETS))
    assert exact is not None
    assert near.value is not None
    assert 0 < near.error_bound < Fraction(1, 1000)
    assert abs(near.value[0] - exact[0]) <= near.error_bound
    assert near.status is Status.OPEN
    assert str(near.kind).startswith("nearly an equilibrium")
    loose = solve(game, options=SolveOptions(solver=SolverName.REGRETS, tolerance=Fraction(1, 100)))
    assert loose.status is Status.WEAK
    form = extensive_form(game)
    few, many = (
        sum(best_response_value(form, profile, player) for player in (0, 1))
        for profile in (nearly_optimal_behaviour(form, rounds) for rounds in (10, 200))
    )
    assert 0 < many < few / 4


def test_time_that_is_up_leaves_what_was_learnt(shipped: Shipped) -> None:
    def up() -> None:
        raise OutOfTimeError(0, 0)

    form = extensive_form(shipped("kuhn_poker"))
    assert nearly_optimal_behaviour(form, 1000, up) == nearly_optimal_behaviour(form, 1)


def test_a_linear_program_out_of_time_leaves_bounds(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    def up(*_: object) -> None:
        raise OutOfTimeError(0, 0)

    monkeypatch.setattr(forms, "optimal_behaviour", up)
    solution = solve(shipped("kuhn_poker"))
    assert solution.status is Status.OPEN
    assert solution.value is not None
    assert 0 < abs(solution.value[0] + Fraction(1, 18)) <= solution.error_bound < 1


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("liars_dice", {"sides": 4}, Fraction(1, 16)),
        (
            "leduc_poker",
            {},
            Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930),
        ),
    ],
)
def test_many_sequences_are_exact_by_the_equations_that_regrets_show(
    shipped: Shipped, name: str, parameters: dict[str, object], value: Fraction
) -> None:
    """Liar's dice by an independent program; Leduc poker as the linear program alone finds it, and
    -0.0856064240780 in M. Lanctot and others, OpenSpiel."""
    solution = solve(shipped(name, **parameters))
    assert solution.solver is SolverName.REGRETS
    assert solution.is_exact
    assert solution.value == (value, -value)


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "phantom_line", "hidden_coin"])
def test_equations_give_the_value_of_the_linear_program(shipped: Shipped, name: str) -> None:
    form = extensive_form(shipped(name))
    near = nearly_optimal_behaviour(form, 2_000)
    found = first_equilibrium(form, exact_candidates(form, near))
    assert found is not None
    assert found[1] == verified_value(form, optimal_behaviour(form))


def test_equations_of_what_is_no_equilibrium_give_nothing(shipped: Shipped) -> None:
    form = extensive_form(shipped("kuhn_poker"))
    near = nearly_optimal_behaviour(form, 1)
    assert first_equilibrium(form, exact_candidates(form, near)) is None


def test_sets_that_sound_alike_are_told_apart_by_what_is_seen() -> None:
    """Both dice are hidden, their sum is shown: of 3 no single result is known."""
    solution = solve(
        gamedsl.load("""\
game "Sum"
players A, B
state:
    one: 0..2 = 0 secret
    two: 0..2 = 0 secret
    both: 0..4 = 0 secret to A
    guess: 0..4 = 0
setup:
    chance one in 1..2
    chance two in 1..2
    both = one + two
move say(n in 2..4):
    guess = n
end:
    if guess > 0: A wins 1 if guess == both else 0
""")
    )
    assert solution.value == (1, -1)
    seen = [(one.drawn, [name for name, chance in one.choices if chance]) for one in
            solution.strategies]  # fmt: skip
    assert seen == [
        (("one=1", "two=1"), ["say(2)"]),
        (("both=3",), ["say(3)"]),
        (("one=2", "two=2"), ["say(4)"]),
    ]


def test_the_first_player_of_kuhn_poker_has_a_family_of_optimal_plans(shipped: Shipped) -> None:
    """H. Kuhn 1950: the jack is bet with any a up to 1/3, the king three times as often, the queen
    called with a + 1/3; the second player has one plan."""
    solution = solve(shipped("kuhn_poker"))
    (family,) = solution.families
    assert (family.player, family.least, family.most) == (0, 0, Fraction(1, 3))
    (words,) = family_words(solution.players, solution.families)
    plain = words.replace("\N{NO-BREAK SPACE}", " ")
    assert "with J: check 1 - a, bet a; " in plain
    assert "with K: check 1 - 3a, bet 3a; with K after check, bet: call; " in plain
    assert "call 1/3 + a, fold 2/3 - a" in plain


def test_all_plans_are_optimal_where_nothing_can_be_won() -> None:
    """Whoever guesses is indifferent among all plans; the corners are the pure ones."""
    branch = "B [x]: l -> 0, r -> 0"
    tree = f"tree:\n    A:\n        l -> {branch}\n        r -> {branch}\n"
    text = f'game "Nothing"\nplayers A, B\n{tree}'
    found = solve(gamedsl.load(text)).families
    assert [len(family.corners) for family in found] == [2, 2]


def test_plans_of_a_mixture_are_told_by_the_decisions_that_differ() -> None:
    """A decision that all plans have in common is left out; each plan has a line."""
    branch = "B [x]: l -> 0, r -> 0"
    text = f"""game "Half"
players A, B
tree:
    A:
        l -> {branch}
        r -> {branch}
"""
    solution = solve(gamedsl.load(text))
    (family, *_) = solution.families
    forced = next(local for local in solution.strategies if local.player == family.player)
    same = replace(forced, drawn=("h",), choices=(("l", Fraction(1)), ("r", Fraction(0))))
    told = replace(family, lines=(), corners=tuple((same, *corner) for corner in family.corners))
    words = list(family_words(solution.players, [told]))
    name = solution.players[family.player]
    assert words[0] == f"{name}, every mixture of 2 plans; the rest as above:"
    assert [line[:4] for line in words[1:]] == ["(1) ", "(2) "]
    assert not any("with h" in line for line in words)


def test_a_hand_that_was_dealt_is_told_in_words() -> None:
    """Two of three cards, in whatever order: the player knows the hand, not what came first."""
    game = gamedsl.load("""game "High card"
players Ann, Bob
type Card = low | middle | high
state:
    hand[p in players, c in Card]: bool = false secret to p
    stake: 0..2 = 0
setup:
    chance a in Card
    chance b in Card - a
    for c in Card: hand[Ann, c] = c in {a, b}
    for c in Card: hand[Bob, c] = c not in {a, b}
move bet(n in 1..2):
    require stake == 0
    stake = n
end:
    if stake > 0: Ann wins (stake if hand[Ann, high] or hand[Bob, low] else -stake)
""")
    found = solve(game).strategies
    hands = ("low, middle", "low, high", "middle, high")
    assert {one.drawn for one in found} == {(f"hand[Ann]={{{hand}}}",) for hand in hands}
