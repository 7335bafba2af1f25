"""Variables and chance events on which nothing depends are left out of the slice, and no others."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

import gamedsl
from gamedsl.game.accelerator import Refusal
from gamedsl.game.slices import slice_of
from gamedsl.model import UnsupportedGameError
from gamedsl.model.slicing.slices import sliced
from gamedsl.solvers.advice.best_moves import best_moves
from gamedsl.solvers.expectations import verify_all
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

GAME = """game "Heap"
players {players}

state:
    heap: 0..4 = 4
    {state}
{setup}
move take(n in 1..2):
    require n <= heap
    heap -= n
    {body}
{more}
end:
    {end}
    if heap == 0: next(turn) loses
{evaluate}
"""


def game(
    state: str = "",
    body: str = "",
    *,
    end: str = "",
    more: str = "",
    setup: str = "",
    evaluate: str = "",
    players: str = "A, B",
) -> gamedsl.LoadedGame:
    """A heap with further parts."""
    lines = [part.replace("\n", "\n    ") for part in (state, body, end)]
    text = GAME.format(
        state=lines[0], body=lines[1], end=lines[2], more=more, setup=setup, evaluate=evaluate,
        players=players,
    )  # fmt: skip
    return gamedsl.load(text)


def left_out(loaded: gamedsl.LoadedGame) -> tuple[str, ...] | None:
    """The names that the slice lacks; None without a slice."""
    model = sliced(loaded.model)
    return None if model is None else model.left_out


@pytest.mark.parametrize(
    ("state", "body", "names"),
    [
        ("coin: bool = false secret", "", ("coin",)),
        ("note[p in players]: bool = false secret to p", "", ("note",)),
        ("note[p in players]: bool = false secret to p", "note[turn] = n == 1", ("note",)),
        ("last: 0..2 = 0", "last = n", ("last",)),
        ("seen[0..4]: bool = false", "seen[heap] = true", ("seen",)),
        ("even: bool = true", "even = not even", ("even",)),
        ("count: 0..3 = 0", "count = min(3, count + 1)", ("count",)),
        ("count: 0..2 = 0", "count = (count + 1) % 3", ("count",)),
        ("count: 0..5 = 0", "count = count + 1", ("count",)),
        ("left: 0..10 = 10", "left -= 2", ("left",)),
        ("twice: 0..10 = 0", "twice += 1\nif n == 1: twice += 1", ("twice",)),
        ("a: 0..2 = 0\nb: 0..2 = 0", "b = a\na = n", ("a", "b")),
        ("coin: bool = true", "chance coin in {true, false}", ("coin",)),
        ("", "chance die in 1..6", ("die",)),
        ("die: 1..6 = 1", "chance drawn in 1..6\ndie = drawn", ("die", "drawn")),
        ("coin: 0..2 = 0", "chance coin in {0: 1/3, n: 2/3}", ("coin",)),
        ("rest: 0..4 = 0", "for k in 0..4 while k < heap: rest = k", ("rest",)),
        ("rest: 0..4 = 0", "if heap > 1: rest = heap\nelse: rest = 0", ("rest",)),
    ],
)
def test_parts_without_effect_are_left_out(state: str, body: str, names: tuple[str, ...]) -> None:
    loaded = game(state, body)
    assert left_out(loaded) == names
    plain, solution = solve(game()), solve(loaded)
    assert solution.left_out == names
    assert (solution.value, solution.positions) == (plain.value, plain.positions)
    assert not solution.chance_nodes


@pytest.mark.parametrize(
    ("state", "body", "more"),
    [
        ("count: 0..4 = 0", "count = count + 1", {}),
        ("a: 0..9 = 0\nb: 0..9 = 0", "a += 1\nb += 1", {"more": "\nmove add:\n    heap = 4\n"
                                                             "    a += 1\n    b += 1\n"}),
        ("left: 0..9 = 9", "left -= 2", {}),
        ("count: 0..9 = 0", "for k in 1..2: count = count + 1", {}),
        ("seen[0..2]: bool = false", "seen[heap] = true", {}),
        ("part: 0..4 = 0", "part = heap // n - heap // (2 - heap)", {}),
        ("part: bool = true", "part = heap // (2 - heap) == n", {}),
        ("last: 0..2 = 0", "last = n", {"end": "if last == 2: draw"}),
        ("a: 0..2 = 0\nb: 0..2 = 0", "b = a\na = n", {"end": "if b == 2: draw"}),
        ("last: 0..2 = 0", "if last == 2: heap = heap\nlast = n\nensure last > 0", {}),
        ("coin: bool = true", "chance coin in {true, false}\nif coin: again", {}),
        ("coin: bool = true", "chance coin in {true, false}\nreward turn: 1 if coin else 0", {}),
        ("coin: bool = true", "chance coin in {true, false} where heap > 0 or not coin", {}),
        ("coin: 0..2 = 0", "chance coin in {0: 1/heap, 1: 1 - 1/heap}", {}),
        ("", "chance turn in players", {}),
        ("even: bool = true", "even = not even", {"more": "\nrepeat state 2 times: draw\n"
                                                  "move wait: heap = heap\n"}),
    ],
)  # fmt: skip
def test_parts_with_an_effect_are_kept(state: str, body: str, more: dict[str, str]) -> None:
    assert left_out(game(state, body, **more)) is None


def test_a_draw_on_which_something_depends_is_not_named() -> None:
    assert left_out(game("low: 0..1 = 0", "chance die in 0..1\nif die == 0: again\nlow = die")) == (
        "low",
    )


def test_a_variable_read_by_evaluate_alone_is_left_out_of_solving_and_kept_in_searches() -> None:
    loaded = game("last: 0..2 = 0", "last = n", evaluate="evaluate p: last")
    assert left_out(loaded) == ("last",)
    assert solve(loaded).left_out == ("last",)
    part = loaded.slice
    assert part is not None
    assert not part.game.facts.has_evaluate
    assert gamedsl.search(loaded, limit=1).line == ("take(2)",), "EVAL tells the moves apart"


def test_a_secret_that_decides_the_payoff_is_kept() -> None:
    loaded = game("coin: bool", setup="setup: chance coin in {true, false}",
                  end="if heap == 0 and coin: turn loses")  # fmt: skip
    assert left_out(loaded) is None


def test_what_is_seen_may_tell_of_a_secret_and_is_kept() -> None:
    loaded = game(
        "coin: bool secret\ntold: bool = false", "told = coin",
        setup="setup: chance coin in {true, false}", end="if heap == 0 and coin: turn loses",
    )  # fmt: skip
    assert left_out(loaded) is None


def test_a_secret_move_without_a_secret_effect_is_no_secret() -> None:
    loaded = game(
        "note[p in players]: 0..4 = 0 secret to p",
        more="\nmove write(k in 0..4) secret:\n    require note[turn] == 0\n    note[turn] = k\n",
    )
    assert left_out(loaded) is None, "the note decides the legal moves"
    loaded = game(
        "note[p in players]: 0..4 = 0 secret to p\ntired: bool = false",
        more="\nmove write(k in 0..4) secret:\n    require not tired\n    note[turn] = k\n"
        "    tired = true\n",
    )
    assert left_out(loaded) == ("note",)
    assert solve(loaded).positions == 16


def test_what_a_lone_player_sees_is_no_secret() -> None:
    loaded = game("best: 0..2 = 0 secret to A", "best = n", players="A",
                  end="if heap == 0: payoff A: best")  # fmt: skip
    part = loaded.slice
    assert part is not None
    assert part.game.facts.has_secrets is False
    assert solve(loaded).value == (2,)


def test_a_secret_that_never_changes_is_known_to_all() -> None:
    loaded = game("prize: 1..3 = 2 secret", end="if heap == 0: turn wins prize")
    part = loaded.slice
    assert part is not None
    assert not part.game.facts.has_secrets
    assert solve(loaded).left_out == ()


KNOWN = "copy: 0..4 = 4 secret"
READ = "if copy == 3 and heap == 0: draw"


@pytest.mark.parametrize(
    "body",
    [
        "copy = heap",
        "if n == 2: copy -= 1",
        "for k in 1..2 where k == n:\n    copy = k",
        "turn = A",
    ],
)
def test_a_secret_that_follows_from_public_moves_is_known_to_all(body: str) -> None:
    secret = game(KNOWN, body, end=READ)
    part = sliced(secret.model)
    assert part is not None
    assert not part.facts.has_secrets
    told = solve(game(KNOWN.removesuffix(" secret"), body, end=READ))
    assert solve(secret).value == told.value


@pytest.mark.parametrize(
    ("state", "body", "more"),
    [
        ("", "chance luck in 0..1\ncopy = luck", ""),
        ("", "chance luck in 0..1\nif luck == 1: copy = 0", ""),
        ("shown: 0..1 = 0", "chance shown in 0..1\ncopy = shown\nshown = 0", ""),
        ("other: 0..4 = 1 secret", "chance other in 0..4\ncopy = other", ""),
        ("", "let low = copy < 2\nif low: copy = 1", "move hide(k in 0..3) secret:\n    copy = k"),
        ("", "copy = 1 if stuck(opponent, take) else 0", ""),
        ("", "chance turn in players\ncopy = 1 if turn == A else 0\nturn = A", ""),
    ],
)
def test_a_secret_that_somebody_cannot_work_out_is_kept(state: str, body: str, more: str) -> None:
    assert sliced(game(f"{KNOWN}\n{state}", body, more=more, end=READ).model) is None


def test_states_of_the_game_have_the_values_of_their_states_of_the_slice() -> None:
    loaded = game("coin: bool", "chance coin in {true, false}",
                  setup="setup: chance coin in {true, false}")  # fmt: skip
    solution = solve(loaded)
    for state in loaded.states():
        assert state in solution
        by_chance = state.pending is not None
        assert bool(solution.moves_at(state)) == (not by_chance and not loaded.is_terminal(state))
        assert solution.value_at(state) in {(1, -1), (-1, 1)}
    assert solution.best == ("take(1)", "take(2)")


def test_claims_count_the_positions_of_the_whole_game() -> None:
    loaded = game("last: 0..2 = 0", "last = n")
    whole = solve(loaded, options=SolveOptions(uses_slice=False))
    assert whole.positions > solve(loaded).positions
    text = f"{loaded.source.text}\nexpect value: B wins\nexpect states: {whole.positions}\n"
    again = gamedsl.load(text)
    verdicts = verify_all(again, again.expectations, lambda _: again)
    assert [verdict.ok for verdict in verdicts] == [True, True]


def test_a_named_algorithm_for_hidden_information_solves_the_whole_game() -> None:
    loaded = game("coin: bool = false secret")
    solution = solve(loaded, options=SolveOptions(solver=SolverName.SEQUENCE_FORM))
    assert solution.part is None
    assert solution.value == solve(loaded).value


def test_the_slice_has_best_moves_and_refuses_nothing() -> None:
    from random import Random

    loaded = game("coin: bool = false secret")
    best = best_moves(loaded, seconds=None, budget=10, rng=Random(1))
    assert best.names == ("take(1)", "take(2)")
    assert best.is_proved
    with pytest.raises(UnsupportedGameError):
        solve(loaded, options=SolveOptions(solver=SolverName.BACKWARD_INDUCTION, uses_slice=False))


def test_a_slice_travels_as_its_text() -> None:
    part = game("coin: bool = false secret").slice
    assert part is not None
    again = pickle.loads(pickle.dumps(part.game))
    assert again.left_out == ("coin",)
    assert not again.facts.has_secrets


class Generous(gamedsl.LoadedGame):
    """A game of which every player is paid one more at the end."""

    def utilities(self, state: gamedsl.State) -> tuple[Fraction, ...]:
        return tuple(payoff + 1 for payoff in super().utilities(state))

    def accelerator(self) -> Refusal:
        return Refusal("the rules do not know the payoffs")

    def steps(self) -> None:
        """None: steps know the rules alone."""


class Wrapped:
    """A game that asks another for all it does not say itself."""

    def __init__(self, whole: gamedsl.LoadedGame) -> None:
        self.whole = whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


def test_a_game_that_adds_to_another_does_not_hand_on_its_slice() -> None:
    loaded = game("coin: bool = false secret", end="if heap == 1: draw")
    assert slice_of(loaded) is loaded.slice is not None
    assert slice_of(Wrapped(loaded)) is None  # type: ignore[arg-type]
    paid_more = Generous(loaded.model, "auto")
    assert slice_of(paid_more) is None
    open_game = Generous(game(end="if heap == 1: draw").model, "auto")
    assert open_game.slice is None
    assert solve(open_game).value == tuple(v + 1 for v in solve(loaded).value or ())
