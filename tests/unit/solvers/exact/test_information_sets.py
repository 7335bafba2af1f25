"""One player who does not see everything, against brute force over all plans."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

import gamedsl
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import CHANCE
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers.exact.information_sets import PlanStep
from gamedsl.solvers.graphs.information import History, information_sets
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

MOST_PLANS = 1_000
COMPARED = (2, 5, 6, 11, 12, 13, 14, 16, 17, 20)


def hidden_walk(seed: int) -> str:
    """A number that nobody sees moves by itself and by what the player does; signals, which may be
    wrong, are seen. The player may stop early."""
    draw = random.Random(seed)
    size = draw.randint(2, 3)
    table = [[draw.randrange(size) for _ in range(2)] for _ in range(size)]
    pays = [[draw.randint(-3, 3) for _ in range(size)] for _ in range(3)]
    return f"""\
game "Hidden walk {seed}"
param table = {table}
param pays = {pays}
players P
state:
    at: 0..{size - 1} = 0 secret
    signal: 0..2 = 0
    time: 0..2 = 0
    over: bool = false
setup:
    chance at in 0..{size - 1}
move go(a in 1..2):
    require not over
    chance noise in {{0: {draw.choice(["1/2", "1/3", "1"])}, 1: {"%s"}}}
    at = table[at + 1][a] if noise == 0 else at
    chance signal in {{1 if at == 0 else 2: 2/3, {draw.choice(["0", "1", "2"])}: 1/3}}
    time += 1
move stop:
    require time < 2 and not over
    over = true
end:
    if time == 2 or over: payoff P: pays[time + 1][at + 1]
"""


def walk(seed: int) -> Any:
    text = hidden_walk(seed)
    for share, rest in (("1/2", "1/2"), ("1/3", "2/3"), ("1", "0")):
        if f"0: {share}, 1: %s" in text:
            return gamedsl.load(text.replace("%s", rest))
    raise AssertionError(text)


def best_of_all_plans(game: Any) -> Fraction | None:
    """The most that a plan, an action for each information set, gives on average."""
    sets = {found.observations: found.actions for found in information_sets(game)}
    if prod(map(len, sets.values())) > MOST_PLANS:
        return None
    number = {key: place for place, key in enumerate(sets)}
    ends = [
        (share * payoff, {number[key]: action for key, action in asked.items()})
        for share, payoff, asked in endings(game, ((game.initial_state(), None),), Fraction(1), {})
    ]
    return max(
        sum(
            (gain for gain, asked in ends if all(plan[k] == a for k, a in asked.items())),
            Fraction(0),
        )
        for plan in product(*sets.values())
    )


def endings(game: Any, history: Any, share: Fraction, asked: Any) -> Any:
    """Of every play: what chance gives it, what it pays, and what it asks of a plan."""
    state = history[-1][0]
    if game.is_terminal(state):
        yield share, game.utility(state, 0), asked
        return
    is_chance = game.current_player(state) == CHANCE
    key = None if is_chance else game.information_state(history, 0)
    pairs = (
        game.chance_outcomes(state) if is_chance else [(a, 1) for a in game.legal_actions(state)]
    )
    for action, weight in pairs:
        after = (*history[:-1], (state, action), (game.result(state, action), None))
        more = {} if is_chance else {key: game.action_name(state, action)}
        yield from endings(game, after, share * weight, asked | more)


@pytest.mark.parametrize("seed", COMPARED)
def test_the_value_is_that_of_the_best_of_all_plans(seed: int) -> None:
    game = walk(seed)
    found = solve(game)
    assert found.solver is SolverName.INFORMATION
    assert found.value == (best_of_all_plans(game),)


def test_the_guest_of_monty_hall_switches(games: Any) -> None:
    game = gamedsl.load(games / "monty_hall.game")
    solution = solve(game)
    assert solution.value == (Fraction(2, 3),)
    assert (solution.status, solution.outcome) == (Status.STRONG, "expected payoffs Guest: 2/3")
    assert solution.best == ("point(left)", "point(middle)", "point(right)")
    assert len(solution.plan) == 7
    assert solution.plan[1] == PlanStep(
        ("point(left)", "opened=middle"), ("switch",), Fraction(2, 3)
    )
    assert "after point(left), opened=middle: switch" in solution_text(solution, -1, None)
    assert len(solution_data(solution)["plan"]) == 7


def test_what_is_known_in_a_position_is_asked_from_the_beginning(games: Any) -> None:
    game = gamedsl.load(games / "monty_hall.game")
    state = game.result(game.initial_state(), 0)
    with pytest.raises(UnsupportedGameError, match="depends on the play that led there"):
        solve(game, state)


COIN = """\
game "Coin"
players P
type Side = heads | tails
state:
    coin: Side | none = none secret
    said: Side | none = none
setup:
    chance coin in {heads: 2/3, tails: 1/3}
move say(s in Side):
    said = s
end:
    if said != none:
        if said == coin: P wins
        else: P loses
"""


def test_a_guess_wins_as_often_as_the_likelier_side_comes_up() -> None:
    solution = solve(gamedsl.load(COIN))
    assert solution.outcome == "P wins with probability 2/3"
    assert (solution.value, solution.win_probability) == ((Fraction(1, 3),), Fraction(2, 3))
    assert solution.best == ("say(heads)",)


def test_rewards_count_with_the_move_and_the_end_is_discounted() -> None:
    """To look costs 1/8 and shows the coin; what is won is worth nine tenths after each ply."""
    look = (
        "move look:\n    require not seen\n    reward P: -1/8\n    shown = coin\n    seen = true\n"
    )
    text = COIN.replace("move say", look + "move say").replace(
        "    said:", "    shown: Side | none = none\n    seen: bool = false\n    said:"
    )
    solution = solve(gamedsl.load(text + "discount = 9/10\n"))
    assert solution.value == (Fraction(-1, 8) + Fraction(81, 100),)
    assert solution.best == ("look",)
    assert solution.outcome == "expected payoffs P: 137/200"


GUESS = """\
game "Guess a number"
players P
type Answer = low | high | right
state:
    number: 1..7 = 1 secret
    told: Answer | none = none
    left: 0..3 = 3
setup:
    chance number in 1..7
move guess(k in 1..7):
    require left > 0 and told != right
    reward P: -1
    left -= 1
    told = right if k == number else low if k < number else high
end:
    if told == right: payoff P: 0
    if left == 0: payoff P: -9
"""


def test_what_was_told_tells_information_sets_apart_and_nothing_hidden_does() -> None:
    """Binary search: one number is found at once, two by the second guess, four by the third."""
    solution = solve(gamedsl.load(GUESS))
    assert solution.value == (Fraction(-17, 7),)
    assert [(step.seen, step.best) for step in solution.plan[:3]] == [
        ((), ("guess(4)",)),
        (("guess(4)", "told=high"), ("guess(2)",)),
        (("guess(4)", "told=low"), ("guess(6)",)),
    ]


def test_waiting_without_learning_is_refused() -> None:
    text = COIN.replace("move say", "move wait:\n    said = none\nmove say")
    with pytest.raises(UnsupportedGameError, match="know no more than before"):
        solve(gamedsl.load(text + "endless: draw\n"))


def test_rules_that_leak_are_an_error() -> None:
    text = COIN.replace("    said = s\n", "    require s == coin\n    said = s\n")
    with pytest.raises(GameRuleError) as failed:
        solve(gamedsl.load(text))
    assert failed.value.code == "E3010"


def test_a_player_who_forgets_has_no_best_plan_step_by_step() -> None:
    """The nodes below `a` and `b` look the same, though the player has just chosen between them."""
    game = gamedsl.load(
        'game "Forgetful"\nplayers P\ntree:\n    P:\n        a -> P [x]: c -> 1, d -> 0\n'
        "        b -> P [x]: c -> 0, d -> 2\n"
    )
    with pytest.raises(UnsupportedGameError, match="forgets: after a, and after b, he"):
        solve(game)


def test_beliefs_without_end_leave_the_game_open(games: Any) -> None:
    found = solve(gamedsl.load(games / "monty_hall.game"), options=SolveOptions(max_positions=10))
    assert found.status is Status.OPEN


TWO_WAYS = """
game "Two ways to one belief"
players Guest
type Side = heads | tails
state:
    coin: Side secret
    step: 0..3 = 0
    is_right: bool = false secret
setup:
    chance coin in Side
move wait(n in 1..2):
    require step < 2
    step = step + 1
move guess(s in Side):
    require step == 2
    step = 3
    is_right = s == coin
end:
    if step == 3:
        payoff Guest: 1 if is_right else 0
"""


def test_what_to_do_is_known_after_every_play_though_beliefs_are_solved_once() -> None:
    solution = solve(gamedsl.load(TWO_WAYS))
    assert solution.informed is not None
    game = solution.informed.game
    told = set()
    for coin, first, second in product((0, 1), repeat=3):
        state = game.initial_state()
        history: History = ((state, None),)
        places = game.chance_outcomes(state)[coin][0], first, second
        for depth, place in enumerate(places):
            action = game.legal_actions(state)[place] if depth else place
            child = game.result(state, action)
            history = (*history[:-1], (state, action), (child, None))
            state = child
        found = solution.informed.at(history, 0)
        assert found is not None
        assert found.worths == (Fraction(1, 2), Fraction(1, 2))
        told.add(found.local.seen)
    assert told == {(f"wait({n})", f"wait({m})") for n in (1, 2) for m in (1, 2)}
