"""Parameters bound from outside: what fits, what is refused, and with which words."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl import GameSourceError
from tests.unit.model.reading import checked, errors, model_of

GAME = """game "Parameters"
type Colour = red | green
param n = 3
param sizes = [1, 2]
param rule = false
param colour = red
param slip = 1/3
param way = N + E
param first_mover = B
players A, B
board 3 wide 3 high

state:
    left: 0..99 = n
    heap[i in 1..len(sizes)]: 0..9 = sizes[i]
    flag: bool = rule
    shade: Colour = colour
    at: square | none = a1 + way
    who: players = first_mover

move take(k in 1..max(1, n)):
    require k <= left
    chance slipped in {0: 1 - slip, 1: slip}
    left -= k - slipped
    shade = green

end:
    if left == 0: turn loses

endless: draw
"""


def test_a_value_that_the_file_has_already_is_no_setting() -> None:
    game = gamedsl.load(GAME, n=3, sizes=[1, 2], rule=True)
    assert dict(game.settings) == {"rule": "true"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", "5"),
        ("n", "2 + 3"),
        ("sizes", "[3, 3, 3]"),
        ("rule", "true"),
        ("colour", "green"),
        ("slip", "1/4"),
        ("slip", "0"),
        ("way", "2*N"),
        ("way", "S"),
        ("first_mover", "A"),
    ],
)
def test_a_value_of_the_same_kind_is_taken(name: str, value: str) -> None:
    assert name in dict(model_of(GAME, **{name: value}).parameters)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("n", "[1, 2]", "parameter `n` is a whole number such as 3; the value given is a list"),
        ("n", "true", "parameter `n` is a whole number such as 3"),
        ("n", "1/2", "parameter `n` is a whole number such as 3"),
        ("n", "red", "parameter `n` is a whole number such as 3"),
        ("n", "many", "unknown name `many`"),
        ("n", "3 +", "the value given for `n`, `3 +`"),
        ("n", "1.5", "numbers with a point are allowed in `expect` alone"),
        ("n", "shade", "`shade` changes during the game"),
        ("n", "left", "`n` is defined by itself: n -> left -> n"),
        ("n", "", "the value given for `n`"),
        ("sizes", "3", "parameter `sizes` is a list such as [1, 2]"),
        ("sizes", "[red]", "parameter `sizes` is a list such as [1, 2]"),
        ("rule", "1", "parameter `rule` is true or false such as false"),
        ("colour", "A", "the value given is A"),
        ("slip", "red", "parameter `slip` is a number such as 1/3; the value given is red"),
    ],
)
def test_any_other_value_is_refused_with_both_kinds_named(
    name: str, value: str, words: str
) -> None:
    found = errors(GAME, {name: value})
    assert [code for code, _ in found] == ["E1401"]
    assert words in found[0][1]


def test_a_value_that_fits_but_spoils_the_game_is_shown_where_it_does() -> None:
    assert errors(GAME, {"n": "100"}) == [("E1201", "`left` starts as 100, its domain is `0..99`")]


def test_an_unknown_parameter_is_named_with_those_there_are() -> None:
    (found,) = errors(GAME, {"m": "3"})
    assert found[0] == "E1402"
    assert found[1].startswith("this game has no parameter `m`; it has `n`, `sizes`, `rule`")


def test_a_game_without_parameters_says_so() -> None:
    text = 'game "None"\nplayers A\ntree:\n    A: x -> 1\n'
    assert errors(text, {"n": "3"}) == [("E1402", "this game has no parameter `n`; it has none")]


def test_python_values_become_values_of_the_language() -> None:
    game = gamedsl.load(GAME, n=2, sizes=[4, 5], rule=True, colour="green")
    assert dict(game.parameters) == {
        "n": "2",
        "sizes": "[4, 5]",
        "rule": "true",
        "colour": "green",
        "slip": "1/3",
        "way": "N+E" if game.parameters["way"] == "N+E" else "NE",
        "first_mover": "B",
    }


def test_a_python_value_that_is_none_of_them_is_refused() -> None:
    for value in (1.5, None, {"a": 1}, object(), "a b", "3\n4"):
        with pytest.raises(GameSourceError):
            gamedsl.load(GAME, n=value)


@pytest.mark.parametrize(
    ("written", "given", "hint"),
    [
        ("1", "9/10", "`param n = 1/1` would take fractions, and begin with 1"),
        ("1", "0.9", "write a fraction: `9/10`"),
        ("1", "true", None),
    ],
)
def test_a_fraction_for_a_whole_number_is_told_what_to_write(
    written: str, given: str, hint: str | None
) -> None:
    text = f'game "One"\nplayers A\nparam n = {written}\ntree:\n    A: x -> (n)\n'
    (found,) = checked(text, {"n": given})[1]
    assert (found.code, found.hint) == ("E1401", hint)


def test_an_unknown_name_for_a_value_is_answered_with_what_the_file_has() -> None:
    (found,) = checked(GAME, {"colour": "purple"})[1]
    assert "unknown name `purple`" in found.message
    assert found.hint == "in the file: `colour = red`"


@pytest.mark.parametrize("written", ["1/1", "1/2", "4/2"])
def test_a_number_that_is_written_as_a_fraction_takes_fractions(written: str) -> None:
    text = f'game "One"\nplayers A\nparam n = {written}\ntree:\n    A: x -> (n)\n'
    assert model_of(text, n="9/10").parameters
    assert errors(text, {"n": "3"}) == []
