"""What a move leads to, asked before it, is what carrying it out gives."""

from __future__ import annotations

import pytest

from gamedsl.interpreter import RulesInterpreter
from gamedsl.model import Model
from gamedsl.model.action_names import move_of
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.endings import Endings, endings_after
from gamedsl.model.rewriting.moments import Unknown
from tests.unit.model.reading import BOARD, model_of
from tests.unit.model.rewriting.evaluating import Evaluator, arguments, edges, shipped

GAMES = [
    ("tic_tac_toe", {}, 40),
    ("wild_tic_tac_toe", {}, 20),
    ("connect_four", {}, 6),
    ("connect_small", {"run": "3"}, 12),
    ("mnk", {"width": "5", "height": "4", "run": "4"}, 6),
    ("hex", {}, 10),
    ("hexapawn", {}, 20),
    ("breakthrough", {}, 10),
    ("teeko", {}, 1),
    ("nim", {}, 20),
    ("chomp", {}, 10),
    ("eight_puzzle", {}, 1),
    ("domineering", {}, 10),
]


def both(model: Model, move: int) -> tuple[Effect, Endings]:
    effect = effect_of(model, model.moves[move])
    assert isinstance(effect, Effect), effect
    endings = endings_after(model, effect)
    assert isinstance(endings, Endings), endings
    return effect, endings


def disagreements(model: Model, plays: int) -> tuple[int, int, list[str]]:
    """Edges, those that end the game, and those on which the two ways differ."""
    game, evaluator = RulesInterpreter(model), Evaluator(model)
    told = [both(model, number) for number in range(len(model.moves))]
    count, ends, wrong = 0, 0, []
    for state, action, child in edges(game, plays):
        effect, endings = told[model.moves.index(move_of(model.moves, action))]
        held = arguments(game, action)
        env = evaluator.environment(state, len(endings.slot_names), effect, held)
        found = evaluator.ending(endings, env)
        expected = game.utilities(child) if game.is_terminal(child) else None
        count, ends = count + 1, ends + (expected is not None)
        if found != expected:
            wrong.append(f"{game.action_name(state, action)}: {found}, not {expected}")
    return count, ends, wrong


@pytest.mark.parametrize(("name", "parameters", "plays"), GAMES, ids=[one[0] for one in GAMES])
def test_the_ending_asked_before_a_move_is_the_one_after_it(
    name: str, parameters: dict[str, str], plays: int
) -> None:
    count, ends, wrong = disagreements(shipped(name, **parameters), plays)
    assert not wrong
    assert count > 20
    assert ends or name == "eight_puzzle"


@pytest.mark.parametrize(
    ("board", "line"),
    [
        ("board 3 wide 3 high wrap", "line(cell, p, 3)"),
        ("board 4 wide 3 high wrap wide", "line(cell, p, 3)"),
        ("board 3 wide 3 high", "line(cell, p, 3, {NE, E})"),
        ("board 3 wide 3 high", "line(cell, p, 99999) or line(cell, p, 3)"),
        ("board 4 wide 3 high wrap high", "line(cell, p, 2, {2*E, 2*N + E})"),
    ],
)
def test_lines_over_seams_and_in_other_directions_are_told_before_a_move(
    board: str, line: str
) -> None:
    text = f"""game "Lines"
players X, O
{board}
state:
    cell[square]: empty | players = empty
move mark(s in square):
    require cell[s] == empty
    cell[s] = turn
end:
    for p in players: if {line}: p wins
    if full(cell): draw
"""
    count, ends, wrong = disagreements(model_of(text), 6)
    assert not wrong
    assert count > 20
    assert ends


@pytest.mark.parametrize(("name", "plays"), [("lights_out", 1), ("nim", 5)])
def test_loops_over_what_a_parameter_decides_are_told_of_an_action(name: str, plays: int) -> None:
    model = shipped(name)
    game, evaluator = RulesInterpreter(model), Evaluator(model)
    told: dict[int, tuple[Effect, Endings]] = {}
    for state, action, child in edges(game, plays):
        if action not in told:
            effect = effect_of(model, move_of(model.moves, action), arguments(game, action))
            assert isinstance(effect, Effect), effect
            endings = endings_after(model, effect)
            if isinstance(endings, Unknown):  # it asks for more than is written down
                endings = Endings((), effect.slot_names)
            told[action] = (effect, endings)
        effect, endings = told[action]
        env = evaluator.environment(state, len(effect.slot_names), effect, {})
        cells = list(state.cells)
        for write in effect.writes:
            if evaluator.value(write.guard, env):
                number = 0
                for index, domain in zip(write.indices, write.variable.indices, strict=True):
                    number = number * len(domain) + domain.digit[evaluator.value(index, env)]
                value = evaluator.value(write.value, env)
                cells[write.variable.offset + number] = write.variable.domain.digit[value]
        assert tuple(cells) == child.cells
        assert evaluator.value(effect.after.turn, env) is model.players[child.turn]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pig", "chance decides in the body"),
        ("morra", "all players choose at once"),
        ("kalah", "it takes more than 10000 nodes to write down"),
        ("othello", "a loop over a set that depends on the state or a parameter"),
    ],
)
def test_what_is_not_told_comes_with_a_reason(name: str, reason: str) -> None:
    model = shipped(name)
    assert effect_of(model, model.moves[0]) == Unknown(reason)


def test_only_the_mover_can_end_the_game_where_nobody_else_can() -> None:
    model = shipped("connect_four")
    _, endings = both(model, 0)
    assert len(endings.endings) == 3
    ruled = model_of(BOARD.replace("cell[s] = turn", "cell[s] = X"))
    assert len(both(ruled, 0)[1].endings) == 2  # nought never completes a line
