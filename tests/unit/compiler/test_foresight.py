"""Wins that are foreseen are those that carrying out the actions leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler import kept as modules
from gamedsl.compiler.definitions import of_module
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.foresight import kept, prospects, wins
from gamedsl.compiler.foresight.wins import THREATS, WINS, foresight
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.model import State
from tests.unit.model.rewriting.evaluating import edges

GAMES = [
    ("connect_small", {"width": "4", "height": "4", "run": "3"}, 4),
    ("connect_four", {}, 2),
    ("tic_tac_toe", {}, 6),
    ("wild_tic_tac_toe", {}, 4),
    ("mnk", {"width": "5", "height": "4", "run": "4"}, 2),
    ("domineering", {}, 4),
    ("treblecross", {}, 6),
]
SKEWED = """game "Skewed"
players A, B
board 3 wide 3 high
state:
    cell[square]: empty | players = empty
    done: 0..1 = 0

move pass():
    require done == 0 and {group}
    done = 1
{otherwise}
move mark(s in square):
    require cell[s] == empty
    cell[s] = turn

end:
    {first}
    for p in players:
        if line(cell, p, 3): p {outcome}
    if full(cell): draw
"""
PLAIN = {"first": "if done == 1: draw", "outcome": "wins", "group": "false", "otherwise": ""}


def told(text: str, plays: int, **settings: str) -> tuple[int, int, int, int]:
    """Of the positions of some plays that are not over: how many there are, in how many a win is
    foreseen, how many of those have none, and in how many others there is one."""
    engine = gamedsl.load(text, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    more = foresight(engine.model, engine.generated)
    if more is None:
        return 0, 0, 0, 0
    asks = run_source(f"{PYTHON}\n\n{engine.generated.beside(of_module(more)).source}")[WINS]
    count = foreseen = wrong = missed = 0
    for state, _, _ in edges(engine, plays):
        mover = engine.current_player(state)
        after = (engine.result(state, action) for action in engine.legal_actions(state))
        wins = any(engine.is_terminal(s) and engine.utilities(s)[mover] > 0 for s in after)
        says = asks(*engine.words_of(state))
        count, foreseen = count + 1, foreseen + says
        wrong, missed = wrong + (says and not wins), missed + (wins and not says)
    return count, foreseen, wrong, missed


@pytest.mark.parametrize(("name", "settings", "plays"), GAMES, ids=[one[0] for one in GAMES])
def test_a_win_is_foreseen_where_there_is_one(
    name: str, settings: dict[str, str], plays: int
) -> None:
    count, foreseen, wrong, missed = told(name, plays, **settings)
    assert (wrong, missed) == (0, 0)
    assert 0 < foreseen < count


@pytest.mark.parametrize("name", ["tic_tac_toe", "treblecross"])
def test_threats_are_the_squares_that_would_win_for_who_is_not_to_move(name: str) -> None:
    engine = gamedsl.load(name, "python").engine
    assert isinstance(engine, CompiledEngine)
    more = foresight(engine.model, engine.generated)
    assert more is not None
    asks = run_source(f"{PYTHON}\n\n{engine.generated.beside(of_module(more)).source}")[THREATS]
    found = set()
    for state, _, _ in edges(engine, 6):
        other = 1 - engine.current_player(state)
        passed = State(state.cells, other)
        after = [engine.result(passed, action) for action in engine.legal_actions(passed)]
        wins = [engine.is_terminal(s) and engine.utilities(s)[other] == 1 for s in after]
        assert asks(*engine.words_of(state)) == sum(wins)
        found.add(sum(wins))
    assert len(found) > 2


@pytest.mark.parametrize("name", ["misere_tic_tac_toe", "nim", "pig", "hex"])
def test_where_nothing_can_be_told_nothing_is_foreseen(name: str) -> None:
    assert told(name, 1) == (0, 0, 0, 0)


def test_a_win_behind_an_ending_that_may_come_first_is_not_foreseen() -> None:
    plain = SKEWED.format(**PLAIN)
    assert told(plain, 10)[1] > 0
    behind = SKEWED.format(**PLAIN | {"first": "if cell[a1] != empty and cell[b1] != empty: draw"})
    assert told(behind, 10)[1:3] == (0, 0)
    lost = SKEWED.format(**PLAIN | {"outcome": "loses"})
    assert told(lost, 10)[1] == 0


def test_a_win_of_an_amount_is_foreseen_if_all_wins_pay_the_amount() -> None:
    count, foreseen, wrong, missed = told(SKEWED.format(**PLAIN | {"outcome": "wins 3"}), 10)
    assert (wrong, missed) == (0, 0)
    assert 0 < foreseen < count
    other = PLAIN | {"first": "if done == 1: A wins 2", "outcome": "wins 3"}
    assert told(SKEWED.format(**other), 10)[1] == 0


def test_a_win_by_a_move_that_another_may_forbid_is_not_foreseen() -> None:
    last = SKEWED.format(
        **PLAIN | {"group": "cell[b2] == turn", "otherwise": "\notherwise\n", "first": ""}
    )
    assert told(last, 10)[1] == 0


def test_what_is_foreseen_is_worked_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(*_: object) -> None:
        raise AssertionError("worked out again")

    def engine(text: str) -> CompiledEngine:
        made = gamedsl.load(text, "python").engine
        assert isinstance(made, CompiledEngine)
        return made

    monkeypatch.setattr(kept, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(modules, "WORTH_KEEPING", -1)
    first = engine("tic_tac_toe")
    assert first.foreseen is not None
    assert first.prospects is not None
    assert engine("hex").foreseen is None
    monkeypatch.setattr(wins, "foresight", again)
    monkeypatch.setattr(prospects, "prospects", again)
    second = engine("tic_tac_toe")
    assert second.foreseen is not None
    assert second.prospects is not None
    assert second.foreseen.source == first.foreseen.source
    assert second.prospects.ranks == first.prospects.ranks != ()
    assert engine("hex").foreseen is None
    with pytest.raises(AssertionError, match="worked out again"):
        second.foreseen.make()
