"""`repeat`: what counts as having been before."""

from __future__ import annotations

import pytest

from gamedsl import load
from tests.unit.interpreter.playing import legal_names, loaded, play

LAMP = """game "Lamp"
players A, B
state:
    lamp: 0..2 = 0
    other: 0..1 = 0
move set(k in 0..2): lamp = k
move flip: other = 1 - other
{rule}
end:
    if lamp == 2 and other == 1: draw
"""


def lamp(rule: str) -> str:
    return LAMP.replace("{rule}", rule)


def test_a_value_that_has_been_is_forbidden_and_the_present_one_is_not() -> None:
    game = loaded(lamp("repeat lamp: illegal"))
    assert legal_names(game, play(game, "set(1)")) == ["set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(1)", "set(2)")) == ["set(2)", "flip"]


def test_a_state_that_has_been_is_forbidden_with_the_turn_it_had() -> None:
    game = loaded(lamp("repeat state: illegal"))
    assert legal_names(game, game.initial_state()) == ["set(0)", "set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(0)")) == ["set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(1)")) == ["set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(1)", "set(1)")) == ["set(0)", "set(2)", "flip"]


@pytest.mark.parametrize("times", [2, 3, 4])
def test_the_outcome_comes_at_the_occurrence_that_was_named(times: int) -> None:
    game = loaded(lamp(f"repeat state {times} times: A wins"))
    for rounds in range(1, times):
        state = play(game, *["flip"] * (2 * rounds))
        assert game.is_terminal(state) == (rounds == times - 1)
    assert game.utilities(state) == (1, -1)


def test_the_state_of_play_holds_what_has_been_and_without_rules_nothing() -> None:
    game = loaded(lamp("repeat lamp: illegal"))
    assert play(game, "set(1)", "set(2)") != play(game, "set(0)", "set(2)")
    free = loaded(lamp(""))
    assert play(free, "set(1)", "set(2)") == play(free, "set(0)", "set(2)")
    assert free.initial_state().history is None


def test_play_taken_up_from_a_state_counts_from_there() -> None:
    game = loaded(lamp("repeat lamp: illegal"))
    later = play(game, "set(1)", "set(2)")
    engine = game.engine
    taken_up = engine.state_of(later.cells, later.turn)  # type: ignore[union-attr]
    assert legal_names(game, later) == ["set(2)", "flip"]
    assert legal_names(game, taken_up) == ["set(0)", "set(1)", "set(2)", "flip"]


def test_superko_forbids_taking_back_at_once_and_allows_it_later() -> None:
    text = """game "Ko"
players Black, White
board 4 wide 3 high
directions N, E, S, W
state:
    stone[square]: empty | players = diagram
        . B W .
        B . B W
        . B W .
    passes: 0..9 = 0
def free(s) = any(stone[q + d] == empty for q in group(stone, s) for d in directions)
move play(s in square):
    require stone[s] == empty
    stone[s] = turn
    for d in directions where stone[s + d] == opponent and not free(s + d):
        for q in group(stone, s + d): stone[q] = empty
    ensure free(s)
move skip: passes += 1
repeat stone: illegal
end:
    if passes == 9: draw
"""
    game = loaded(text)
    assert "play(b2)" in legal_names(game, play(game, "skip"))
    taken = play(game, "skip", "play(b2)")
    assert "play(c2)" not in legal_names(game, taken)
    elsewhere = play(game, "skip", "play(b2)", "play(a3)", "play(d3)")
    assert "play(c2)" in legal_names(game, elsewhere)


CLOCKED = """game "Clocked"
players A, B
state:
    lamp[1..3]: bool = false
    clock: 0..99 = 0
move switch(k in 1..3):
    lamp[k] = not lamp[k]
    clock += 1
move wait: clock += 1
{rule}
end:
    if all(lamp[k] for k in 1..3): draw
"""


@pytest.mark.parametrize(
    ("rule", "ends_after"),
    [
        ("repeat state 3 times: A wins", None),
        ("repeat state without clock 3 times: A wins", 7),
        ("repeat state without turn, clock 3 times: A wins", 3),
        ("repeat lamp, turn 3 times: A wins", 7),
        ("repeat lamp 3 times: A wins", 5),
        ("repeat lamp 2 times: A wins", 2),
    ],
)
@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_a_rule_compares_the_parts_that_it_names(
    rule: str, ends_after: int | None, engine: str
) -> None:
    game = load(CLOCKED.replace("{rule}", rule), engine=engine)
    state = game.initial_state()
    plies = 0
    on, off = "switch(1)", "switch(1)"
    for name in [on, off, "wait", on, off, on, off]:
        if game.is_terminal(state):
            break
        state = game.result(state, name)
        plies += 1
    assert (plies if game.is_terminal(state) else None) == ends_after


@pytest.mark.parametrize(
    ("rule", "remains"),
    [
        ("repeat state 3 times: A wins", False),
        ("repeat state: illegal", False),
        ("repeat clock, lamp: illegal", False),
        ("repeat state without lamp 3 times: A wins", False),
        ("repeat state without clock 3 times: A wins", True),
        ("repeat lamp: illegal", True),
    ],
)
def test_what_can_never_come_back_is_no_part_of_a_state(rule: str, remains: bool) -> None:
    game = load(CLOCKED.replace("{rule}", rule))
    assert game.facts.repeats == remains
    assert (game.initial_state().history is not None) == remains


@pytest.mark.parametrize("more", ["", "    idle: 0..1 = 0\n"])
@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_a_step_that_changes_nothing_is_exempt_also_where_everything_is_compared(
    more: str, engine: str
) -> None:
    """`lamp, turn` is the whole state, or a part of it: the same moves are legal."""
    rules = f"""
players A, B
state:
    lamp: 0..2 = 0
{more}move wait: again
move set(k in 1..2): lamp = k
repeat lamp, turn: illegal
repeat lamp, turn 4 times: draw
end:
    if stuck: draw
"""
    game = load(rules, engine)
    state = game.initial_state()
    for _ in range(3):
        assert "wait" in {game.action_name(state, a) for a in game.legal_actions(state)}
        state = game.result(state, "wait")
        assert not game.is_terminal(state)


DRAWN = """game "Drawn lamp"
players A, B
state:
    lamp: 0..2 = 0
    n: 0..6 = 0
move set(k in 0..2):
    lamp = k
    n += 1
    {chance}
repeat lamp 3 times: A wins
end:
    if n == 6: B wins
"""


@pytest.mark.parametrize("engine", ["interpreter", "python"])
@pytest.mark.parametrize(
    ("chance", "moves", "is_over"),
    [
        ("", "1010", True),
        ("chance die in 1..2", "1010", True),
        ("chance die in 1..2", "1002", False),  # a lamp that stays is no occurrence
        ("chance die in 1..2\n    chance other in 1..2", "1010", True),
        ("lamp = 2\n    chance lamp in {k}", "1010", True),
        ("lamp = 2\n    chance lamp in {k}", "0000", False),
    ],
)
def test_a_step_is_compared_with_the_state_before_its_chance_events(
    engine: str, chance: str, moves: str, is_over: bool
) -> None:
    game = load(DRAWN.format(chance=chance), engine)
    state = game.initial_state()
    for number, k in enumerate(moves):
        assert not game.is_terminal(state), number
        state = game.result(state, game.legal_actions(state)[int(k)])
        while state.pending is not None:
            state = game.result(state, game.chance_outcomes(state)[0][0])
    assert game.is_terminal(state) == is_over
