"""Games as numbers and texts for other tools: nothing leaks, nothing is lost. Needs no extras."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

import gamedsl
from gamedsl.bridges.moments import Moment, Numbered
from gamedsl.bridges.telling import InformationRows, Texts, observation
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL

HIDDEN = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "phantom_line",
    "beer_and_quiche",
    "goofspiel",
    "latent_tic_tac_toe",
)
PLAYS = 60
MEMORY = """\
game "Memory"
players Ann, Bob
state:
    card: 1..3 secret to Ann
    told: 0..3 = 0
    turns: 0..2 = 0
setup:
    chance card in 1..3
move say(n in 1..3):
    require turns == 0
    told = n
    turns += 1
move think(n in 1..2) secret:
    require turns == 1
    card = 1
    turns += 1
end:
    if turns == 2: payoff p: (told if p == Ann else -told)
"""
"""The card that Ann saw is gone at the end, but she knows it."""


def plays(numbered: Numbered, count: int, longest: int = 30) -> list[Moment]:
    """All moments of some random plays."""
    rng = Random(1)
    found = []
    for _ in range(count):
        moment = numbered.first
        found.append(moment)
        while moment.mover != TERMINAL and moment.plies < longest:
            if moment.mover == CHANCE:
                moment = moment.after(rng.choice(moment.outcomes())[0])
            else:
                chosen = tuple(rng.choice(moment.legal(mover)) for mover in moment.movers)
                moment = moment.after(chosen if moment.mover == SIMULTANEOUS else chosen[0])
            found.append(moment)
    return found


@pytest.mark.parametrize("name", [*HIDDEN, MEMORY], ids=[*HIDDEN, "memory"])
def test_texts_and_rows_tell_plays_apart_exactly_where_the_player_can(name: str) -> None:
    numbered = Numbered(gamedsl.load(name))
    texts, rows = Texts(numbered.game), InformationRows(numbered)
    assert bool(rows.rows) == numbered.game.facts.has_secrets or numbered.steps is None
    pairs: dict[object, set[object]] = {}
    for moment in plays(numbered, PLAYS):
        for viewer in numbered.game.players:
            known = (viewer, numbered.game.information_state(moment.steps(), viewer))
            told: list[object] = [("text", texts.information(moment, viewer))]
            if rows.rows:
                ones, shares = rows.numbers(moment, viewer)
                assert len({*ones}) == len(ones)
                assert max(ones, default=0) < rows.rows * rows.width
                told.append(("rows", viewer, tuple(sorted(ones)), tuple(shares)))
            for one in told:
                pairs.setdefault(("known", known, one[0]), set()).add(one)
                pairs.setdefault(one, set()).add(known)
    assert [key for key, others in pairs.items() if len(others) > 1] == []


@pytest.mark.parametrize("name", HIDDEN)
def test_an_observation_shows_no_more_than_the_player_sees(name: str) -> None:
    numbered = Numbered(gamedsl.load(name))
    texts = Texts(numbered.game)
    engine = numbered.game.engine
    seen: dict[object, set[object]] = {}
    for moment in plays(numbered, PLAYS):
        for viewer in numbered.game.players:
            ones, shares = observation(moment, viewer)
            shown = tuple(sorted(ones)), tuple(shares), texts.observation(moment, viewer)
            assert len({*ones}) == len(ones)
            assert all(0 <= one < numbered.planes.size for one in ones)
            view = viewer, moment.movers, engine.view(moment.state, viewer)
            seen.setdefault(view, set()).add(shown)
    assert [view for view, shown in seen.items() if len(shown) > 1] == []


def test_a_board_has_a_plane_for_each_value_with_rows_and_columns() -> None:
    numbered = Numbered(gamedsl.load("tic_tac_toe"))
    board = numbered.planes.pieces[-1]
    assert (board.name, board.shape) == ("cell", (3, 3, 3))
    state = numbered.game.position("b3 a1")
    ones, shares = numbered.planes.observation(state, 0, (0,))
    assert shares == []
    values = [str(value) for value in numbered.game.model.variables[0].domain.values]
    x, o = values.index("X"), values.index("O")
    assert board.start + 9 * x + 3 * 2 + 1 in ones
    assert board.start + 9 * o in ones
    assert len(ones) == 2 + 9


def test_a_cell_with_many_values_is_a_share() -> None:
    numbered = Numbered(gamedsl.load("pig", goal=200))
    piece = next(piece for piece in numbered.planes.pieces if piece.name == "pot")
    assert piece.shape == (2,)
    ones, shares = numbered.planes.observation(numbered.game.position("roll die=5"), 0, (0,))
    assert piece.start in ones
    assert (piece.start + 1, 5 / 200) in shares


@pytest.mark.parametrize(
    ("name", "settings", "plies"),
    [
        ("nim", {"sizes": [1, 2]}, 3),
        ("kuhn_poker", {}, 3),
        ("aima_fig_5_2", {}, 2),
        ("pig", {}, None),
    ],
)
def test_the_longest_play_is_known_where_plays_end(
    name: str, settings: dict[str, object], plies: int | None
) -> None:
    numbered = Numbered(gamedsl.load(name, **settings))
    assert (None if numbered.is_broken_off else numbered.longest) == plies


def test_a_play_that_is_broken_off_pays_what_endless_play_pays() -> None:
    numbered = Numbered(gamedsl.load("pig"), longest=1)
    moment = numbered.first.after(0).after(3)
    assert (moment.mover, moment.is_cut, moment.returns) == (TERMINAL, True, (0, 0))


def test_rewards_in_loops_count_each_round() -> None:
    text = """\
game "Rounds"
players A
state:
    n: 0..2 = 0
move go:
    for i in 1..3:
        reward A: 5
    n += 1
end:
    if n == 2: draw
"""
    assert Numbered(gamedsl.load(text)).payoff_bounds == (0.0, 30.0)


@pytest.mark.parametrize("name", ["craps_throws", "knuth_yao_tosses", "grid_world"])
def test_payoffs_are_the_sum_of_rewards_and_within_bounds(name: str) -> None:
    numbered = Numbered(gamedsl.load(name), longest=20)
    low, high = numbered.payoff_bounds
    for moment in plays(numbered, 20):
        assert all(low <= paid <= high for paid in moment.returns)
        total, step = [0.0] * len(moment.returns), moment
        while step.before is not None:
            if step.mover != CHANCE:
                total = [a + b for a, b in zip(total, step.rewards, strict=True)]
            step = step.before
        if moment.mover != CHANCE:
            assert total == pytest.approx([float(paid) for paid in moment.returns])


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys\nfor name in sys.argv[1:]:\n    sys.modules[name] = None\n"
        "for door in ('openspiel', 'pettingzoo', 'gymnasium'):\n"
        "    try:\n        __import__(f'gamedsl.{door}')\n"
        "    except ImportError as error:\n        print(error)\n"
    )
    hidden = ("pyspiel", "pettingzoo", "gymnasium")
    ran = subprocess.run(
        [sys.executable, "-c", code, *hidden], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == [
        "OpenSpiel is not installed: pip install 'gamedsl[openspiel]'",
        "PettingZoo is not installed: pip install 'gamedsl[pettingzoo]'",
        "Gymnasium is not installed: pip install 'gamedsl[gymnasium]'",
    ]
