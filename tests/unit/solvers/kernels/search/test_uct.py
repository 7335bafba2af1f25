"""UCT by kernels, run as plain Python: proved bounds, chance, histories, a tree that is kept."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits, TreeOptions, TreeReport
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.playout_kernel import MOST_TIMES
from gamedsl.solvers.kernels.search.uct import KernelUct, LearningUct, refusal
from gamedsl.solvers.kernels.search.uct_kernel import MOST_PAID
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution
from tests.generation.dice import SeededDice
from tests.generation.games import Wish, written

LONGEST = 200
WAIT = """game "Wait"
players A
state:
    at: 0..2 = 0
move take:
    reward A: 2
    at = 2
move wait:
    require at == 0
    reward A: 1
    at = 1
end:
    if at == 2: payoff p: 1
discount = 1 / 2
"""
LOTS = """game "Lots"
players A, B
state:
    at: 0..3 = 0
move keep:
    require at == 0
    at = 1
move roll:
    require at == 0
    chance k in 1..6
    at = 2 if k <= {lucky} else 3
end:
    if at == 1: payoff p: (1 / 3 if p == A else -1 / 3)
    if at == 2: A wins
    if at == 3: B wins
"""
COLLECT = """game "Collect"
players A, B
state:
    taken: 0..12 = 0
    lead: -6..6 = 0
move take:
    taken += 1
    lead += 1 if turn == A else -1
move leave:
    taken += 1
end:
    if taken == 12: payoff p: (lead if p == A else -lead)
"""
TOSS = """game "Toss"
players A, B
state:
    at: 0..9 = 0
move toss:
    require at == 0
    chance k in 1..20
    at = 8 if k <= 15 else 9
move step(n in 1..3):
    require at < 7
    at += 1
end:
    if at == 7: draw
    if at == 8: A wins
    if at == 9: B wins
"""
THREE = """game "Three"
players A, B, C
state:
    sum: 0..9 = 0
move add(n in 1..2):
    sum += n
end:
    if sum >= 5: payoff p: (5 if p == turn else sum if p == A else 0)
"""
BACK = """game "Back and forth"
players A, B
state:
    at: 0..4 = 2
move go(d in {-1, 1}):
    at += d
repeat at 2 times: opponent wins
end:
    if at == 0: A wins
    if at == 4: B wins
"""
LARGE = """game "Large"
players A, B
state:
    at: 0..3 = 0
move take:
    reward A: {large}
    at += 1
move wait:
    reward B: {large} / 2
    at += 1
end:
    if at == 3: payoff p: 0
"""
LATER = """game "Later"
players A
state:
    at: 0..3 = 0
setup:
    chance k in 1..2
    chance m in 1..2
move take:
    reward A: at
    chance k in 1..3
    at += 1
    chance m in 1..2
end:
    if at == 3: payoff p: 1
discount = 1/2
evaluate who: at
"""
MAZE = """game "Maze"
players A
state:
    at: 0..40 = 1
    left: 0..6 = 6
move twice:
    require left > 0
    at = 2 * at % 41
    left -= 1
move less:
    require left > 0 and at > 0
    at -= 1
    left -= 1
end:
    if left == 0: payoff p: at
    if stuck: payoff p: -5
"""


def begun(
    game: LoadedGame,
    state: State | None = None,
    *,
    seed: int = 1,
    bytes_: int | None = None,
    kind: type[KernelUct] = KernelUct,
) -> KernelUct:
    assert isinstance(game.engine, CompiledEngine)
    search = kind(game.engine, native=False, limits=SearchLimits(bytes=bytes_))
    search.start(state or game.initial_state(), TreeOptions(seed, LONGEST))
    return search


def searched(game: LoadedGame, plays: int, state: State | None = None) -> TreeReport:
    search = begun(game, state)
    search.run(plays)
    return search.report()


def compared(seed: int, wish: Wish = Wish.OPEN) -> Solution | None:
    """The solution of a generated game, compared with the bounds of a tree; None where there is
    nothing to compare."""
    game = gamedsl.load(written(SeededDice(seed), wish), "auto")
    if not isinstance(game.engine, CompiledEngine) or refusal(game.engine) is not None:
        return None
    state = game.initial_state()
    try:
        if game.is_terminal(state):
            return None
        solution = solve(game, options=SolveOptions(max_positions=500, searches=False))
        report = searched(game, 120)
    except (GameRuleError, UnsupportedGameError):
        return None
    if solution.value is None or not solution.is_exact:
        return None
    told = {move.action: move.value for move in solution.moves}
    found = [(report.low, solution.value, report.high)]
    if game.current_player(state) >= 0:
        found += [(move.low, told[move.action], move.high) for move in report.moves]
    for low, value, high in found:
        assert all(a <= b <= c for a, b, c in zip(low, value, high, strict=True)), seed
    return solution


@pytest.mark.parametrize(("wish", "games"), [(Wish.OPEN, 8), (Wish.REWARDS, 3)])
def test_what_is_proved_holds_in_generated_games(wish: Wish, games: int) -> None:
    """Of one to three players, with and without chance and repetitions; rewards count from the root
    on."""
    comparisons = (compared(seed, wish) is not None for seed in range(12, 92))
    assert sum(islice((is_compared for is_compared in comparisons if is_compared), games)) == games


def test_a_discount_counts_every_ply() -> None:
    """To take is worth 2 and half of 1; to wait is worth 1 and half of that."""
    game = gamedsl.load(WAIT, "auto")
    report, solution = searched(game, 300), solve(game)
    assert report.plays < 300
    assert solution.value == (Fraction(5, 2),)
    assert [float(move.payoffs[0]) for move in report.moves] == pytest.approx([2.5, 2.25], abs=0.01)
    assert report.low[0] < solution.value[0] < report.high[0]


@pytest.mark.parametrize(
    ("lucky", "value"), [(3, Fraction(1, 3)), (4, Fraction(1, 3)), (5, Fraction(2, 3))]
)
def test_an_expectation_is_proved(lucky: int, value: Fraction) -> None:
    report = searched(gamedsl.load(LOTS.format(lucky=lucky), "auto"), 200)
    assert (report.low, report.high) == ((value, -value), (value, -value))
    roll = report.moves[1]
    assert roll.low[0] <= Fraction(2 * lucky - 6, 6) <= roll.high[0]


def test_each_of_three_players_looks_after_the_own_payoff() -> None:
    """The third player is paid nothing, and chooses who else is paid: several values remain."""
    game = gamedsl.load(THREE, "auto")
    report, solution = searched(game, 300), solve(game)
    assert report.plays < 300
    assert (report.low[0], report.high[0]) == (5, 6)
    assert solution.value is not None
    for low, value, high in zip(report.low, solution.value, report.high, strict=True):
        assert low <= value <= high


@pytest.mark.parametrize("more", ["", "evaluate p: 0\n"], ids=["plays", "evaluate"])
def test_a_history_belongs_to_a_node(more: str) -> None:
    """A repetition ends play also where no ply is played at random."""
    game = gamedsl.load(BACK + more, "auto")
    search, solution = begun(game), solve(game)
    search.start(game.initial_state(), TreeOptions(1, 0 if more else LONGEST, keeps=False))
    search.run(300)
    report = search.report()
    assert report.low == report.high == solution.value


def test_a_puzzle_is_played_to_the_best_end() -> None:
    game = gamedsl.load(MAZE, "auto")
    report, solution = searched(game, 2000), solve(game)
    assert report.low == report.high == solution.value


def test_slices_are_the_whole_and_seeds_decide() -> None:
    game = gamedsl.load("connect_small", "auto")
    sliced, other = begun(game), begun(game, seed=2)
    for plays in (1, 7, 32):
        assert sliced.run(plays) == plays
    other.run(40)
    whole = searched(game, 40)
    assert sliced.report() == whole
    assert other.report().moves != whole.moves


@pytest.mark.parametrize("nodes", [2, 30, 200])
def test_a_tree_keeps_to_its_memory(nodes: int) -> None:
    game = gamedsl.load("connect_small", "auto")
    search = begun(game, bytes_=2 * NUMBER * 13 * nodes)
    assert search.run(400) == 400
    report = search.report()
    assert report.positions <= nodes
    assert report.visits == 400
    assert len(search.tree.nodes) == nodes


def test_what_is_known_of_the_next_positions_is_kept() -> None:
    game = gamedsl.load("connect_small", "auto")
    search = begun(game)
    search.run(500)
    before = search.report()
    first = max(before.moves, key=lambda move: move.visits)
    state = game.result(game.initial_state(), first.action)
    search.start(state, TreeOptions(5, LONGEST))
    kept = search.report()
    assert (kept.visits, kept.payoffs, kept.plays) == (first.visits, first.payoffs, 0)
    assert sum(move.visits for move in kept.moves) == kept.visits - 1
    second = max(kept.moves, key=lambda move: move.visits)
    third = game.result(state, second.action)
    third = game.result(third, game.legal_actions(third)[0])
    search.start(third, TreeOptions(5, LONGEST))
    assert 0 < search.report().visits < second.visits
    search.run(100)
    fresh = begun(game, third)
    fresh.run(100)
    assert search.report().visits > fresh.report().visits == 100
    search.start(game.initial_state(), TreeOptions(5, LONGEST))
    assert search.report().visits == 0


def test_a_win_at_once_is_a_move() -> None:
    """The position is known to be won before a move is listed, and again as a kept position."""
    game = gamedsl.load("tic_tac_toe", "auto")
    state = game.position("a1 b2 a2 b3")
    before = game.position("a1 b2 a2")
    search = begun(game, before)
    search.run(200)
    for search_of_win in (begun(game, state), search):
        search_of_win.start(state, TreeOptions(1, LONGEST))
        search_of_win.run(20)
        report = search_of_win.report()
        (won,) = (move for move in report.moves if move.low[0] == 1)
        assert game.action_name(state, won.action) == "mark(a3)"
        assert report.low == report.high == (1, -1)


def test_means_keep_to_the_bounds() -> None:
    """Plays of a refuted move may have been lucky: the mean of all plays was above the bound."""
    game, rng = gamedsl.load("dots_and_boxes", "auto"), Random(15)
    state = game.initial_state()
    for _ in range(9):
        state = game.result(state, rng.choice(game.legal_actions(state)))
    for move in searched(game, 60, state).moves:
        for low, mean, high in zip(move.low, move.payoffs, move.high, strict=True):
            assert low <= mean <= high


def test_what_the_rules_exclude_is_refused() -> None:
    for name, reason in (("kuhn_poker", "secrets"), ("goofspiel", "at once")):
        game = gamedsl.load(name, "auto")
        assert isinstance(game.engine, CompiledEngine)
        with pytest.raises(UnsupportedGameError, match=reason):
            KernelUct(game.engine, native=False)


def test_all_moves_as_first_are_noted_for_the_player_who_made_them() -> None:
    game = gamedsl.load("mnk", "auto")
    search = begun(game)
    search.start(game.initial_state(), TreeOptions(1, LONGEST, keeps=False, amaf_worth=300))
    search.run(200)
    nodes = search.tree.nodes
    root = nodes[0]
    children = [nodes[root.first + place] for place in range(root.count)]
    assert all(child.amaf_visits >= child.visits for child in children)
    # the first player fills more than half of the cells of a play, and wins most plays
    assert 200 * 9 / 3 < sum(child.amaf_visits for child in children) < 200 * 5
    assert sum(child.amaf_mean for child in children) > 0
    centre = max(children, key=lambda child: child.amaf_mean)
    assert game.action_name(game.initial_state(), centre.action) == "mark(b2)"


def test_plays_learn_from_actions_that_have_paid_the_player() -> None:
    search = begun(gamedsl.load(COLLECT, "auto"), kind=LearningUct)
    search.run(200)
    worth = list(search.tree.play.worth)
    times, means = worth[::2], worth[1::2]
    for take, leave in ((0, 1), (2, 3)):  # A's, then B's
        assert means[take] > means[leave]
        assert times[take] == MOST_TIMES > times[leave]


def test_simulations_that_end_at_a_closed_node_learn_from_their_own_actions() -> None:
    game = gamedsl.load(TOSS, "auto")
    search = begun(game, kind=LearningUct)
    done = search.run(40)
    times = list(search.tree.play.worth[::2])
    tosses = times[0]  # a play is a toss, or seven steps
    assert tosses > 10
    assert sum(times) == tosses + 7 * (done - tosses)


@pytest.mark.parametrize("action", range(7))
def test_an_action_without_better_alternative_is_recorded(action: int) -> None:
    game = gamedsl.load("connect_four", "auto")
    search = begun(game)
    kernels = search._assembly.kernel("search_tree").__globals__
    lost = search._assembly.words(game.position("3 1 4 1 5"))  # the other wins at 2 or at 6
    after = kernels["apply"](*lost, action)
    actions = search.tree.play.actions
    actions[0] = action
    picked, _ = kernels["careful_ply"](lost, after, 1, 0, actions, search.tree.play.past, 1)
    assert (picked, actions[0]) == (after, action)


@pytest.mark.parametrize("large", [10**4, 10**7, 10**8])
def test_payoffs_that_are_cut_prove_nothing(large: int) -> None:
    game = gamedsl.load(LARGE.format(large=large), "auto")
    told, most = {move.action: move.value for move in solve(game).moves}, MOST_PAID / 2520
    for move in searched(game, 60).moves:
        for low, value, high in zip(move.low, told[move.action], move.high, strict=True):
            assert low <= value
            assert value <= high or high >= most


def test_a_discount_counts_plies_and_no_chance_events() -> None:
    """From chance events of `setup`, from plies, and from chance events within a ply."""
    game = gamedsl.load(LATER, "auto")
    state, solution = game.initial_state(), solve(game)
    while not game.is_terminal(state):
        mean = searched(game, 40, state).payoffs[0]
        assert mean == pytest.approx(solution.value_at(state)[0], abs=1 / 1000)
        is_chance = game.current_player(state) < 0
        outcomes = [outcome for outcome, _ in game.chance_outcomes(state)] if is_chance else []
        state = game.result(state, (outcomes or game.legal_actions(state))[0])


def test_plays_that_are_broken_off_are_estimated_in_games_with_chance() -> None:
    game = gamedsl.load(LOTS.format(lucky=3) + "evaluate who: at\n", "auto")
    assert isinstance(game.engine, CompiledEngine)
    search = KernelUct(game.engine, native=False)
    search.start(game.initial_state(), TreeOptions(1, 0))
    assert search.run(20)
