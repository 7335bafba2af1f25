"""Actions by name: in full, by their values alone, and what is said when a name is wrong."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl import IllegalActionError
from gamedsl.game.reading import named, read_play
from gamedsl.game.steps import actions_at
from gamedsl.game.writing import written_play
from gamedsl.model.state import CHANCE, State
from tests.unit.interpreter.playing import loaded, play, shipped

GAME = """game "Names"
players A, B
state:
    left: 0..9 = 9
    other: 0..9 = 9
move take(n in 1..2, m in 0..1):
    left -= n
    other -= m
move give(n in 2..3):
    left -= n
move pass: again
move roll:
    chance die in 1..2
    left -= die
end:
    if left == 0: draw
"""


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("take(1, 0)", "take(1, 0)"),
        ("take(1,0)", "take(1, 0)"),
        (" take( 1 ,0 ) ", "take(1, 0)"),
        ("1, 0", "take(1, 0)"),
        ("give(3)", "give(3)"),
        ("3", "give(3)"),
        ("pass", "pass"),
    ],
)
def test_an_action_is_named_in_full_or_by_values_that_only_it_has(name: str, full: str) -> None:
    game = loaded(GAME)
    state = game.initial_state()
    assert game.action_name(state, game.action_named(state, name)) == full


DICE = """game "Dice"
players A, B
state:
    die[1..3]: 0..6 = 0
    at: 1..3 = 1
move throw:
    for i in 1..2:
        chance die[i] in 1..6
    chance at in {1, 3}
    chance die[at] in 1..6
end:
    if die[1] > 0: draw
"""


@pytest.mark.parametrize("engine", ["python", "interpreter"])
def test_what_chance_draws_is_named_with_the_values_of_its_indices(engine: str) -> None:
    game = gamedsl.load(DICE, engine=engine)
    draws = [game.position(moves) for moves in ("throw", "throw 5", "throw 5 6", "throw 5 6 3")]
    names = [game.action_name(state, game.chance_outcomes(state)[0][0]) for state in draws]
    assert names == ["die[1]=1", "die[2]=1", "at=1", "die[3]=1"]


def test_a_single_legal_move_is_told_as_one() -> None:
    game = gamedsl.load("craps")
    with pytest.raises(IllegalActionError, match="legal is throw"):
        game.action_named(game.initial_state(), "xyzzy")


def test_an_outcome_of_chance_is_named_by_its_value_alone() -> None:
    game = loaded(GAME)
    state = play(game, "roll")
    assert game.action_named(state, "die=2") == game.action_named(state, "2")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tkae(1, 0)", "did you mean `take(1, 0)`?"),
        ("take(3, 0)", "is not legal here"),
        ("fly", "legal are take(1, 0), take(1, 1)"),
        ("put 1 0", "did you mean `take(1, 0)`?"),
        ("", "is not legal here"),
    ],
)
def test_a_wrong_name_is_answered_with_right_ones(name: str, words: str) -> None:
    game = loaded(GAME)
    state = game.initial_state()
    with pytest.raises(IllegalActionError) as caught:
        game.action_named(state, name)
    assert words in str(caught.value)
    assert caught.value.action == name


def test_values_that_several_actions_share_are_not_enough() -> None:
    game = loaded(GAME.replace("give(n in 2..3)", "give(n in 2..3, m in 0..1)"))
    with pytest.raises(IllegalActionError, match=r"`2, 0` could be take\(2, 0\), give\(2, 0\)"):
        game.action_named(game.initial_state(), "2, 0")


def test_every_legal_action_has_a_name_of_its_own_that_names_it() -> None:
    for name in ("chess", "kalah", "checkers", "kuhn_poker", "aima_fig_5_2"):
        game = shipped(name)
        state = game.initial_state()
        choices = game.legal_actions(state) or [o for o, _ in game.chance_outcomes(state)]
        assert [game.action_named(state, game.action_name(state, a)) for a in choices] == list(
            choices
        )


def test_a_number_that_is_no_action_has_no_name() -> None:
    game = loaded(GAME)
    for number in (-1, game.facts.action_count):
        with pytest.raises(ValueError, match="there is no action"):
            game.action_name(game.initial_state(), number)
    with pytest.raises(ValueError, match="there is no outcome"):
        game.action_name(play(game, "roll"), 5)


def choices(game, state):
    if game.current_player(state) == CHANCE:
        return [outcome for outcome, _ in game.chance_outcomes(state)]
    return actions_at(game, state)


def read(name: str, text: str) -> str:
    """The actions of a play of a shipped game, by their full names."""
    game = shipped(name)
    steps, _ = read_play(game, game.initial_state(), text)
    return " ".join(game.action_name(state, action) for state, action in steps)


@pytest.mark.parametrize("text", ["e2e4", "e2 e4", "e2,e4", "e2-e4", "e2, e4", "(e2, e4)",
    "go(e2,e4)", "go(e2, e4)", "go e2 e4", "go(e2 e4)", "goe2e4", " e2  e4 "])  # fmt: skip
def test_arguments_are_joined_by_commas_blanks_dashes_or_nothing(text: str) -> None:
    assert read("chess", text) == "go(e2, e4)"
    game = shipped("chess")
    state = game.initial_state()
    assert game.action_name(state, game.action_named(state, text)) == "go(e2, e4)"


def test_moves_of_a_play_are_parted_by_what_may_also_part_arguments() -> None:
    moves = "go(e2, e4) go(e7, e5) go(g1, f3)"
    for text in ("e2e4 e7e5 g1f3", "e2 e4 e7 e5 g1 f3", "e2,e4,e7,e5,g1,f3", "e2-e4, e7-e5, g1-f3"):
        assert read("chess", text) == moves
    assert read("tic_tac_toe", "a1,b2 c3,") == "mark(a1) mark(b2) mark(c3)"
    assert read("tic_tac_toe", "") == ""


def test_large_and_small_letters_are_alike_where_nothing_else_fits() -> None:
    assert read("chess", "E2E4 e7e5") == "go(e2, e4) go(e7, e5)"
    assert read("rock_paper_scissors", "Rock+paper") == "throw(rock)+throw(paper)"
    game = loaded(GAME.replace("give(n in 2..3)", "TAKE(n in 2..3, m in 0..1)"))
    state = game.initial_state()
    assert game.action_name(state, game.action_named(state, "Take(1, 0)")) == "take(1, 0)"
    with pytest.raises(IllegalActionError, match="is not legal here"):
        game.action_named(state, "Take(2, 0)")


def test_what_all_choose_at_once_and_what_is_drawn_is_read_too() -> None:
    assert read("rock_paper_scissors", "rock+paper") == "throw(rock)+throw(paper)"
    assert read("rock_paper_scissors", "throw(rock) + paper") == "throw(rock)+throw(paper)"
    assert read("pig", "roll 6 roll, die=2 hold") == "roll die=6 roll die=2 hold"
    game = shipped("rock_paper_scissors")
    joint = game.action_named(game.initial_state(), "rock+paper")
    assert game.action_name(game.initial_state(), joint) == "throw(rock)+throw(paper)"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("chess", "e2", "`e2` could be go(e2, e3), go(e2, e4)"),
        ("chess", "e2 e5", "`e2 e5` is not legal here; with `e2` legal are go(e2, e3), go(e2, e4)"),
        ("chess", "e2e5", "`e2e5` is not legal here; legal are go(e2, e3), go(e2, e4)"),
        ("chess", "e2e4 e7e9 d2d4", "`e7e9` is not legal here; legal are go(e7, e5), go(e7, e6)"),
        ("sequential_rochambeau", "sc", "`sc` is not all of a move; did you mean `scissors`?"),
        ("rock_paper_scissors", "rock", "`rock`: all players choose here; write an action of each"),
        ("rock_paper_scissors", "rock+papier", "did you mean `throw(paper)`?"),
    ],
)
def test_what_is_proposed_can_be_typed(name: str, text: str, words: str) -> None:
    game = shipped(name)
    with pytest.raises(IllegalActionError) as caught:
        read_play(game, game.initial_state(), text)
    assert words in str(caught.value)


BOTH = """game "One or two"
players A, B
state:
    left: 0..9 = 9
move take(n in 1..2): left -= n
move split(n in 1..2, m in 1..11): left -= n
end:
    if left == 0: draw
"""


def test_a_play_that_can_be_read_in_two_ways_is_refused_unless_it_is_spelt_out() -> None:
    game = loaded(BOTH)
    state = game.initial_state()
    with pytest.raises(IllegalActionError, match=r"`1 1` could be `split\(1, 1\)` or `take\(1\) t"):
        read_play(game, state, "1 1")
    assert len(read_play(game, state, "take(1) take(1)")[0]) == 2
    assert len(read_play(game, state, "split(1, 1) take(1)")[0]) == 2


def test_arguments_run_together_only_where_one_action_fits() -> None:
    either = BOTH.replace("n in 1..2, m in 1..11", "n in {1, 11}, m in {1, 11}")
    game = loaded(either.replace("left -= n", "left -= 1"))
    state = game.initial_state()
    with pytest.raises(IllegalActionError, match=r"`111` could be split\(1, 11\), split\(11, 1\)"):
        game.action_named(state, "111")
    assert game.action_name(state, game.action_named(state, "1 11")) == "split(1, 11)"
    assert game.action_name(state, game.action_named(state, "1111")) == "split(11, 11)"


@pytest.mark.parametrize("text", ["give({1, 3})", "give {1,3}", "{1, 3}", "give({1,3})"])
def test_what_stands_in_brackets_is_one_argument(text: str) -> None:
    names = {0: "give({1, 3})", 1: "give({1})", 2: "give({3})"}
    assert named(text, names, State((), 0)) == 0


@pytest.mark.parametrize(
    ("name", "moves", "written"),
    [
        ("nim", "take(1, 3) take(3, 1)", "1,3 3,1"),
        ("chess", "go(e2, e4) go(e7, e5)", "e2e4 e7e5"),
        ("dobutsu_shogi", "go(b2, N)", "b2N"),
        ("connect_four", "drop(4) drop(4)", "4 4"),
    ],
)
def test_arguments_run_together_where_a_reader_can_tell_them_apart(
    name: str, moves: str, written: str
) -> None:
    game = shipped(name)
    steps, _ = read_play(game, game.initial_state(), moves)
    assert written_play(game, steps) == written


def test_every_play_reads_back_as_it_is_written() -> None:
    for name in ("kalah", "checkers", "pig", "blotto", "aima_fig_5_2", "dots_and_boxes", "hanoi"):
        game, rng = shipped(name), Random(3)
        state, names = game.initial_state(), []
        for _ in range(12):
            if game.is_terminal(state):
                break
            action = rng.choice(list(choices(game, state)))
            names.append(game.action_name(state, action))
            state = game.result(state, action)
        assert read_play(game, game.initial_state(), " ".join(names))[1] == state


SETS = """game "Sets"
players A, B
state:
    up[1..4]: bool = true
move flip(s subset of 1..4 where s != {}):
    require all(up[v] for v in s)
    for v in s: up[v] = false
end:
    if stuck: turn loses
"""


@pytest.mark.parametrize("name", ["flip({1, 3})", "flip({3,1})", "{ 3, 1 }", "{1,3}"])
def test_the_elements_of_a_set_come_in_any_order(name: str) -> None:
    game = loaded(SETS)
    state = game.initial_state()
    assert game.action_name(state, game.action_named(state, name)) == "flip({1, 3})"


@pytest.mark.parametrize("name", ["flip({1})", "{1, 3, 4}", "{1, 1, 3}", "1, 3"])
def test_a_set_of_other_elements_is_another(name: str) -> None:
    game = loaded(SETS)
    state = game.initial_state()
    try:
        found = game.action_name(state, game.action_named(state, name))
    except IllegalActionError:
        return
    assert found != "flip({1, 3})"
