"""Kernels in plain Python: the counts of `solvers.perft`, and playouts that depend on the seed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode, Refusal
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers import perft as counting
from gamedsl.solvers.kernels import assembly
from gamedsl.solvers.kernels.accelerator import KernelAccelerator
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import AHEAD, KernelPlayouts, Played, _Chunks
from gamedsl.solvers.merged_perft import merged_divide, merged_perft
from gamedsl.solvers.montecarlo import random_plays
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.solvers.perft import divide, perft
from tests.unit.compiler.test_prospects import GAME, PLAIN

CALM = 'game "Calm"\nplayers A, B\n\nstate:\n    left: 0..2 = 2\n\n'
CALM += "move take:\n    require left > 0\n    left -= 1\n\nend:\n    if left == 5: draw\n"
FOR_EVER = 'game "Round"\nplayers A, B\n\nstate:\n    at: 0..1 = 0\n\n'
FOR_EVER += "move go:\n    at = 1 - at\n    again\n\nend:\n    if at == 2: draw\nendless: draw\n"
STAIRS = 'game "Stairs"\nplayers A, B\n\nstate:\n    step: 0..200 = 0\n\nmove climb:\n'
STAIRS += "    step += 1\n    if step % 100 != 0: again\n\nend:\n    if step == 200: draw\n"
THRICE = 'game "Thrice"\nplayers A, B\n\nstate:\n    at: 0..2 = 0\n\n'
THRICE += "move go(n in 0..2):\n    at = n\n\nrepeat state 2 times: turn wins\n"
THRICE += "\nend:\n    if at == 3: draw\n"


FORBIDDEN = 'game "Never again"\nplayers A, B\n\nstate:\n    at: 0..4 = 0\n    back: 0..1 = 0\n\n'
FORBIDDEN += (
    "move go(n in 0..4):\n    require n != at\n    at = n\n\nmove wait:\n    require back == 0\n"
)
FORBIDDEN += "    back = 1\n\nrepeat at 2 times: illegal\nrepeat back 2 times: draw\n\n"
FORBIDDEN += "end:\n    if at == 3 and stuck: turn loses\n    if stuck: turn wins\n"
DRAWN = 'game "Drawn"\nplayers A, B\n\nstate:\n    at: 0..3 = 0\n\nmove go(n in 0..1):\n'
DRAWN += "    chance k in 0..1\n    at = n + k\n\nrepeat at 3 times: turn wins\nend:\n"
DRAWN += "    if at == 3: draw\n"
EARLY = 'game "Early"\nplayers A, B\n\nstate:\n    at: 0..1 = 0\n    coin: 0..1 = 0\n\n'
EARLY += "move go(n in 0..1):\n    at = n\n    chance coin in 0..1\n\n"
EARLY += (
    "repeat at 3 times: turn wins\nrepeat coin 3 times: draw\nend:\n    if at + coin == 3: draw\n"
)
AT_ONCE = 'game "At once"\nplayers A, B, C\n\nstate:\n    left[players]: 0..5 = 5\n'
AT_ONCE += "    held[players]: empty | players = empty\n    round: 0..3 = 0\n\n"
AT_ONCE += "simultaneous take(p in players, n in 1..2):\n"
AT_ONCE += "    require round != 1 and held[me] == empty and left[me] >= n\n"
AT_ONCE += "    held[me] = p\n    left[me] -= n\n\n"
AT_ONCE += "move after(k in 1..2):\n    require round == 1\n    left[turn] -= k\n    round = 2\n\n"
AT_ONCE += "otherwise\n\nmove clear:\n    chance round in {1, 3}\n"
AT_ONCE += "    for p in players: held[p] = empty\n\nend:\n    if round == 3: payoff p: left[p]\n"
TWICE = 'game "Twice"\nplayers A, B\nboard 4 wide 1 high\n\nstate:\n'
TWICE += "    cell[square]: empty | players = empty\n    second: bool = false\n\n"
TWICE += "move put(s in square):\n    require cell[s] == empty\n    cell[s] = turn\n"
TWICE += "    second = not second\n    if second: again\n\nend:\n    for p in players:\n"
TWICE += "        if line(cell, p, 2): p wins\n    if full(cell): draw\n"
IDLE = 'game "Idle"\nplayers A, B\n\nstate:\n    left[players]: 0..2 = 2\n\n'
IDLE += "simultaneous take:\n    require left[me] > 0 and me == A\n    left[me] = 0\n\n"
IDLE += "end:\n    if left[A] == 0: draw\n"


def engine_of(game: LoadedGame) -> CompiledEngine:
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


def kernel_counts(game: LoadedGame, depth: int) -> tuple[int, ...]:
    kernel = KernelPerft(engine_of(game), native=False)
    return tuple(kernel.count(game.initial_state(), n) for n in range(depth + 1))


@pytest.mark.parametrize(
    ("name", "depth"),
    [("tic_tac_toe", 6), ("pig", 3), ("kuhn_poker", 4), ("othello_small", 5), ("hexapawn", 7)],
)
def test_kernels_count_what_the_search_counts(name: str, depth: int) -> None:
    game = gamedsl.load(name, "python")
    assert kernel_counts(game, depth) == merged_perft(game, depth=depth)


def test_turns_are_counted_too() -> None:
    game = gamedsl.load("checkers", "python")
    kernel = KernelPerft(engine_of(game), native=False)
    found = tuple(kernel.count_turns(game.initial_state(), n) for n in range(5))
    assert found == (1, 7, 49, 302, 1469)


def test_a_turn_without_end_is_refused() -> None:
    game = gamedsl.load(FOR_EVER, "python")
    kernel = KernelPerft(engine_of(game), native=False)
    with pytest.raises(UnsupportedGameError, match="for ever"):
        kernel.count_turns(game.initial_state(), 1)


def test_turns_too_long_for_machine_code_are_called_so_and_left_to_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = gamedsl.load(STAIRS, "auto")
    kernel = KernelPerft(engine_of(game), native=False)
    with pytest.raises(UnsupportedGameError, match=r"more than 64 plies, .* or go on for ever"):
        kernel.count_turns(game.initial_state(), 1)
    monkeypatch.setattr(counting, "WORTH_COMPILING", 0)
    monkeypatch.setattr(LoadedGame, "native_mode", NativeMode.WHEN_LARGE)
    monkeypatch.setattr(KernelAccelerator, "refusal", lambda *_: None)
    monkeypatch.setattr("gamedsl.solvers.kernels.accelerator.KernelPerft", lambda _: kernel)
    assert perft(game, game.initial_state(), 2, turns=True) == (1, 1, 1)


def test_a_state_that_occurs_too_often_ends_the_game_in_kernels_too() -> None:
    game = gamedsl.load(THRICE, "python")
    assert kernel_counts(game, 5) == merged_perft(game, depth=5)
    later = game.result(game.initial_state(), 1)
    kernel = KernelPerft(engine_of(game), native=False)
    assert kernel.count(later, 3) == merged_perft(game, later, depth=3)[3]


def test_a_player_without_a_move_is_an_error_of_the_game() -> None:
    game = gamedsl.load(CALM, "python")
    with pytest.raises(GameRuleError, match="no legal move"):
        kernel_counts(game, 3)


def test_the_same_seed_gives_the_same_plays_however_they_are_cut_up() -> None:
    game = gamedsl.load("tic_tac_toe", "python")
    playing = KernelPlayouts(engine_of(game), native=False)
    state = game.initial_state()
    one = playing.run(state, 300, seed=7)
    assert one == playing.run(state, 300, seed=7, threads=3)
    assert one != playing.run(state, 300, seed=8)
    assert sum(times for _, times in one.endings) == 300
    assert one.shortest >= 5
    assert one.longest <= 9


def test_players_who_foresee_wins_take_them_at_once() -> None:
    game = gamedsl.load("connect_four", "python")
    careful = KernelPlayouts(engine_of(game), native=False, foresees=True)
    for moves, payoffs in (("4 1 4 1 4 2", (1, -1)), ("1 4 1 4 2 4 6", (-1, 1))):
        tally = careful.run(game.position(moves), 20)
        assert tally.endings == ((payoffs, 20),)
        assert (tally.shortest, tally.longest) == (1, 1)


@pytest.mark.parametrize("amount", [1, 3])
def test_foreseen_wins_pay_their_amount(amount: int) -> None:
    end = f"for p in players: if line(cell, p, 3): p wins {amount}"
    game = gamedsl.load(GAME.format(**PLAIN | {"end": end}), "python")
    careful = KernelPlayouts(engine_of(game), native=False, foresees=True)
    tally = careful.run(game.initial_state(), 100)
    assert {payoffs[0] for payoffs, _ in tally.endings} == {0, amount, -amount}


def test_players_who_foresee_wins_leave_none_to_the_other_if_they_can() -> None:
    game = gamedsl.load("connect_four", "python")
    careful = KernelPlayouts(engine_of(game), native=False, foresees=True)
    plain = KernelPlayouts(engine_of(game), native=False)
    blocked = game.position("4 1 4 1 4")
    assert plain.run(blocked, 100).shortest == 2
    assert careful.run(blocked, 100).shortest > 2
    lost = careful.run(game.position("3 1 4 1 5"), 20)
    assert lost.endings == (((1, -1), 20),)
    assert lost.longest == 2


def test_who_moves_twice_leaves_a_win_to_nobody_else() -> None:
    game = gamedsl.load(TWICE, "python")
    tally = KernelPlayouts(engine_of(game), native=False, foresees=True).run(
        game.initial_state(), 50
    )
    assert tally.endings == (((1, -1), 50),)


@pytest.mark.parametrize("text", ["pig", "othello_small", "nim", THRICE, DRAWN])
def test_where_nothing_is_foreseen_playouts_are_the_same(text: str) -> None:
    game = gamedsl.load(text, "python")
    root = game.initial_state()
    tallies = [
        KernelPlayouts(engine_of(game), native=False, foresees=one).run(root, 20, longest=99)
        for one in (False, True)
    ]
    assert tallies[0] == tallies[1]


def test_playouts_that_grow_too_long_are_broken_off() -> None:
    game = gamedsl.load(FOR_EVER, "python")
    tally = KernelPlayouts(engine_of(game), native=False).run(game.initial_state(), 3, longest=9)
    assert (tally.unfinished, tally.plies, tally.mean_payoffs) == (3, 27, ())


def test_a_repetition_pays_what_its_rule_says() -> None:
    game = gamedsl.load(THRICE, "python")
    tally = KernelPlayouts(engine_of(game), native=False).run(game.initial_state(), 50)
    assert tally.unfinished == 0
    assert {sum(payoffs) for payoffs, _ in tally.endings} == {Fraction(0)}


def test_random_play_has_the_probabilities_of_the_rules() -> None:
    game = gamedsl.load("tic_tac_toe", "python")
    tally = KernelPlayouts(engine_of(game), native=False).run(game.initial_state(), 4000, seed=1)
    shares = {payoffs[0]: times / 4000 for payoffs, times in tally.endings}
    assert abs(shares[Fraction(1)] - 0.585) < 0.04  # 0.585, 0.288, 0.127 by full enumeration
    assert abs(shares[Fraction(-1)] - 0.288) < 0.04


def test_games_that_kernels_do_not_know_are_refused_with_the_reason() -> None:
    assert "the rules are interpreted" in str(gamedsl.load("hex", "interpreter").accelerator())
    assert not isinstance(gamedsl.load("hex", "python").accelerator(), Refusal)


def test_an_engine_that_is_asked_for_is_used() -> None:
    for name in ("interpreter", "python"):
        game = gamedsl.load("tic_tac_toe", name)
        state = game.initial_state()
        assert perft(game, state, 3) == (1, 9, 72, 504)
        assert divide(game, state, 2) == merged_divide(game, state, 2)
    assert isinstance(gamedsl.load("tic_tac_toe", "interpreter").accelerator(), Refusal)


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (FORBIDDEN, 6),
        (DRAWN, 4),
        (EARLY, 6),
        (AT_ONCE, 3),
        (THRICE + "repeat at 3 times: draw\n", 4),
    ],
)
def test_kernels_know_repetitions_and_choices_at_once(text: str, depth: int) -> None:
    game = gamedsl.load(text, "python")
    assert kernel_counts(game, depth) == merged_perft(
        gamedsl.load(text, "interpreter"), depth=depth
    )


@pytest.mark.parametrize(
    ("name", "depth"), [("go", 4), ("goofspiel", 3), ("blotto", 1), ("rock_paper_scissors", 2)]
)
def test_so_they_do_in_shipped_games(name: str, depth: int) -> None:
    settings = {"size": "2"} if name == "go" else {}
    game = gamedsl.load(name, "python", **settings)
    assert kernel_counts(game, depth) == merged_perft(game, depth=depth)


def test_what_has_occurred_before_the_start_is_known_to_kernels() -> None:
    game = gamedsl.load(FORBIDDEN, "python")
    kernel = KernelPerft(engine_of(game), native=False)
    state = game.initial_state()
    for name in ("go(2)", "wait"):
        state = game.result(state, game.action_named(state, name))
        assert kernel.count(state, 3) == merged_perft(game, state, depth=3)[3]


def test_a_step_at_a_chance_event_is_compared_with_the_state_before_the_step() -> None:
    game, rules = gamedsl.load(EARLY, "python"), gamedsl.load(EARLY, "interpreter")
    kernel = KernelPerft(engine_of(game), native=False)
    state, same = game.initial_state(), rules.initial_state()
    for choice in (1, 1, 0, 0, 0):
        state, same = game.result(state, choice), rules.result(same, choice)
        counts = [kernel.count(state, depth) for depth in range(5)]
        assert counts == list(merged_perft(rules, same, depth=4))


def test_random_choices_at_once_are_all_as_likely() -> None:
    game = gamedsl.load("rock_paper_scissors", "python")
    playing = KernelPlayouts(engine_of(game), native=False)
    tally = playing.run(game.initial_state(), 3000, seed=2)
    assert {payoffs[0] for payoffs, _ in tally.endings} == {Fraction(-1), Fraction(0), Fraction(1)}
    assert all(abs(times / 3000 - 1 / 3) < 0.03 for _, times in tally.endings)


def test_playouts_keep_the_rules_of_repetition() -> None:
    game = gamedsl.load(FORBIDDEN, "python")
    playing = KernelPlayouts(engine_of(game), native=False)
    tally = playing.run(game.initial_state(), 60, seed=5)
    assert tally.unfinished == 0
    assert tally.longest <= 5
    assert len(tally.endings) == 2


def test_somebody_who_cannot_choose_is_an_error_in_kernels_too() -> None:
    game = gamedsl.load(IDLE, "python")
    with pytest.raises(GameRuleError, match="B has no legal choice"):
        kernel_counts(game, 1)


def test_joint_actions_are_divided_as_the_search_divides_them() -> None:
    game = gamedsl.load("goofspiel", "native")
    state = game.initial_state()
    assert divide(game, state, 2) == merged_divide(game, state, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            'game "Lots"\nplayers A, B\nstate:\n    at: 0..20000 = 0\n'
            "move go:\n    chance at in 0..20000\nend:\n    if at > 0: draw\n",
            "more than 16384 outcomes",
        ),
        (
            'game "Ways"\nplayers A, B\nstate:\n    at: 0..200 = 0\n'
            "move go(a in 0..200, b in 0..100):\n    require a == 5\n    at = b\n"
            "repeat at 2 times: illegal\nend:\n    if stuck: draw\n",
            "more than 16384 actions",
        ),
    ],
)
def test_native_code_refuses_what_would_not_fit_on_the_stack(text: str, reason: str) -> None:
    engine = engine_of(gamedsl.load(text, "python"))
    for kernel in (KernelPerft, KernelPlayouts):
        with pytest.raises(UnsupportedGameError, match=reason):
            kernel(engine, native=True)


def test_what_native_code_refuses_is_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "MOST_ON_STACK", 5)
    monkeypatch.setattr(random_plays, "WORTH_COMPILING", -1.0)
    game = gamedsl.load("pig", "auto")
    tally = playouts(game, game.initial_state(), 9, seed=1, threads=1, longest=9)
    assert tally.playouts == 9
    with pytest.raises(UnsupportedGameError, match="more than 5 outcomes"):
        KernelPlayouts(engine_of(game), native=True)


def test_chunks_grow_until_one_takes_long_enough() -> None:
    chunks, sizes = _Chunks(10_000), list[int]()
    for first, size in chunks:
        assert first == sum(sizes)
        sizes.append(size)
        chunks.took(size, 0.0001 if len(sizes) < 3 else 0.02)
    assert sizes == [16, 256, 4096, 4096, 10_000 - 2 * 4096 - 272]


def test_no_more_plays_are_thought_of_than_can_be_begun() -> None:
    taken: list[int] = []

    def chunks() -> Iterator[tuple[int, int]]:
        for first in count():
            taken.append(first)
            yield first, 1

    def play(chunk: tuple[int, int]) -> Played:
        if chunk[0] == 50:
            raise KeyboardInterrupt
        return Played((), chunk[0], 0, 0, 1)

    found: list[Played] = []
    with pytest.raises(KeyboardInterrupt):
        KernelPlayouts._side_by_side(play, chunks(), 2, found)
    assert [one.plies for one in found] == list(range(50))
    assert len(taken) <= 51 + 2 * AHEAD
