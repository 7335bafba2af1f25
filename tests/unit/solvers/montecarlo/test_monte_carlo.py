"""Simulated plays: UCT, and random plays in machine code."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import gamedsl
from gamedsl.game.accelerator import TreeMove, TreeReport
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.montecarlo import playouts as random_playouts
from gamedsl.solvers.montecarlo.contenders import RunLimits, decision_of
from gamedsl.solvers.montecarlo.machine_uct import MachineUct
from gamedsl.solvers.montecarlo.random_plays import playouts_by_contract
from gamedsl.solvers.montecarlo.uct import uct_search
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.decision import Decision

ITERATIONS = 10_000
WON = [
    # game, settings, play that leads to the position, the only winning move
    ("tic_tac_toe", {}, "c1 b1 a2 a3", "c2"),
    ("tic_tac_toe", {}, "b3 c1", "c3"),
    ("tic_tac_toe", {}, "c1 c2 b3 a3", "b1"),
    ("connect_small", {"run": 3}, "2 4 4 1 4 2", "2"),
    ("connect_small", {"run": 3}, "3 1 1 3 3", "1"),
    ("nim", {"sizes": [3, 4, 5]}, "2,4 3,3", "1,1"),
    ("nim", {"sizes": [3, 4, 5]}, "1,3 3,3", "2,2"),
    ("chomp", {}, "d1", "b2"),
    ("chomp", {}, "d2 c2 b3", "c1"),
    ("hexapawn", {"width": 4, "height": 4}, "step(a1) step(a4) step(d1) step(b4)", "step(d2)"),
]
LOOP = """\
game "Round and round"
players A, B

state:
    on: bool = true

move flip:
    on = not on

end:
    if 1 == 2: draw
"""


def position(game, play):
    """The state after a play."""
    state = game.initial_state()
    for name in play.split():
        full = f"take({name})" if "," in name and "(" not in name else name
        state = game.result(state, game.action_named(state, full))
    return state


def chosen(game, state):
    """The name of the action that UCT decides on, without its family."""
    decision = uct_search(game, state, iterations=ITERATIONS, rng=Random(1))
    return decision.line[0].replace(" ", "")


def winning(name, move):
    family = {"tic_tac_toe": "mark", "connect_small": "drop", "nim": "take", "chomp": "bite"}
    return f"{family[name]}({move})" if name in family else move


def test_uct_finds_the_winning_reply(shipped):
    for name, settings, play, move in WON:
        game = shipped(name, **settings)
        state = position(game, play)
        only = [found for found in solve(game, state).moves if found.is_best]
        assert [found.name.replace(" ", "") for found in only] == [winning(name, move)]
        assert chosen(game, state) == winning(name, move)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "three_player_race", "tic_tac_toe_random"])
def test_a_seed_gives_the_same_decision_twice(shipped, name):
    game = shipped(name)
    state = game.initial_state()
    while game.current_player(state) < 0:
        state = game.result(state, game.chance_outcomes(state)[0][0])
    first = uct_search(game, state, iterations=200, rng=Random(7))
    assert uct_search(game, state, iterations=200, rng=Random(7)) == first


def test_another_seed_gives_other_estimates(shipped):
    game = shipped("tic_tac_toe")
    one, other = (uct_search(game, iterations=200, rng=Random(seed)) for seed in (1, 2))
    assert one.moves != other.moves


def test_every_simulated_play_is_counted_once(shipped):
    decision = uct_search(shipped("tic_tac_toe"), iterations=500, rng=Random(1))
    assert sum(move.visits for move in decision.moves) == 500


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig"])
def test_the_path_of_a_simulated_play_leads_from_each_of_its_states_to_the_next(name) -> None:
    game, plays = gamedsl.load(name), []
    uct_search(game, iterations=40, rng=Random(1), observer=plays.append)
    assert max(len(play.path) for play in plays) > 1
    for play in plays:
        state = game.initial_state()
        assert play.states[0] == state
        for action, following in zip(play.path, play.states[1:], strict=True):
            state = game.result(state, action)
            assert state == following


def test_each_of_three_players_wants_his_own_part(shipped):
    game = shipped("aima_three_player")
    state = position(game, "left left")
    decision = uct_search(game, state, iterations=2_000, rng=Random(1))
    assert decision.line == ("left",)
    assert decision.value == (1, 2, 6)


def test_secrets_are_refused(shipped):
    with pytest.raises(UnsupportedGameError, match="do not see the whole position"):
        uct_search(shipped("kuhn_poker"), iterations=10, rng=Random(1))


def test_an_ending_has_no_move(shipped):
    game = shipped("aima_fig_5_2")
    with pytest.raises(ValueError, match="nobody is to move"):
        uct_search(game, position(game, "a1 b1"), iterations=10, rng=Random(1))


def test_random_play_without_end_or_its_value_is_refused():
    with pytest.raises(UnsupportedGameError, match="has not ended"):
        uct_search(gamedsl.load(LOOP), iterations=1, rng=Random(1))


def test_random_play_without_end_counts_what_the_file_says():
    game = gamedsl.load(LOOP + "\nendless: draw\n")
    assert uct_search(game, iterations=1, rng=Random(1)).value == (0, 0)


def test_no_play_at_all_is_a_mistake(shipped):
    with pytest.raises(ValueError, match="at least 1 play"):
        uct_search(shipped("tic_tac_toe"), iterations=0, rng=Random(1))


def test_an_estimate_is_the_mean_of_what_plays_pay(shipped):
    game = shipped("tic_tac_toe")
    state = position(game, "c1 c2 b3 a3")
    for move in uct_search(game, state, iterations=300, rng=Random(3)).moves:
        values = move.value if isinstance(move.value, tuple) else (move.value,)
        assert all(-1 <= value <= 1 for value in values)


def told(*moves: TreeMove) -> Decision:
    """The decision of the first player of tic-tac-toe that follows from a tree."""
    game = gamedsl.load("tic_tac_toe")
    half = Fraction(1, 2), Fraction(-1, 2)
    report = TreeReport(moves, half, LOSS, WIN, 100, 100, 3, 50, (moves[0].action,))
    return decision_of(game, game.initial_state(), report)


WIN, DRAW, LOSS = ((Fraction(payoff), Fraction(-payoff)) for payoff in (1, 0, -1))


def tried(action: int, visits: int, payoff: str) -> TreeMove:
    mean = Fraction(payoff)
    return TreeMove(action, visits, (mean, -mean), LOSS, WIN, False)


def proved(action: int, visits: int, value: tuple[Fraction, Fraction]) -> TreeMove:
    return TreeMove(action, visits, value, value, value, True)


@pytest.mark.parametrize(
    ("moves", "action"),
    [
        ([tried(0, 90, "0.1"), tried(1, 10, "0.4")], 0),
        ([proved(0, 90, LOSS), tried(1, 10, "-0.9")], 1),
        ([proved(0, 5, DRAW), tried(1, 90, "-0.1")], 0),
        ([proved(0, 90, DRAW), tried(1, 5, "0.1")], 1),
        ([tried(0, 90, "0.9"), proved(1, 1, WIN)], 1),
        ([proved(0, 1, LOSS), proved(1, 7, LOSS)], 1),
    ],
    ids=["plays", "not lost", "a draw", "more than a draw", "a win", "all lost"],
)
def test_a_proved_value_is_chosen_where_plays_promise_no_more(
    moves: list[TreeMove], action: int
) -> None:
    assert told(*moves).action == action


def test_a_decision_is_exact_where_no_move_can_be_better() -> None:
    won = told(tried(0, 90, "0.9"), proved(1, 1, WIN))
    assert won.is_exact
    assert won.value == WIN
    assert [move.is_bound for move in won.moves] == [True, False]
    assert not told(tried(0, 90, "0.9"), proved(1, 1, DRAW)).is_exact


def test_machine_code_decides_within_a_number_of_plays_or_a_time() -> None:
    game = gamedsl.load("connect_four")
    uct = MachineUct(game, Random(1))
    assert not uct.is_coming
    uct.prepare(game.initial_state(), None)
    assert uct.is_ready
    decision = uct.decide(game.initial_state(), RunLimits(777))
    assert decision.nodes == sum(move.visits for move in decision.moves) + 1 == 777
    assert decision.deepest is not None
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    uct.decide(game.initial_state(), RunLimits(ends=0.05), clock=clock)
    assert 0.05 <= now < 0.06


ALONE = """game "Alone"
players A
state:
    at: 0..9 = 0
    left: 0..3 = 3
move add(n in 1..3):
    {reward}at += n
    left -= 1
end:
    if left == 0: payoff p: at
evaluate p: at
"""


@pytest.mark.parametrize(
    ("reward", "name", "best"),
    [("", "UCT with `evaluate`", 9), ("reward A: n\n    ", "UCT", 18)],
    ids=["evaluate", "rewards"],
)
def test_a_single_player_estimates_by_evaluate_where_nothing_is_paid_on_the_way(
    reward: str, name: str, best: int
) -> None:
    game = gamedsl.load(ALONE.format(reward=reward))
    uct = MachineUct(game, Random(1))
    uct.prepare(game.initial_state(), None)
    decision = uct.decide(game.initial_state(), RunLimits(500))
    assert (decision.algorithm, decision.value) == (name, (best,))
    assert decision.is_exact


def test_interpreted_games_have_no_machine_code() -> None:
    game = gamedsl.load("connect_small", "interpreter")
    uct = MachineUct(game, Random(1))
    uct.prepare(game.initial_state(), None)
    assert not uct.is_possible
    assert not uct.is_coming


def test_chance_decides_as_often_as_it_should_where_a_game_has_no_code_of_its_own() -> None:
    game = gamedsl.load("craps", "interpreter")
    found = playouts_by_contract(game, game.initial_state(), 2000, seed=1, longest=1000)
    mean = sum(pays[0] * times for pays, times in found.endings) / found.playouts
    assert found.unfinished == 0
    assert abs(mean - Fraction(-7, 495)) < 0.07
    assert playouts_by_contract(game, game.initial_state(), 5, seed=1, longest=0).unfinished == 5


def test_a_long_play_under_way_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = LOOP.replace("on: bool = true", "on: 0..1000 = 0").replace("1 == 2", "on == 1000")
    game, time = gamedsl.load(text.replace("on = not on", "on += 1")), [0.0]
    made = game.result

    def slow(state, action):
        time[0] += 1
        return made(state, action)

    monkeypatch.setattr(type(game), "result", lambda _, state, action: slow(state, action))
    monkeypatch.setattr(random_playouts, "MOST_PLACES", 0)
    decision = uct_search(game, iterations=9, seconds=1200, rng=Random(3), clock=lambda: time[0])
    assert decision.nodes == 1
    assert time[0] <= 1200 + random_playouts.LOOK
