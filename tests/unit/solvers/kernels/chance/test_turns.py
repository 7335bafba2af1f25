"""Games solved turn by turn by a kernel, here in Python, against the whole graph."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.chance import turn_template, turns
from gamedsl.solvers.kernels.chance.turns import KernelTurns
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solved_table import SolvedTable

MOVES = """
move roll:
    require rolls > 0
    rolls -= 1
    chance thrown in 1..FACES where thrown != note
    die = KEEPS

move nudge:
    require die > 1 and rolls == 1
    die -= 1
    NUDGE

move put(b in 1..3):
    require GUARD
    let worth = WORTH
    PAID
    total = min(9, total + (worth if b > 1 else 0))
    spent[b] = true
    die = 0
    rolls = ROLLS
    AFTER
"""


def random_turns(seed: int, *, alone: bool) -> str:
    """A game of dice that are thrown twice and put into three boxes."""
    draw = random.Random(seed)
    amount = draw.choice(["worth", "worth / 3", "2 if total > 3 else worth", "0"])
    paid = f"reward A: {amount}" if alone else f"reward A: {amount}, B: -({amount})"
    late = "(b != 2 or total + die > 1 or spent[1] and spent[3])"
    guard = ["not spent[b]", "die > 0", *draw.choice([[], [late]])]
    draw.shuffle(guard)
    words = {
        "FACES": str(draw.randint(2, 4)),
        "KEEPS": draw.choice(["thrown", "max(die, thrown)", "min(4, die + thrown)"]),
        "NUDGE": draw.choice(["again", "reward turn: 0", "note = 1 if die == 1 else note"]),
        "GUARD": " and ".join(guard),
        "WORTH": draw.choice(
            ["die", "b * die", "4 if die == b else 0", "die if b == 1 or spent[1] else 1"]
        ),
        "PAID": draw.choice([paid, f"if die > 1: {paid}", f"if total < 4: {paid}"]),
        "ROLLS": draw.choice(["2", "2", "1 + (total > 3)"]).replace(
            "(total > 3)", "(1 if total > 3 else 0)"
        ),
        "AFTER": draw.choice(
            ["", "note = 0", "chance note in 0..1", "if die == 0: chance note in {0: 2/3, 1: 1/3}"]
        ),
    }
    ends = draw.choice(
        ["all(spent[b] for b in 1..3)", "count(b for b in 1..3 where spent[b]) == 2 and total > 1"]
    )
    if "total > 1" in ends:
        ends += " or all(spent[b] for b in 1..3)"
    payoff = draw.choice(["total", "total / 4", "1 if total > 5 else -1"])
    text = MOVES
    for name, value in words.items():
        text = text.replace(name, value)
    return "\n".join([
        f'game "Turns {seed}"',
        f"players {'A' if alone else 'A, B'}",
        "state:",
        "    spent[1..3]: bool = false",
        "    total: 0..9 = 0",
        "    die: 0..4 = 0",
        "    rolls: 0..2 = 2",
        "    note: 0..1 = 0",
        text,
        "end:",
        f"    if {ends}: payoff p: ({payoff}) * (1 if p == A else -1)",
        "",
    ])  # fmt: skip


def kernel_of(game: LoadedGame) -> KernelTurns:
    assert isinstance(game.engine, CompiledEngine)
    return KernelTurns(game.engine, native=False)


def assert_same(game: LoadedGame) -> None:
    """The same states, counts and choices as the whole graph, and values within the bound."""
    wanted = solve(game, options=SolveOptions(uses_turns=False))
    found = kernel_of(game).solve(game.initial_state())
    table = SolvedTable(game, game.initial_state(), found, SolverName.NATIVE_TURNS)
    assert found.chance is not None
    counts = (found.positions, found.endings, found.chance.events)
    assert counts == (wanted.positions, wanted.terminals, wanted.chance_nodes)
    assert wanted.solved is not None
    for state in wanted.solved.states:
        for value, exact in zip(table.value(state), wanted.value_at(state), strict=True):
            assert abs(value - exact) <= table.error_bound < 1e-9
        own, best = table.assessed(state), wanted.moves_at(state)
        assert [one.action for one in own] == [one.action for one in best]
        assert all(one.is_best for one, other in zip(own, best, strict=True) if other.is_best)
        choice = table.choice(state)
        assert choice in [one.action for one in best if one.is_best] if best else choice is None


@pytest.mark.parametrize("seed", range(7))
@pytest.mark.parametrize("alone", [True, False])
def test_games_of_turns_are_solved_as_their_whole_graph_is(seed: int, alone: bool) -> None:
    assert_same(gamedsl.load(random_turns(seed, alone=alone), "python"))


SMALL = """
game "Two dice, three boxes"
players A
state:
    spent[1..3]: bool = false
    die: 0..6 = 0
    again_left: 0..1 = 1
move roll:
    require die == 0 or again_left > 0
    if die > 0: again_left = 0
    chance die in 1..6
move put(b in 1..3):
    require die > 0 and not spent[b]
    reward A: die * b
    spent[b] = true
    die = 0
    again_left = 1
end:
    if all(spent[b] for b in 1..3): payoff A: 0
"""


def template_of(text: str) -> turns.Template:
    engine = kernel_engine(gamedsl.load(text, "python"))
    (split, *_) = turns.turn_splits(engine.model)
    search = turns.TemplateSearch(engine, split)
    search.begin_at(engine.initial_state())
    return search.template()


def kernel_engine(game: LoadedGame) -> CompiledEngine:
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


def test_a_turn_is_explored_once_and_outer_actions_that_do_the_same_are_one_class() -> None:
    template = template_of(SMALL)
    choices = [node for node in template.nodes if node.kind == turns.CHOICE]
    # no die yet, six dice that may be thrown again, and six that may not; a throw from each of
    # the first seven
    assert (len(choices), len(template.nodes)) == (13, 20)
    # a die of so many eyes is worth as much with a throw left as without
    assert template.classes == 18
    assert len(template.exits) == 6
    assert template.roundings == 2
    assert all(child < number for number, node in enumerate(template.nodes)
               for child, _, _ in node.edges)  # fmt: skip


def test_play_may_end_by_what_a_turn_is_about() -> None:
    text = SMALL.replace("    die: 0..6", "    is_over: bool = false\n    die: 0..6")
    text = text.replace("    die = 0\n", "    die = 0\n    is_over = all(spent[c] for c in 1..3)\n")
    text = text.replace("require die == 0 or", "require not is_over and die == 0 or")
    text = text.replace(
        "if all(spent[b] for b in 1..3): payoff A: 0", "if is_over: payoff A: 1 / 3"
    )
    game = gamedsl.load(text, "python")
    (split,) = turns.turn_splits(kernel_engine(game).model)
    assert not split.ends_by_slow
    assert_same(game)


def test_more_actions_out_of_a_turn_than_can_be_told_apart_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turn_template, "MOST_RESIDUES", 20)
    with pytest.raises(UnsupportedGameError, match="too many actions"):
        template_of(SMALL)


def test_more_turns_than_there_is_room_for_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "FIRST_TURNS", 2)
    monkeypatch.setattr(turns, "FIRST_WAITING", 2)
    assert_same(gamedsl.load(SMALL, "python"))


def test_payoffs_that_leave_no_room_are_counted_in_coarser_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "ROOM_ABOVE", 2)
    assert_same(gamedsl.load(SMALL, "python"))


def test_other_states_are_not_among_those_that_are_solved() -> None:
    game = gamedsl.load(SMALL, "python")
    found = kernel_of(game).solve(game.initial_state())
    engine = kernel_engine(game)
    assert found.look_up(engine.state_of((1, 0, 0, 3, 1), 0)) is not None
    assert found.look_up(engine.state_of((0, 0, 0, 0, 0), 0)) is None


def test_fewer_positions_than_there_are_are_too_few() -> None:
    game = gamedsl.load(SMALL, "python")
    with pytest.raises(OutOfBudgetError):
        kernel_of(game).solve(game.initial_state(), SearchLimits(positions=20))


@pytest.mark.parametrize(
    ("what", "by", "reason"),
    [
        ("if all(", "if stuck or all(", "no part"),
        ("reward A: die * b", "spent[1 + b % 3] = false", "earlier turn"),
        ("if die > 0: again_left = 0", "die = die", "within a turn"),
        ("again_left > 0", "again_left > 0 and not spent[2]", "no part"),
        ("if all(", "if die == 7 or all(", "no part"),
        ("payoff A: 0", "payoff A: 0\ndiscount = 1/2", "no part"),
    ],
)
def test_games_without_such_turns_are_refused(what: str, by: str, reason: str) -> None:
    assert what in SMALL
    game = gamedsl.load(SMALL.replace(what, by), "python")
    with pytest.raises(UnsupportedGameError, match=reason):
        kernel_of(game).solve(game.initial_state())


def test_what_one_player_need_not_lose_to_the_other_is_refused() -> None:
    two = SMALL.replace("players A", "players A, B").replace("payoff A: 0", "payoff p: 0")
    for paid in ("reward A: die * b", "reward A: die, B: die"):
        game = gamedsl.load(two.replace("reward A: die * b", paid), "python")
        with pytest.raises(UnsupportedGameError, match="need not lose"):
            kernel_of(game).solve(game.initial_state())
