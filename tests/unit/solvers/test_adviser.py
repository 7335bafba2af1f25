"""The time that advice takes, told by a clock that stands still while nobody looks at it."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from time import perf_counter, sleep

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.solutions.advice import way_words
from gamedsl.solvers.advice import adviser as advisers
from gamedsl.solvers.advice.adviser import Adviser, TooFewPlaysError
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.solvers.advice.tactics import Tactics
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.montecarlo.playouts import Playouts
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.running.value_search import proved_value
from gamedsl.solvers.solution import Solution
from gamedsl.solvers.textbook.decision import Decision

OPEN = "4 4 4 4 4 1 4 2"
"""In connect four; nobody wins within a few moves."""


class Clock:
    """A hundredth of a second goes by whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


class Told:
    """In the place of `MachineValues`: at some time it is proved that some moves draw."""

    is_ready = True

    def __init__(self, game: LoadedGame, clock: Clock, at: float, moves: list[int]) -> None:
        self.game, self.clock, self.at, self.moves = game, clock, at, moves

    def begin(self, _: State) -> None: ...

    def stop(self) -> None: ...

    def proof(self, state: State) -> Solution | None:
        if self.clock.now < self.at:
            return None
        draw = Fraction(0), Fraction(0)
        return proved_value(self.game, state, 7, draw, self.moves, [])


@pytest.fixture
def game() -> LoadedGame:
    return gamedsl.load("connect_four", "python")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Nothing is compiled."""
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 100)
    return Clock()


def test_an_estimate_keeps_its_time_where_a_part_takes_longer_than_its_share(
    game: LoadedGame, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, **__: object) -> Tactics:
        clock.now += 1.2
        return Tactics(None, frozenset())

    monkeypatch.setattr(advisers, "tactics", slow)
    decision = Adviser(game, Random(1), clock=clock).estimate(game.position(OPEN), seconds=2)
    assert decision.algorithm == "UCT"
    assert 1.8 < clock.now < 1.95


@pytest.mark.parametrize("name", ["connect_four", "othello_small", "pig"])
@pytest.mark.parametrize("seconds", [0.5, 2, 5])
def test_an_estimate_leaves_a_moment_for_telling_it(
    name: str, seconds: float, clock: Clock
) -> None:
    game = gamedsl.load(name, "python")
    Adviser(game, Random(1), clock=clock).estimate(game.initial_state(), seconds=seconds)
    assert clock.now < seconds - min(0.1, seconds / 10) + 0.05


@pytest.mark.parametrize(
    ("moves", "latest"), [([2], 0.35), ([2, 3], 0.55)], ids=["one move", "several moves"]
)
def test_what_is_proved_ends_an_estimate_when_the_moves_have_been_compared(
    game: LoadedGame, clock: Clock, moves: list[int], latest: float
) -> None:
    adviser = Adviser(game, Random(1), clock=clock)
    adviser._values = Told(game, clock, 0.3, moves)  # type: ignore[assignment]
    decision = adviser.estimate(game.position(OPEN), seconds=2)
    assert decision.is_exact
    assert decision.action in moves
    assert 0.3 <= clock.now < latest


def test_a_hint_keeps_its_time_where_nothing_was_prepared(
    game: LoadedGame, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_vain(_: Adviser, __: State, seconds: float, ___: object = None) -> None:
        clock.now += seconds

    monkeypatch.setattr(Adviser, "solve", in_vain)
    monkeypatch.setattr(Adviser, "prepare", in_vain)
    counsel = Counsel(game, Random(1), 2, clock=clock)
    counsel.advise(((game.position(OPEN), None),))
    assert 1.8 < clock.now < 2


def test_a_hint_from_a_known_solution_solves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    nim = gamedsl.load("nim")
    known = solve(nim)

    def refuse(*_: object, **__: object) -> Solution:
        raise AssertionError("it is solved again")

    monkeypatch.setattr(advisers, "solve", refuse)
    counsel = Counsel(nim, Random(1), 2, solution=known)
    assert way_words(nim, counsel.advise(((nim.initial_state(), None),))) == "proved best"


def test_a_hint_in_a_puzzle_makes_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """To go back is as good, and nearer to no end."""
    walk = gamedsl.load(
        'game "Walk"\nplayers A\nstate:\n    at: 0..3 = 1\n'
        "move go(d in {-1, 1}):\n    require 0 <= at + d\n    at += d\n"
        "end:\n    if at == 3: A wins\nendless: draw\n"
    )
    found = solve(walk, options=SolveOptions(solver=SolverName.SHORTEST_SOLUTION))
    assert [(move.is_best, move.makes_progress) for move in found.moves] == [
        (True, False),
        (True, True),
    ]
    monkeypatch.setattr(Adviser, "answer", lambda *_: found)
    state = walk.initial_state()
    advised = Counsel(walk, Random(1), 2).advise(((state, None),))
    assert walk.action_name(state, advised.action) == found.progress[0]


class Stuck:
    """In the place of random plays: each takes a second."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def play(self, *_: object) -> tuple[float, float]:
        self.clock.now += 1
        return 1.0, -1.0


def test_every_move_is_tried_before_one_is_recommended(
    game: LoadedGame, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Playouts, "play", Stuck(clock).play)
    adviser = Adviser(game, Random(1), clock=clock)
    decision = adviser.estimate(game.position(OPEN), seconds=4)
    assert all(move.visits for move in decision.moves)
    assert len(decision.moves) == len(game.legal_actions(game.position(OPEN)))


def test_no_move_is_recommended_on_fewer_plays_than_there_are_moves(
    game: LoadedGame, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Playouts, "play", Stuck(clock).play)
    adviser = Adviser(game, Random(1), clock=clock)
    with pytest.raises(TooFewPlaysError, match=r"as \d plays? could be .* 6 moves .*; --time \d+s"):
        adviser.estimate(game.position(OPEN), seconds=1)
    with pytest.raises(TooFewPlaysError, match="--budget 6 may do"):
        adviser.estimate(game.position(OPEN), budget=3)


def test_machine_code_estimates_as_soon_as_it_is_compiled(game: LoadedGame) -> None:
    """A search in Python simulates some hundred plays in the time."""
    compiled = gamedsl.load("connect_four")
    adviser = Adviser(compiled, Random(1))
    adviser.hold_no_matches()
    adviser._uct.prepare(compiled.initial_state(), None)
    decision = adviser.estimate(compiled.position(OPEN), seconds=0.5)
    assert decision.algorithm == "UCT"
    assert decision.deepest is not None
    assert adviser.estimate(compiled.position(OPEN), budget=50).nodes == 50


PAID = """game "Paid"
players A, B
state:
    left: 0..9 = 9
move take(n in 1..2):
    require n <= left
    reward turn: n
    left -= n
end:
    if left == 0: draw
"""


class Compiling:
    """In the place of `MachineUct`: machine code is ready at some time."""

    is_possible = is_coming = True
    is_finished = False
    name = "UCT"

    def __init__(self, clock: Clock, at: float) -> None:
        self.clock, self.at, self.for_match = clock, at, 9.0

    @property
    def is_ready(self) -> bool:
        return self.clock.now >= self.at

    def prepare(self, _: State, seconds: float) -> None:
        self.clock.now += max(0, min(seconds, self.at - self.clock.now))

    def decide(self, *_: object, **__: object) -> Decision:
        return Decision("UCT", Fraction(0), 0, (), ("first",), 1000, 1000)


@pytest.mark.parametrize(("at", "used"), [(1.5, "UCT"), (2.7, "alpha-beta")])
def test_alpha_beta_gives_way_to_machine_code_while_time_is_left(
    at: float, used: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 1)
    othello = gamedsl.load("othello_small", "python")
    adviser = Adviser(othello, Random(1), clock=clock)
    adviser._uct = Compiling(clock, at)  # type: ignore[assignment]
    decision = adviser.estimate(othello.initial_state(), seconds=3)
    assert decision.algorithm.startswith(used)


@pytest.mark.parametrize(("seconds", "most"), [(1, 0.2), (3, 0.5), (60, 9)])
def test_a_match_takes_a_small_part_of_the_time(
    seconds: float, most: float, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 1)
    othello = gamedsl.load("othello_small", "python")
    adviser = Adviser(othello, Random(1), clock=clock)
    uct = Compiling(clock, 0)
    adviser._uct = uct  # type: ignore[assignment]
    adviser.estimate(othello.initial_state(), seconds=seconds)
    assert 0.1 < uct.for_match <= most


def test_rewards_are_estimated_in_a_short_time_if_machine_code_is_soon_ready(clock: Clock) -> None:
    paid = gamedsl.load(PAID, "python")
    adviser = Adviser(paid, Random(1), clock=clock)
    adviser._uct = Compiling(clock, 0.3)  # type: ignore[assignment]
    assert adviser.estimate(paid.initial_state(), seconds=0.5).algorithm == "UCT"
    adviser._uct = Compiling(clock, 99)  # type: ignore[assignment]
    with pytest.raises(UnsupportedGameError, match=r"allow more time \(`--time`\)"):
        adviser.estimate(paid.initial_state(), seconds=0.5)


def test_a_proof_is_looked_for_as_long_as_proofs_come(game: LoadedGame, clock: Clock) -> None:
    adviser = Adviser(game, Random(1), clock=clock)
    values = Told(game, clock, 10**6, [])
    ended: list[float] = []
    values.stop = lambda: ended.append(clock.now)  # type: ignore[method-assign]
    adviser._values = values  # type: ignore[assignment]
    for _ in range(5):
        begun = clock.now
        ended.clear()
        adviser.estimate(game.position(OPEN), seconds=2)
        used = (ended[0] - begun) / 2
        assert (used < 0.2) == (adviser._in_vain > 3)


def test_plays_come_before_a_proof_that_does_not_come(
    game: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solving reports until the time is up; what it reports while moves are untried has to wait."""
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 100)
    adviser, untried = Adviser(game, Random(1)), list[bool]()

    def endless(_: object, __: object, options: SolveOptions) -> Solution:
        assert options.max_seconds is not None
        assert options.progress is not None
        ends = perf_counter() + options.max_seconds
        while perf_counter() < ends:
            sleep(0.001)
            options.progress(1, 1)
            untried.append(not adviser._tried.is_set())
        raise OutOfTimeError(1, 1)

    monkeypatch.setattr(advisers, "solve", endless)
    monkeypatch.setattr(advisers, "out_of_reach", lambda *_: None)
    decision = adviser.answer(game.position(OPEN), 2)
    assert isinstance(decision, Decision)
    assert decision.nodes >= 7
    assert sum(untried) <= 1
    assert "not within" in adviser.why_not


def test_a_solution_that_comes_in_time_takes_the_place_of_an_estimate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 100)
    monkeypatch.setattr(advisers, "HEAD_START", 0)
    game = gamedsl.load("tic_tac_toe", "python")
    found = Adviser(game, Random(1)).answer(game.initial_state(), 60)
    assert isinstance(found, Solution)
    assert found.outcome == "draw"


def test_a_proof_that_was_late_names_its_time(
    game: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> Solution:
        raise OutOfTimeError(1, 1)

    monkeypatch.setattr(advisers, "solve", late)
    monkeypatch.setattr(advisers, "out_of_reach", lambda *_: None)
    adviser = Adviser(game, Random(1))
    assert adviser.solve(game.position(OPEN), 120) is None
    assert adviser.why_not == "not within 120 s"
