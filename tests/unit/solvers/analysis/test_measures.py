"""Measures of plays, of hand-made plays and of small games with planted faults."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from time import process_time

import pytest

import gamedsl
from gamedsl.conformance.idle_rules import idle_rules
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.solvers.analysis.measures import (
    branching_of,
    lengths_of,
    permanence_of,
    results_of,
    tension_of,
    wilson,
)
from gamedsl.solvers.analysis.plays import (
    RecordedPlay,
    Strengths,
    recorded_play,
    side_by_side,
)
from gamedsl.solvers.analysis.usage import board_cells, moments_of, usage_of

BOUNDS = Fraction(-1), Fraction(1)
MARKS = """
game "Marks"
players X, O
board 3 wide 2 high
state:
    cell[square]: empty | players | ghost = empty
move mark(s in square):
    require cell[s] == empty and {condition}
    cell[s] = turn
move never(s in square):
    require cell[s] == ghost
    cell[s] = empty
end:
    if count(s for s in square where cell[s] != empty) >= {most}: {ending}
    {more}
"""


def marks(
    condition: str = "row(s) > 0", most: int = 4, ending: str = "draw", more: str = ""
) -> LoadedGame:
    """A game of marking squares."""
    text = MARKS.format(condition=condition, most=most, ending=ending, more=more)
    return gamedsl.load(text, engine="python")


def random_plays(game: LoadedGame, count: int = 40) -> tuple[RecordedPlay, ...]:
    player = Strengths(game).player(0, Random(1))
    return tuple(
        recorded_play(game, player, Random(number), start=game.initial_state())
        for number in range(count)
    )


def valued(*rows: tuple[float, float], payoffs: tuple[int, int] = (1, -1)) -> RecordedPlay:
    """A play with these values for the players."""
    state = State((), 0)
    count = len(rows)
    return RecordedPlay(
        steps=((state, 0),) * count,
        state=state,
        movers=(0, 1) * (count // 2) + (0,) * (count % 2),
        widths=(2, 3) * (count // 2) + (1,) * (count % 2),
        values=rows,
        payoffs=tuple(map(Fraction, payoffs)),
    )


def test_tension_follows_the_values_of_the_later_winner() -> None:
    behind = valued((-1.0, 1.0), (-1.0, 1.0), (1.0, -1.0))
    tension = tension_of([behind], BOUNDS)
    assert tension is not None
    assert tension.drama is not None
    assert tension.decided is not None
    assert tension.drama.mean == pytest.approx(0.5**0.5)  # two of four positions, behind by 1
    assert tension.lead_changes.mean == pytest.approx(1 / 3)
    assert tension.killer.mean == pytest.approx(1)
    assert tension.decided.mean == pytest.approx(2 / 3)
    assert tension.uncertainty.mean == 0
    even = tension_of([valued((0.0, 0.0), (0.0, 0.0), payoffs=(0, 0))], BOUNDS)
    assert even is not None
    assert (even.uncertainty.mean, even.drama, even.curve) == (1, None, ())


def test_small_differences_are_no_change_of_the_leader() -> None:
    close = valued((0.04, -0.04), (-0.04, 0.04), (0.04, -0.04), payoffs=(0, 0))
    exact = tension_of([close], BOUNDS, lead=0.0)
    with_margin = tension_of([close], BOUNDS)
    assert exact is not None
    assert with_margin is not None
    assert exact.lead_changes.mean > with_margin.lead_changes.mean == 0


def test_results_of_several_players_are_won_drawn_or_shared() -> None:
    one, half, none = Fraction(1), Fraction(1, 2), Fraction(0)
    endings = [
        ((one, none, none), 5), ((none, none, none), 3), ((half, half, none), 2), (None, 1)
    ]  # fmt: skip
    results = results_of(endings, 3)
    assert (results.wins, results.draws, results.shared, results.unfinished) == ((5, 0, 0), 3, 2, 1)
    assert results.payoffs == (0.6, 0.1, 0.0)
    assert results.first_score.mean == pytest.approx(0.6)


def test_an_interval_of_a_share_stays_within_0_and_1() -> None:
    interval = wilson(10, 10)
    assert interval.high == pytest.approx(1)
    assert 0.6 < interval.low < 0.8
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


def test_lengths_and_branching_are_those_of_the_rules() -> None:
    plays = random_plays(marks())
    lengths, branching = lengths_of(plays), branching_of(plays)
    assert (lengths.least, lengths.median, lengths.most) == (4, 4, 4)
    assert branching.by_ply == (6, 5, 4, 3)
    assert (branching.most, branching.forced) == (6, 0)


def test_a_mark_that_stays_is_permanent_and_a_flip_is_not() -> None:
    game = marks()
    kept = permanence_of(random_plays(game), board_cells(game.model))
    assert kept is not None
    assert kept[0] == 1
    flips = gamedsl.load(
        "players A, B\nboard 1 wide 1 high\nstate:\n    on[square]: 0..1 = 0\n    n: 0..4 = 0\n"
        "move flip(s in square):\n    on[s] = 1 - on[s]\n    n += 1\nend:\n    if n == 4: draw\n",
        engine="python",
    )
    undone = permanence_of(random_plays(flips), board_cells(flips.model))
    assert undone is not None
    assert undone[0] == 0


def test_a_dead_square_a_dead_move_and_a_missing_piece_are_named() -> None:
    game = marks("s != b2")
    usage = usage_of(game, game.model, random_plays(game), ())
    assert usage.dead_squares == ("b2",)
    assert usage.never_legal == ("never",)
    assert ("cell", "ghost") in usage.missing_values
    alive = marks()
    assert usage_of(alive, alive.model, random_plays(alive), ()).dead_squares == ()


def test_a_move_that_strong_players_shun_is_named() -> None:
    game = gamedsl.load(
        "players A, B\nstate:\n    n: 0..3 = 0\nmove good:\n    n += 1\nmove bad:\n    n += 1\n"
        "end:\n    if n == 3: draw\n",
        engine="python",
    )
    plays = random_plays(game, 100)
    good = tuple(play for play in plays if all(action == 0 for _, action in play.steps))
    assert usage_of(game, game.model, plays, good).shunned == ("bad",)
    assert usage_of(game, game.model, plays, plays).shunned == ()


def idle_texts(game: LoadedGame) -> list[str]:
    moments = moments_of(random_plays(game), 4)
    idle = idle_rules(game.model, moments, rng=Random(1), ends=process_time() + 20)
    assert idle.tried == idle.parts
    return [game.source.text[span.start : span.end] for span in idle.spans]


def test_a_planted_useless_rule_makes_no_difference() -> None:
    planted = "not any(cell[q] == ghost for q in square)"
    assert planted in idle_texts(marks(planted))
    useless = "if count(s for s in square where cell[s] == ghost) > 0: X wins"
    assert useless in idle_texts(marks("s != b2", more=useless))


def test_an_end_that_strong_play_always_reaches_is_not_idle() -> None:
    game = gamedsl.load(
        "players A, B\nstate:\n    n: 0..9999 = 0\nmove add(k in 1..9):\n    n += k\n"
        "end:\n    if n == 9: A wins\n    if n > 900: draw\n",
        engine="python",
    )
    slow = random_plays(game, 8)
    start, after = game.initial_state(), game.result(game.initial_state(), "add(9)")
    quick = replace(slow[0], steps=((start, 8),), state=after, movers=(0,), payoffs=(1, -1))
    assert len(moments_of(slow, 4)) > 800
    moments = moments_of((*slow, *[quick] * 9), 4)
    idle = idle_rules(game.model, moments, rng=Random(2), ends=process_time() + 20)
    assert not [game.source.text[span.start : span.end] for span in idle.spans]


def test_rules_that_matter_are_not_idle() -> None:
    texts = idle_texts(marks("s != b2"))
    assert not any("cell[s] == empty and" in text or "count" in text for text in texts)
    assert "s != b2" not in texts


def test_rewards_and_rules_after_a_roll_are_not_idle() -> None:
    useless = "if die == 7: at = 0"
    game = gamedsl.load(
        "players A\nstate:\n    at: 0..9 = 0\nmove walk:\n    reward A: -1\n"
        f"    chance die in 1..6\n    {useless}\n    at = min(9, at + die)\n"
        "end:\n    if at == 9: payoff A: 0\n",
        engine="python",
    )
    assert idle_texts(game) == [useless]


def test_an_effect_that_matters_in_one_of_its_calls_is_not_idle() -> None:
    game = gamedsl.load(
        "players A, B\nstate:\n    n: 0..9 = 0\n    left: 0..2 = 2\neffect rest:\n    left = 2\n"
        "move wait:\n    require left == 2\n    rest()\n    n += 1\n"
        "move act:\n    require left > 0\n    left -= 1\n    n += 1\n    again\n"
        "move stop:\n    require left < 2\n    rest()\n    n += 1\nend:\n    if n >= 8: draw\n",
        engine="python",
    )
    assert "left = 2" not in idle_texts(game)


def test_dice_do_not_break_a_play_off() -> None:
    game = gamedsl.load(
        "players A, B\nstate:\n    n: 0..4 = 0\nmove roll:\n    chance die in 1..6\n"
        "    chance other in 1..6\n    n += 1\nend:\n    if n == 4: draw\n",
        engine="python",
    )
    player = Strengths(game).player(0, Random(1))
    play = recorded_play(game, player, Random(1), start=game.initial_state(), longest=4)
    assert (play.plies, play.payoffs is None) == (4, False)
    play = recorded_play(game, player, Random(1), start=game.initial_state(), longest=3)
    assert (play.plies, play.payoffs is None) == (3, True)


def test_a_condition_that_rules_a_value_out_for_later_lines_is_not_idle() -> None:
    game = gamedsl.load(
        "players A, B\nboard 3 wide 1 high\nstate:\n    at: square | none = a1\n    n: 0..4 = 0\n"
        "    on[square]: 0..1 = 0\nmove go:\n    require at != none\n    on[at] = 1\n    n += 1\n"
        "    at = at + E\nmove stop:\n    require at == none\n    n = 4\n"
        "end:\n    if n == 4: draw\n",
        engine="python",
    )
    assert "require at != none" not in idle_texts(game)


def test_work_keeps_its_order_and_an_error_of_a_thread_is_raised() -> None:
    numbers = side_by_side(
        lambda worker, number: number * number,
        lambda thread: thread,
        most=20,
        ends=process_time() + 10,
        threads=3,
    )
    assert numbers == tuple(n * n for n in range(20))

    def fail(worker: int, number: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        side_by_side(fail, lambda thread: thread, most=5, ends=process_time() + 10, threads=2)
