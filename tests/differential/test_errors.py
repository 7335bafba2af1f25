"""Games whose rules fail in play: the same error, at the same place, on every engine."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import GameRuleError
from tests.differential.lockstep import Lockstep, answer

HEAD = 'game "Failing"\nplayers A, B\nboard 3 wide 3 high\n\nstate:\n'
CELLS = (
    "    left: 0..9 = 9\n    cell[square]: empty | players = empty\n    at: square | none = a1\n"
)
END = "\nend:\n    if left == 0: turn loses\n"

FAILING = {
    "E3001": "move take(n in 1..4):\n    left -= n\n",
    "E3001 in a square": "move go(s in square):\n    at = s\n    left -= row(s)\n",
    "E3002": "move go(d in directions):\n    at = at + d\n    cell[at] = turn\n    left -= 1\n",
    "E3003": "move take(n in 3..4):\n    require n <= left\n    left -= n\n",
    "E3004": "move roll(n in 1..3):\n    chance k in 1..3 where k > left\n    left -= k\n",
    "E3004 weights": "move roll:\n    left -= 1\n"
    "    chance k in {1: 1/2, 2: 1/3 if left > 7 else 1/2}\n    left = max(0, left - k)\n",
    "E3007": "move take(n in 1..3):\n    require n <= left and 9 // (left - 4) != 99\n"
    "    left -= n\n",
    "E3007 in an order": "move go(d in directions):\n    at = at + d\n    left -= 1\n"
    "    if row(at) > 2: at = a1\n",
    "E3007 in a minimum": "move take(n in 1..3):\n    require n <= left\n    left -= n\n"
    "    left = min(k for k in 1..9 where k < left)\n",
    "E3007 in a set": "move take(n in 1..3):\n    require n <= left and 9 // (left - 4) in 0..9\n"
    "    left -= n\n",
    "E3007 in a choice between likes": "move take(n in 1..3):\n"
    "    require n <= left and (n != 2 if 9 // (left - 4) > 1 else n != 2)\n    left -= n\n",
    "E3007 in a choice between what is known": "move take(n in {1, 2, 3}):\n"
    "    require n <= left and (true if 9 // (left - 4) > 1 else true)\n    left -= n\n",
    "E3007 in an argument, with a value that is known": "def four(k) = len({k}) + 3\n\n"
    "move take(n in 1..3):\n    require four([1, 2, 3, 4, 5, 6][left - 3]) > n\n    left -= n\n",
    "E3001 in whose turn it is": "move give(s in square):\n    left -= 1\n    cell[s] = turn\n"
    "    turn = cell[a1]\n",
    "E3009": "move take(n in 1..3):\n    require n <= left\n    left -= n\n",
}


@pytest.mark.parametrize("name", FAILING)
def test_the_same_error_comes_at_the_same_place(name: str) -> None:
    game = gamedsl.load(HEAD + CELLS + "\n" + FAILING[name] + END, "interpreter")
    for seed in range(20):
        together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed))
        assert together.play(20) is None


def test_an_error_in_a_simultaneous_choice_is_the_same() -> None:
    text = (
        'game "Both"\nplayers A, B\n\nstate:\n    score[players]: 0..3 = 0\n    left: 0..3 = 3\n\n'
        "simultaneous pick(n in 0..2):\n    score[me] += n\n\n"
        "end:\n    if score[A] == 3: A wins\n    if stuck: draw\n"
    )
    game = gamedsl.load(text, "interpreter")
    for seed in range(10):
        together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed))
        assert together.play(10) is None


def test_the_error_names_the_state_and_the_action() -> None:
    game = gamedsl.load(HEAD + CELLS + "\n" + FAILING["E3001"] + END, "python")
    state = game.initial_state()
    for name in ("take(4)", "take(4)"):
        state = game.result(state, game.action_named(state, name))
    with pytest.raises(GameRuleError) as caught:
        game.result(state, game.action_named(state, "take(4)"))
    assert (caught.value.action, caught.value.state) == ("take(4)", state)
    assert "`left` can reach -3" in caught.value.message


def test_what_is_over_is_over_though_its_moves_would_fail() -> None:
    moves = "move take(n in 4..5):\n    require 9 // left > 0\n    left -= n\n"
    game = gamedsl.load(HEAD + CELLS + "\n" + moves + END, "interpreter")
    said = []
    for engine in (game.engine, CompiledEngine(game.model)):
        state = engine.result(engine.result(engine.initial_state(), 0), 1)
        assert engine.is_terminal(state)
        said.append(answer(engine.result, state, 0))
    assert said == [("IllegalActionError", "the game is over here")] * 2


def test_an_error_of_the_end_names_the_action_that_was_wanted() -> None:
    text = (
        HEAD + CELLS + "\nmove take:\n    left -= 1\n\nend:\n    if 9 // (left - 8) == 99: draw\n"
    )
    game = gamedsl.load(text, "interpreter")
    said = []
    for engine in (game.engine, CompiledEngine(game.model)):
        state = engine.result(engine.initial_state(), 0)
        with pytest.raises(GameRuleError) as caught:
            engine.result(state, 0)
        said.append((caught.value.code, caught.value.action))
    assert said == [("E3007", "take")] * 2


def test_an_answer_that_fails_compares_by_everything_it_says() -> None:
    def fails() -> None:
        raise GameRuleError("E3001", "too much", hint="less")

    assert answer(fails) == ("error", "E3001", "too much", None, "less", None, None)


@pytest.mark.parametrize("move", ["require heap[{}] < 3", "heap[{}] = 2"])
def test_an_index_that_fails_fails_where_there_is_one_cell(move: str) -> None:
    index = "Ann if 9 // (left - 2) > 0 else Ann"
    text = (
        'game "Alone"\nplayers Ann\n\nstate:\n    heap[players]: 0..3 = 0\n    left: 0..2 = 2\n\n'
        f"move take:\n    {move.format(index)}\n    left -= 1\n\nend:\n    if left == 0: draw\n"
    )
    game = gamedsl.load(text, "interpreter")
    said = []
    for engine in (game.engine, CompiledEngine(game.model)):
        said.append(answer(engine.result, engine.initial_state(), 0))
    assert said[0] == said[1]
    assert said[0][:2] == ("error", "E3007")


def test_a_variable_not_yet_set_fails_as_the_index_of_the_one_cell() -> None:
    text = (
        'game "Alone"\nplayers Ann\n\nstate:\n    heap[players]: 0..3 = 0\n    flag: players\n\n'
        "setup:\n    chance flag in players\n\nmove take:\n    heap[flag] = 1\n\n"
        "end:\n    if heap[flag] == 1: draw\nevaluate who: heap[flag]\n"
    )
    game = gamedsl.load(text, "interpreter")
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(0))
    assert together.play(5) is None
    with pytest.raises(GameRuleError, match="`flag` is read before it is set"):
        game.evaluate(game.initial_state(), 0)


@pytest.mark.parametrize("place", ["up[i + 1] = false", "require up[i + 1]", "up[i + 1] = up[i]"])
def test_an_index_that_no_cell_has_is_the_same_error(place: str) -> None:
    text = (
        'game "Pins"\nplayers A, B\n\nstate:\n    up[1..3]: bool = true\n\n'
        f"move knock(i in 1..3):\n    require up[i]\n    {place}\n    up[i] = false\n"
        "\nend:\n    if stuck: turn loses\n"
    )
    game = gamedsl.load(text, "interpreter")
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(1))
    assert together.play(20) is None
    with pytest.raises(GameRuleError, match="has no cell 4") as raised:
        game.result(game.initial_state(), 2)
    span = raised.value.span
    assert span is not None
    assert text[span.start : span.end] == "i + 1"


WITHOUT_AN_ANSWER = {
    "found = max(i for i in 1..left)": "`max(0, ... for ...)`",
    "found = min({i for i in 1..left where i > 1})": "`min(99, ... for ...)`",
    "found = max(worth[i] for i in 1..left)": "`max(0, ... for ...)`",
    "who = next(who)": "`next(p) if p != none else ...`",
    "found = 1 if edge[left + 1, 2] else 0": "these two have the cell `edge[2, 3]`",
    "found = 1 if edge[1, left + 1] else 0": "as the indices of `edge` are declared: `edge[1, 2]`",
}


@pytest.mark.parametrize("statement", WITHOUT_AN_ANSWER)
def test_what_may_help_is_the_same_too(statement: str) -> None:
    text = (
        'game "Nothing left"\nplayers A, B\n\nstate:\n    left: 0..2 = 2\n    found: 0..9 = 0\n'
        "    who: players | none = A\n    worth[i in 1..3]: 0..9 = i\n"
        "    edge[a in 1..3, b in a+1..3]: bool = false\n\n"
        "move take(n in 0..2):\n    require n <= left\n    left -= n\n"
        f"    if n == 1: who = none\n    {statement}\n    worth[n + 1] = n\n"
        "    edge[1, 2] = n == 1\n\n"
        "end:\n    if found == 9: draw\n"
    )
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(10):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(6) is None
    answers = [answer(game.engine.result, game.initial_state(), action) for action in range(3)]
    assert any(WITHOUT_AN_ANSWER[statement] in str(said) for said in answers)


def test_an_index_that_no_cell_ever_has_is_the_same_error() -> None:
    text = (
        'game "Pins"\nparam far = 4\nplayers A, B\n\nstate:\n    up[1..3]: bool = true\n\n'
        "move knock(i in 1..3):\n    require up[i] and (i == 1 or up[i - far])\n    up[i] = false\n"
        "\nend:\n    if stuck: turn loses\n"
    )
    for engine in ("interpreter", "python"):
        game = gamedsl.load(text, engine)
        with pytest.raises(GameRuleError, match="has no cell -2"):
            game.legal_actions(game.initial_state())
