"""What is said before solving: counts are exact, bounds hold, and the solver named is the one."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf
from random import Random

import pytest

from gamedsl import UnsupportedGameError, load
from gamedsl.reports.checks.facts import facts_text
from gamedsl.reports.counts.estimate import estimate_data, estimate_text
from gamedsl.solvers import problem
from gamedsl.solvers.equilibria import extensive_form
from gamedsl.solvers.feasibility import estimate as feasibility
from gamedsl.solvers.feasibility.estimate import estimate
from gamedsl.solvers.feasibility.form_size import estimate_form
from gamedsl.solvers.graphs.graph import explore
from gamedsl.solvers.graphs.layers import count_layers
from gamedsl.solvers.graphs.sampled_layers import estimated_positions
from gamedsl.solvers.graphs.visits import Visits, at_least, met, met_returning
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

from .conftest import three_in_a_row

GIGABYTE = 10**9
KNOWN = [
    ("tic_tac_toe", {}, 5478),
    ("mnk", {"width": 4}, 111_973),
    ("mnk", {"width": 4, "height": 4, "run": 4}, 9_722_011),
    ("connect_small", {}, 12_031),
    ("connect_small", {"width": 5, "height": 4}, 3_945_711),
    ("breakthrough", {}, 723),
    ("breakthrough", {"width": 4}, 9073),
    ("breakthrough", {"width": 3, "height": 6}, 35_546_763),
    ("cram", {}, 550),
    ("domineering", {}, 271),
    ("hanoi", {"discs": 6}, 729),
    ("hex", {}, 5514),
    ("hexapawn", {}, 135),
    ("hexapawn", {"width": 4, "height": 4}, 20_286),
    ("kayles", {}, 7726),
    ("lights_out", {}, 512),
    ("eight_puzzle", {}, 181_440),
]


@pytest.mark.parametrize(("name", "parameters", "count"), KNOWN)
def test_there_are_as_many_positions_as_random_plays_tell_or_more(name, parameters, count) -> None:
    game = load(name, **parameters)
    visits = Visits(game, game.initial_state(), Random(0), 30)
    visits.play(200, 10**8, inf)
    assert len({key for play in visits.plays for key in play}) <= at_least(visits.plays)
    assert at_least(visits.plays) <= count


def test_branching_is_told_of_a_single_choice_too() -> None:
    game = load("nim", sizes=[1])
    visits = Visits(game, game.initial_state(), Random(0), 30)
    visits.play(1, 10**8, inf)
    assert visits.branching == 1


def test_states_whose_keys_have_one_hash_are_told_apart() -> None:
    """A full bar of 80 squares and a bar without its corner: words -1 and -2, whose hash in Python
    is the same. No play of Chomp returns."""
    game = load("chomp", width=10, height=8)
    visits = Visits(game, game.initial_state(), Random(0), 100)
    visits.play(100, 10**8, inf)
    assert not visits.return_somewhere


@pytest.mark.parametrize(("name", "is_team"), [("prisoners_dilemma", False), ("tiny_hanabi", True)])
def test_the_best_joint_plan_is_for_players_who_want_the_same(name, is_team) -> None:
    forecast = estimate(load(name), seconds=0.5).forecasts
    reason = next(each.why_not for each in forecast if each.solver is SolverName.TEAM)
    assert (reason is None) is is_team


def test_plays_that_never_meet_tell_of_many_positions() -> None:
    strangers = [[play * 100 + ply for ply in range(20)] for play in range(400)]
    assert at_least(strangers) > 30 * 400 * 20
    assert at_least([list(range(20))] * 400) == 20


RETURNING = [
    ("rook_endgame", {"size": 6}, 63_105),
    ("six_mens_morris", {"men": 3}, 375_833),
]


@pytest.mark.parametrize(("name", "parameters", "count"), RETURNING)
def test_long_plays_that_meet_count_the_positions_of_returning_play(
    name, parameters, count
) -> None:
    game = load(name, **parameters)
    visits = Visits(game, game.initial_state(), Random(0), 1000)
    visits.play(300, 1_500_000, inf)
    about = met_returning(visits.plays)
    assert about is not None
    assert count / 3 < about < 3 * count


@pytest.mark.parametrize(("name", "parameters"), [("dobutsu_shogi", {}), ("quixo", {"size": 3})])
def test_plays_that_end_while_they_spread_count_nothing(name, parameters) -> None:
    game = load(name, **parameters)
    visits = Visits(game, game.initial_state(), Random(0), 1000)
    visits.play(400, 10**8, inf)
    assert visits.return_somewhere
    assert met_returning(visits.plays) is None


def test_short_plays_that_return_count_nothing() -> None:
    assert met_returning([[0]] * 50) is None
    assert met_returning([[0, 1, 0]] * 50) in (None, 2)


def test_plays_that_mix_slowly_count_nothing() -> None:
    """Walks on a grid of 90,000 fields, of which few are reached, most near the first; beside draws
    of 500 positions."""
    rng = Random(0)
    walks = []
    for _ in range(100):
        field, walk = 150 * 300 + 150, [0]
        for _ in range(600):
            field += rng.choice((-300, -1, 1, 300))
            walk.append(field)
        walks.append(walk)
    assert met_returning(walks) is None
    assert met_returning([rng.choices(range(500), k=100) for _ in range(100)]) == 500


SAMPLED = [
    ("mnk", {"width": 4, "height": 4, "run": 4}, 9_722_011),
    ("connect_small", {"width": 5, "height": 4}, 3_945_711),
    ("domineering", {"width": 6, "height": 5}, 15_354_787),
    ("hex", {"width": 4, "height": 4}, 9_386_235),
]


@pytest.mark.parametrize(("name", "parameters", "count"), SAMPLED)
def test_sampled_layers_tell_the_number_of_positions(name, parameters, count) -> None:
    """Without undoing moves, states are counted once for each way to them: a factor of thousands;
    with unreachable predecessors, such as discs above a hole, far too seldom."""
    game = load(name, **parameters)
    told = [
        estimated_positions(game, game.initial_state(), seed=1, work=20_000, plies=25, deadline=inf)
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert count / 2 < (told[0] or 0) < count * 2


def test_layers_of_a_game_of_three_have_no_turn_that_no_player_has() -> None:
    """A turn of three players has two bits, whose fourth value a candidate must not show."""
    game = load(three_in_a_row(4))
    root = game.initial_state()
    told = estimated_positions(game, root, seed=1, work=3_000, plies=16, deadline=inf)
    assert 20_000_000 < (told or 0) < 2_000_000_000  # gamedsl count --symbolic: 198,951,749


def test_layers_that_are_small_are_counted_and_not_sampled() -> None:
    game = load("tic_tac_toe")
    told = estimated_positions(
        game, game.initial_state(), seed=0, work=20_000, plies=9, deadline=inf
    )
    assert told == 5478


def test_without_time_or_a_compiled_engine_nothing_is_sampled() -> None:
    for game, deadline in [(load("hex"), 0), (load("hex", engine="interpreter"), inf)]:
        root = game.initial_state()
        told = estimated_positions(game, root, seed=0, work=900, plies=9, deadline=deadline)
        assert told is None


def test_plays_that_return_or_never_meet_are_not_judged_by_meetings() -> None:
    assert met([[play * 100 + ply for ply in range(20)] for play in range(400)]) is None
    assert estimate(load("teeko"), seconds=0.5).about is None


def test_a_moment_is_not_enough_for_a_number_of_positions() -> None:
    found = estimate(load("connect_four"), seconds=0.5)
    assert (found.positions, found.about) == (None, None)


def test_positions_are_counted_by_depth() -> None:
    game = load("tic_tac_toe")
    whole = count_layers(game, game.initial_state(), seconds=inf, max_bytes=GIGABYTE)
    assert whole.counts == (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
    assert (whole.positions, whole.endings, whole.is_whole) == (5478, 958, True)
    begun = count_layers(game, game.initial_state(), seconds=0, max_bytes=GIGABYTE)
    assert (begun.counts, begun.is_whole) == ((1, 9), False)


def test_results_of_chance_are_no_plies() -> None:
    game = load("pig", goal=8)
    found = count_layers(game, game.initial_state(), seconds=inf, max_bytes=GIGABYTE)
    graph = explore(game)
    assert found.counts[:2] == (1, 6)
    assert (found.positions, found.events) == (graph.positions, len(graph.chances))
    assert sum(found.counts) == found.positions


@pytest.mark.parametrize("name", ["tic_tac_toe", "hanoi", "kuhn_poker", "grid_world", "piglet"])
def test_the_solver_that_is_named_is_the_one_that_is_taken(name) -> None:
    found = estimate(load(name), seconds=0.5)
    solution = solve(load(name))
    assert found.taken is solution.solver
    assert found.positions in {solution.positions, None} or solution.form is not None
    (forecast,) = (one for one in found.forecasts if one.solver is found.taken)
    assert forecast.why_not is None


def test_play_that_returns_far_from_the_beginning_is_seen_by_random_plays() -> None:
    """Men are put down for twelve plies before the first one can go anywhere."""
    found = estimate(load("six_mens_morris"), seconds=3)
    assert found.taken is SolverName.NATIVE_RETROGRADE
    reasons = {one.solver: one.why_not for one in found.forecasts}
    assert "play can return" in str(reasons[SolverName.NATIVE_INDUCTION])


def test_secrets_in_play_that_returns_are_refused_before() -> None:
    game = load(
        'game "Claims"\nplayers A, B\nstate:\n    card[p in players]: 0..1 secret to p\n'
        "    is_shown: bool = false\nsetup:\n    for p in players: chance card[p] in 0..1\n"
        "move wait: is_shown = false\nmove show: is_shown = true\n"
        "end:\n    if is_shown: payoff A: card[A] - card[B], B: card[B] - card[A]\nendless: draw\n"
    )
    with pytest.raises(UnsupportedGameError) as refusal:
        solve(game)
    told = estimate(game, seconds=0.2)
    assert told.refused == refusal.value.reason
    assert "no solver applies" in estimate_text(told, "claims.game")


def test_plays_without_a_perfect_view_promise_no_time_by_positions() -> None:
    """The interests of the file are opposed in every play, and the declarations do not tell."""
    game = load(
        'game "Odds"\nplayers A, B\nstate:\n    card: 0..2 secret to A\n    bet: 0..2 = 0\n'
        "setup:\n    chance card in 0..2\nmove put(k in 1..2): bet = k\n"
        "def gain(p) = card * bet if p == A else 0\n"
        "end:\n    if bet > 0: payoff p: 2 * gain(p) - sum(gain(q) for q in players)\n"
    )
    told = {each.solver: each for each in estimate(game, seconds=0.2).forecasts}
    assert told[SolverName.SEQUENCE_FORM].why_not is None
    assert told[SolverName.SEQUENCE_FORM].seconds is None
    assert told[SolverName.TEAM].why_not is not None


def test_what_is_refused_is_said_in_the_words_of_solve() -> None:
    found = estimate(load("othello"), seconds=2)
    assert found.taken is None
    told = re.compile(r"10\^\d+|\d+ random plays|\d+ actions")
    assert told.sub("N", str(found.out_of_reach)) in told.sub("N", solve(load("othello")).outcome)


def test_native_code_is_not_begun_where_the_memory_will_not_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        problem.Problem.__init__, "__defaults__", (None, 60.0)
    )  # however busy it is
    game = load("connect_four")
    found = solve(game, options=SolveOptions(max_bytes=20_000_000, searches=False))
    assert found.status is Status.OPEN
    assert 20_000 < found.positions < 200_000  # looked at before the check
    assert "very probably at least" in found.outcome
    tried = solve(game, options=SolveOptions(max_bytes=20_000_000, max_seconds=1))
    assert tried.positions > 0


def test_what_is_for_one_player_is_not_offered_to_two() -> None:
    reasons = {one.solver: one.why_not for one in estimate(load("nim"), seconds=0).forecasts}
    assert "one player only" in str(reasons[SolverName.NATIVE_DEEPENING])


def test_turns_are_offered_where_solving_takes_them() -> None:
    for name, refusal in [("yahtzee", None), ("tic_tac_toe", "no chance"), ("kuhn_poker", "")]:
        found = {one.solver: one for one in estimate(load(name), seconds=0).forecasts}
        reason = found[SolverName.NATIVE_TURNS].why_not
        assert (reason is None) if refusal is None else refusal in str(reason)


def test_memory_is_told_for_choices_at_the_same_time_and_for_chance() -> None:
    stages, chance = SolverName.NATIVE_STAGES, SolverName.NATIVE_EXPECTIMINIMAX
    for name, solver, reason in [
        ("goofspiel", stages, "same time"),
        ("shut_the_box", chance, "chance"),
    ]:
        forecasts = {one.solver: one for one in estimate(load(name), seconds=0.1).forecasts}
        assert forecasts[solver].bytes is not None
        assert reason in str(forecasts[SolverName.NATIVE_INDUCTION].why_not)


def test_an_algorithm_for_a_goal_says_so() -> None:
    found = estimate(load("tic_tac_toe"), seconds=8)
    (alpha_beta,) = (one for one in found.forecasts if one.solver is SolverName.NATIVE_ALPHA_BETA)
    assert alpha_beta.why_not is None
    assert not alpha_beta.is_known_before
    assert "--goal value" in estimate_text(found, "GAME")


def test_algorithms_for_a_single_player_are_refused_to_two() -> None:
    forecasts = {one.solver: one for one in estimate(load("nim"), seconds=0.5).forecasts}
    for solver in (SolverName.SHORTEST_SOLUTION, SolverName.NATIVE_DEEPENING):
        assert "Nim has 2 players" in (forecasts[solver].why_not or "")


def test_the_size_of_the_extensive_form_is_told() -> None:
    """Kuhn 1950: six information sets each, 30 plays."""
    found = estimate(load("kuhn_poker"), seconds=0.5)
    assert found.form is not None
    assert found.form.size is not None
    assert (found.form.histories, found.form.combinations) == (58, 30)
    assert (found.form.size.information_sets, found.form.size.sequences) == ((6, 6), (13, 13))
    assert "12 information sets (Ann 6, Bob 6); 26 sequences" in " ".join(str(found).split())
    assert estimate(load("nim"), seconds=0.1).form is None


def test_who_forgets_is_told_beforehand() -> None:
    game = load(
        'game "Who was it"\nplayers A, B\ntree:\n    A [one]:\n'
        "        l -> A [two]: x -> (1, -1), y -> (-1, 1)\n"
        "        r -> A [two]: x -> (-1, 1), y -> (1, -1)\n"
    )
    found = estimate_form(game, max_histories=100)
    assert found is not None
    assert "forgets" in (found.forgets or "")


def test_histories_without_number_are_left_uncounted() -> None:
    game = load(
        'game "Round"\nplayers A, B\nstate:\n    c[players]: 0..1 = 0\n'
        "simultaneous choose(k in 0..1):\n    c[me] = k\n"
        "end:\n    if c[A] == 1 and c[B] == 1: A wins\nendless: draw\n"
    )
    found = estimate_form(game, max_histories=100)
    assert (found and found.size, found and found.histories) == (None, 100)
    whole = estimate(game, seconds=0.2)
    assert whole.taken is SolverName.STRATEGY_IMPROVEMENT
    applying = {one.solver for one in whole.forecasts if one.why_not is None}
    assert applying == {SolverName.STRATEGY_IMPROVEMENT}


def test_histories_that_were_not_all_seen_leave_it_open_which_algorithm_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extensive_form, "DEFAULT_MAX_HISTORIES", 20)
    monkeypatch.setattr(feasibility, "DEFAULT_MAX_HISTORIES", 20)
    cut = estimate(load("kuhn_poker"), seconds=0.2)
    assert (cut.taken, cut.form and cut.form.size) == (None, None)
    alone = estimate(load("monty_hall"), seconds=0.2)
    assert (alone.taken, alone.form and alone.form.size) == (SolverName.INFORMATION, None)


RING = """
game "Ring"
players A, B
state:
    at[p in players]: 0..4 = 0 if p == A else 2
move step(d in 1..2):
    at[turn] = (at[turn] + d) % 5
end:
    if stuck: turn loses
repeat state: illegal
"""
"""50 states by the declarations, and more positions, since the past counts."""


def test_declarations_bound_no_positions_with_a_past() -> None:
    ring = load(RING)
    found = estimate(ring, seconds=0.2)
    assert found.counted > ring.facts.state_bound == 50
    assert found.proved is None
    assert estimate_data(found)["positions"]["at_most"] is None  # type: ignore[index]
    assert "by the declarations" not in estimate_text(replace(found, positions=None), "ring")
    assert "at most 50, of 7 bits each, without the past" in facts_text(ring.facts)
    bounded = replace(found, positions=None, proved=50)
    assert "at most 50: by the declarations" in estimate_text(bounded, "ring")
