"""UCT in native code: the trees of plain Python, moves that do not lose, and interrupts."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random
from threading import Timer
from types import SimpleNamespace

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits, TreeOptions
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.kernels.search.cutoff import KernelCutoff
from gamedsl.solvers.kernels.search.uct import KernelUct, LearningUct
from gamedsl.solvers.matches.players import AdvisedPlayer, player_settings
from gamedsl.solvers.montecarlo.contenders import RunLimits, Tournament
from gamedsl.solvers.montecarlo.machine_uct import MachineUct
from gamedsl.solvers.planner import solve
from tests.unit.solvers.kernels.search.test_uct import BACK, LATER, LOTS, MAZE, THREE, WAIT

pytest.importorskip("llvmlite")
SMALL = SearchLimits(bytes=1 << 20)


def engine_of(game: LoadedGame) -> CompiledEngine:
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


@pytest.mark.parametrize(
    ("source", "longest"),
    [
        (LOTS.format(lucky=5), 50), (THREE, 50), (BACK, 50), (MAZE, 50), ("connect_four", 50),
        (WAIT, 50), (LATER, 50), ("pig", 200), ("othello_small", 0), ("othello_small", 100),
        ("kalah", 7),
    ],
    ids=[
        "chance", "three", "repeat", "puzzle", "careful", "rewards", "discount", "pig", "evaluate",
        "plays", "cut off",
    ],
)  # fmt: skip
def test_native_trees_are_those_of_python(source: str, longest: int, tmp_path: Path) -> None:
    compare_trees(KernelUct, source, longest, tmp_path)


@pytest.mark.parametrize(
    ("source", "longest"),
    [(LOTS.format(lucky=5), 50), (THREE, 50), (BACK, 50), ("connect_four", 50), ("kalah", 7)],
    ids=["chance", "three", "repeat", "careful", "cut off"],
)
def test_native_plays_learn_as_those_of_python(source: str, longest: int, tmp_path: Path) -> None:
    compare_trees(LearningUct, source, longest, tmp_path)


def compare_trees(kind: type[KernelUct], source: str, longest: int, folder: Path) -> None:
    """A tree of Python and a native tree, before and after a move."""
    game = gamedsl.load(source, "auto")
    reports = []
    for native in (False, True):
        search = kind(engine_of(game), native=native, limits=SMALL, folder=folder)
        search.start(game.initial_state(), TreeOptions(3, longest, amaf_worth=20))
        search.run(70)
        first = search.report()
        action = max(first.moves, key=lambda move: move.visits).action
        state = game.result(game.initial_state(), action)
        if not game.is_terminal(state):
            search.start(state, TreeOptions(4, longest))
            search.run(30)
        reports.append((first, search.report()))
    assert reports[0] == reports[1]


def test_native_alpha_beta_is_that_of_python(tmp_path: Path) -> None:
    game, rng = gamedsl.load("othello_small", "auto"), Random(2)
    state = game.initial_state()
    for _ in range(4):
        reports = []
        for native in (False, True):
            limits = SearchLimits(bytes=1 << 17)  # less than the limit in Python
            search = KernelCutoff(engine_of(game), native=native, limits=limits, folder=tmp_path)
            search.start(state)
            search.run(1500)
            reports.append(search.report())
        assert reports[0] == reports[1]
        state = game.result(state, rng.choice(game.legal_actions(state)))


def test_no_move_that_loses_value_is_chosen() -> None:
    """In solved positions of three games, with 4,000 plays each."""
    for name, plies in (("tic_tac_toe", 3), ("connect_small", 5), ("hexapawn", 2)):
        game = gamedsl.load(name)
        uct, rng = MachineUct(game, Random(1)), Random(5)
        uct.for_match = 0.1
        uct.prepare(game.initial_state(), None)
        for _ in range(20):
            state = game.initial_state()
            for _ in range(plies):
                if not game.is_terminal(state):
                    state = game.result(state, rng.choice(game.legal_actions(state)))
            if game.is_terminal(state):
                continue
            decision = uct.decide(state, RunLimits(4000))
            assert decision.action is not None
            told = {move.action: move.is_best for move in solve(game, state).moves}
            assert told[decision.action], (name, state)


@pytest.mark.parametrize(("player", "name"), [("search:plays=9", "UCT"), ("search", "chosen")])
def test_players_with_a_number_of_plays_hold_no_match(
    player: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = SimpleNamespace(name="chosen")
    monkeypatch.setattr(Tournament, "stronger", lambda *_: chosen)
    game = gamedsl.load("kalah")
    playing = AdvisedPlayer(player_settings(player), game, Random(1))
    playing.prepare(((game.initial_state(), None),))
    assert playing._counsel.adviser.method == name


def test_an_interrupt_is_answered_soon() -> None:
    """Where a play takes a while."""
    game = gamedsl.load("nine_mens_morris")
    adviser = Adviser(game, Random(1))
    adviser._uct.prepare(game.initial_state(), None)
    # an interrupt in the course of a destructor is lost: then a person presses once more
    timers = [Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)) for after in (0.3, 5)]
    # a shell makes what runs in the background deaf to interrupts
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    for timer in timers:
        timer.start()
    with pytest.raises(KeyboardInterrupt):
        adviser.estimate(game.initial_state(), seconds=60)
    timers[1].cancel()
    signal.signal(signal.SIGINT, before)
