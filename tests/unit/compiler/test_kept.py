"""Generated modules that are kept between runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler import kept
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.kept import generated_once
from gamedsl.compiler.lowering.bodies import walks
from gamedsl.compiler.module import generate, generate_for_play
from gamedsl.compiler.options import NOT_COUNTED, OPTIONAL, CompilerOptions
from gamedsl.game.engines import choose_engine
from gamedsl.model import CHANCE, SIMULTANEOUS, GameRuleError, Model, State

CARELESS = """game "Careless"
players A, B
state:
    n: 0..3 = 0
move add:
    n = n + 2
end:
    if n == 9: draw
"""

LOT = """game "A lot"
players A, B
state:
    cell[1..2, 1..2]: red | blue | none = none
move draw_at(x in 1..2, y in 1..2):
    require cell[x, y] == none
    chance cell[x, 3 - y] in {red, blue}
end:
    if stuck: draw
"""


@pytest.fixture(autouse=True)
def keep_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "WORTH_KEEPING", -1.0)


def refuse(model: Model, *_: object) -> None:
    raise AssertionError(f"{model.title} is generated again")


def test_a_module_is_generated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = gamedsl.load("othello_small").model
    first = generated_once(model, tmp_path)
    whole = first.whole()
    for name in ("generate", "generate_for_play"):
        monkeypatch.setattr(f"gamedsl.compiler.module.{name}", refuse)
    again = generated_once(model, tmp_path)
    assert (again.source, again.start, again.initial) == (first.source, first.start, first.initial)
    assert again.whole().source == whole.source
    assert whole.source == generate(model).source
    assert len(again.sites) == len(first.sites)
    engine = CompiledEngine(model, again)
    assert len(engine.legal_actions(engine.initial_state())) == 4


def test_a_draw_into_an_array_that_is_a_board_is_kept(tmp_path: Path) -> None:
    model = gamedsl.load(LOT).model
    events = [generated_once(model, tmp_path).events for _ in range(2)]
    assert len(list(tmp_path.iterdir())) == 1
    for into in (event.drawn_into for told in events for event in told):
        assert into is not None
        assert into.cell_name(2) == "cell[2, 1]"
    assert events[1][0].drawn_into is model.variables[0]


@pytest.mark.parametrize("part", OPTIONAL)
def test_what_is_left_out_is_left_out_where_a_whole_module_is_kept(
    part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    model = gamedsl.load("hexapawn").model
    without = CompilerOptions(frozenset({part}))
    choose_engine(model, "python")
    engine = choose_engine(model, "python", without).engine
    assert isinstance(engine, CompiledEngine)
    assert engine.generated.source == generate_for_play(model, without).source


def test_a_whole_module_will_do_where_less_is_asked_for_and_not_the_other_way_round(
    tmp_path: Path,
) -> None:
    model = gamedsl.load("hexapawn").model
    assert not generated_once(model, tmp_path, NOT_COUNTED).whole().can_walk
    assert not generated_once(model, tmp_path, NOT_COUNTED).whole().can_walk
    assert generated_once(model, tmp_path).whole().can_walk
    assert generated_once(model, tmp_path, NOT_COUNTED).whole().can_walk


def test_what_kernels_ask_is_added_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    model = gamedsl.load("hexapawn").model
    found = generate_for_play(model)
    assert "def legal_0(" in found.source
    assert "legal_count" not in found.source
    assert not found.can_walk
    with monkeypatch.context() as interrupting:
        interrupting.setattr(walks, "write_walk", interrupt)
        with pytest.raises(KeyboardInterrupt):
            found.whole()
    assert found.whole().source == generate(model).source
    assert found.whole() is found.whole()


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


def test_other_parameters_are_another_module(tmp_path: Path) -> None:
    for width in (3, 4):
        generated_once(gamedsl.load("breakthrough", width=width).model, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_other_limits_are_another_module(tmp_path: Path) -> None:
    for rounds in (1_000, 20_000):
        generated_once(gamedsl.load("hexapawn", max_rounds=rounds).model, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    model = gamedsl.load("tic_tac_toe").model
    source = generated_once(model, tmp_path).source
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for damaged in (b"", whole[:-9], whole.replace(b"Fault", b"fault"), b"\xff" + whole, b"[]\n"):
        path.write_bytes(damaged)
        assert generated_once(model, tmp_path).source == source
        assert path.read_bytes() == whole


def test_nothing_is_kept_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    model = gamedsl.load("tic_tac_toe").model
    assert generated_once(model, tmp_path / "taken").source


@pytest.mark.parametrize("name", ["pig", "goofspiel_by_lot", "leduc_poker"])
def test_a_kept_module_has_its_chance_events(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = CompiledEngine(model := gamedsl.load(name).model, generated_once(model, tmp_path))
    monkeypatch.setattr("gamedsl.compiler.module.generate_for_play", refuse)
    model = gamedsl.load(name).model
    again = CompiledEngine(model, generated_once(model, tmp_path))
    engines = made, again
    events = 0
    states = made.initial_state(), again.initial_state()
    while events < 6 and not made.is_terminal(states[0]):
        first, second = (
            choices_of(engine, state) for engine, state in zip(engines, states, strict=True)
        )
        assert first == second
        events += made.current_player(states[0]) == CHANCE
        choice = min(first)
        states = made.result(states[0], choice), again.result(states[1], choice)
    assert events


def choices_of(engine: CompiledEngine, state: State) -> dict[Any, tuple[str, Fraction | None]]:
    """The names and probabilities of the choices in a state."""
    mover = engine.current_player(state)
    if mover == CHANCE:
        shares: dict[Any, Fraction | None] = dict(engine.chance_outcomes(state))
    elif mover == SIMULTANEOUS:
        legal = (engine.legal_actions(state, player) for player in engine.players)
        shares = dict.fromkeys(product(*legal))
    else:
        shares = dict.fromkeys(engine.legal_actions(state))
    return {choice: (engine.action_name(state, choice), shares[choice]) for choice in shares}


def test_errors_of_a_kept_module_say_the_same(tmp_path: Path) -> None:
    model = gamedsl.load(CARELESS).model
    said = []
    for _ in range(2):
        engine = CompiledEngine(model, generated_once(model, tmp_path))
        state = engine.result(engine.initial_state(), 0)
        with pytest.raises(GameRuleError) as raised:
            engine.result(state, 0)
        said.append((raised.value.code, raised.value.message, raised.value.span))
    assert said[0] == said[1]
