"""How variables divide into slow and quick ones, and what actions still ask of the quick ones."""

from __future__ import annotations

import pytest

from gamedsl.model.rewriting.turns.residues import Residue, Residues
from gamedsl.model.rewriting.turns.splits import turn_splits
from tests.unit.model.reading import model_of

GAME = """game "Boxes"
players A
state:
    spent[1..2]: bool = false
    total: 0..20 = 0
    shown[1..3]: 0..2 = 0
    left: 0..1 = 1

def worth(b) = shown[b] if b < 3 else sum(n * shown[n] for n in 1..3)

move roll:
    require left > 0
    left = 0
    chance n in 1..3
    shown[n] = 2

move put(b in 1..2):
    {guard}
    {change}
    spent[b] = true
    for n in 1..3: shown[n] = 0
    left = 1

end:
    {end}
"""
USUAL = {
    "guard": "require not spent[b] and left == 0",
    "change": "total = min(20, total + worth(b))",
    "end": "if all(spent[b] for b in 1..2): payoff A: total",
}


def residue_of(cells: tuple[int, ...], **words: str) -> Residue | None:
    """That of `put(1)` where the quick cells (three shown, one left) hold these digits; `end:`
    reads total and spent, so that these are slow."""
    model = model_of(GAME.format(**{**USUAL, **words}))
    (split,) = turn_splits(model)
    assert [one.name for one in split.slow] == ["spent", "total"]
    put = model.moves[1]
    return Residues(model, split.slow).residue(put, put.first_id, (0, 0, 0, *cells), 0)


def test_moves_that_touch_no_slow_variable_are_inner_ones() -> None:
    (split,) = turn_splits(model_of(GAME.format(**USUAL)))
    assert (sorted(split.inner), split.ends_by_slow) == ([0], True)
    (by_quick,) = turn_splits(model_of(GAME.format(**{**USUAL, "end": "if left == 1: A wins"})))
    assert not by_quick.ends_by_slow


@pytest.mark.parametrize(
    "words",
    [
        {"end": "if total > 3 and left == 0: A wins"},
        {"end": "if spent[1] and turn == A: A wins"},
        {"end": "if stuck: A wins"},
        {"change": "chance m in 1..2\n    total = m"},
    ],
)
def test_where_slow_and_quick_are_mixed_there_is_no_division(words: dict[str, str]) -> None:
    splits = turn_splits(model_of(GAME.format(**{**USUAL, **words})))
    assert not any("total" in [one.name for one in split.slow] for split in splits)


def test_cells_that_are_not_read_and_written_over_make_no_difference() -> None:
    assert residue_of((1, 0, 0, 0)) == residue_of((1, 2, 2, 0))
    assert residue_of((1, 0, 0, 0)) != residue_of((2, 0, 0, 0))


def test_cells_that_stay_as_they_are_make_a_difference() -> None:
    change = "total = 1\n    shown[1] = min(2, total)"
    assert residue_of((1, 0, 0, 0), change="total = 1") == residue_of(
        (2, 0, 0, 0), change="total = 1"
    )
    kept = GAME.replace("    for n in 1..3: shown[n] = 0\n", "")
    model = model_of(kept.format(**USUAL))
    residues = Residues(model, model.variables[:2])
    found = [residues.residue(model.moves[1], 1, (0, 0, 0, 1, n, 0, 0), 0) for n in range(2)]
    assert found[0] != found[1]
    assert residue_of((1, 0, 0, 0), change=change) is not None


def test_cells_with_domains_of_their_own_hold_digits_of_the_common_domain() -> None:
    text = GAME.replace(
        "    left: 0..1 = 1\n", "    die[k in 1..2]: k..3 = 3\n    left: 0..1 = 1\n"
    )

    def found(change: str, *dice: int) -> Residue | None:
        model = model_of(text.format(**{**USUAL, "change": change}))
        residues = Residues(model, model.variables[:2])
        return residues.residue(model.moves[1], 1, (0, 0, 0, 0, 0, 0, *dice, 0), 0)

    read = "total = die[2]\n    die[2] = 3"
    assert found(read, 2, 1) != found(read, 2, 2)
    written = found("die[2] = 2", 2, 2)
    assert written is not None
    assert written[-3:-1] == (2, 1)  # 3 and 2, counted from 1


def test_conditions_on_slow_variables_are_not_decided() -> None:
    slow = "if total > 3: total = min(20, total + shown[2])"
    assert residue_of((0, 1, 0, 0), change=slow) != residue_of((0, 2, 0, 0), change=slow)
    never = "if total > 3 and shown[3] == 1: total = min(20, total + shown[2])"
    assert residue_of((0, 1, 0, 0), change=never) == residue_of((0, 2, 0, 0), change=never)
    assert residue_of((0, 1, 1, 0), change=never) != residue_of((0, 2, 1, 0), change=never)


def test_what_slow_variables_let_be_written_is_known_no_longer() -> None:
    change = "if total > 3: shown[2] = 1\n    total = min(20, total + shown[2])"
    assert residue_of((0, 0, 0, 0), change=change) != residue_of((0, 2, 0, 0), change=change)
    sure = "shown[2] = 1\n    total = min(20, total + shown[2])"
    assert residue_of((0, 0, 0, 0), change=sure) == residue_of((0, 2, 0, 0), change=sure)


def test_an_action_that_known_cells_forbid_has_none() -> None:
    assert residue_of((0, 0, 0, 1), guard="require left == 0 and not spent[b]") is None
    # `not spent[b]` is asked first here, and might fail: it is left to play
    assert residue_of((0, 0, 0, 1)) is not None


def test_a_chance_event_keeps_the_names_that_are_known() -> None:
    change = "let now = shown[1] + shown[2]\n    total = 3\n    chance m in 1..2 where m != now"
    late = GAME.replace("    {change}\n", "").replace("= true\n", "= true\n    {change}\n")
    late = late.replace("    for n in 1..3: shown[n] = 0\n    left = 1\n", "")
    model = model_of(late.format(**{**USUAL, "change": change}))
    residues = Residues(model, model.variables[:2])

    def found(*shown: int) -> Residue | None:
        return residues.residue(model.moves[1], 1, (0, 0, 0, *shown, 0), 0)

    assert found(1, 1, 0) != found(2, 1, 0)
