"""Endings that are put aside while others are settled: nothing that is found changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.retrograde import endings, retrograde
from gamedsl.solvers.kernels.retrograde import retrograde_kernel as kernel
from gamedsl.solvers.kernels.retrograde.retrograde import RetrogradeRun
from tests.unit.archive.test_checkpoints import Cut, CutError
from tests.unit.archive.test_saved import TURNED
from tests.unit.solvers.kernels.solving import random_duel, random_race
from tests.unit.solvers.kernels.test_threads import RING, counts, entries, solved

MANY = """game "Many ends"
players A, B
state:
    at: 0..39 = 0
    last: 0..20 = 0
move go(n in 1..2):
    at = (at + n) % 40
move stop(n in 1..20):
    require at % 3 == 0
    last = n
end:
    if last > 0 and at > 20: payoff p: (last - 9 if p == A else 9 - last)
    if last > 0: draw
endless: draw
"""
"""Most of its positions are endings."""
SMALL_RING = RING.replace("79", "39").replace("80", "40").replace("78", "38").replace("77", "37")


@pytest.fixture
def _cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any table is shared, slices and rounds end often, tables grow often."""
    monkeypatch.setattr(transposition_table, "WORTH_SHARING", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 7)
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 192)


def put_aside(monkeypatch: pytest.MonkeyPatch, *, lists: bool = True) -> None:
    """Endings are put aside whatever that saves; then there is room for a list of edges, or not."""
    monkeypatch.setattr(endings, "SAVING", 0)
    monkeypatch.setattr(
        RetrogradeRun,
        "_has_room_for_list",
        lambda run: lists and run._table.notes.aside > 0,
    )


@pytest.mark.usefixtures("_cut_small")
@pytest.mark.parametrize(
    "text", [TURNED, MANY, *map(random_duel, range(3)), random_race(4, returns=True)]
)
def test_every_position_is_worth_the_same_where_endings_are_put_aside(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = solved(text, 1)
    for count, lists, patience in ((1, True, 64), (2, True, 1), (3, False, 64)):
        with monkeypatch.context() as patch:
            put_aside(patch, lists=lists)
            patch.setattr(retrograde, "PATIENCE", patience)
            found = solved(text, count)
        assert counts(found) == counts(wanted)
        assert entries(found) == entries(wanted)


@pytest.mark.parametrize("native", [False, True])
def test_endings_are_put_aside_where_that_makes_room_for_the_list_of_ways(
    native: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 192)
    wanted, sizes = solved(MANY, 1), []
    plain = RetrogradeRun._begin_sweep

    def begin_sweep(run: RetrogradeRun, phase: int) -> None:
        sizes.append((phase, run._table.entries))
        plain(run, phase)

    monkeypatch.setattr(RetrogradeRun, "_begin_sweep", begin_sweep)
    found = solved(MANY, 1, native=native, folder=tmp_path, bytes=6_000)
    assert counts(found) == counts(wanted)
    assert entries(found) == entries(wanted)
    assert {phase for phase, _ in sizes} <= {kernel.LIST, kernel.ALONG}
    assert all(size < found.positions // 2 for _, size in sizes)


@pytest.mark.usefixtures("_cut_small")
def test_work_that_is_cut_off_while_endings_are_aside_is_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wanted = solved(SMALL_RING, 1)
    put_aside(monkeypatch)
    game, cuts = gamedsl.load(SMALL_RING, "python"), 0
    while True:
        checkpoints = Cut(tmp_path / "out", game, game.initial_state())
        checkpoints.left = 4
        try:
            found = solved(SMALL_RING, 1 + cuts % 3, checkpoints=checkpoints)
            break
        except CutError:
            cuts += 1
    assert cuts > 20
    assert counts(found) == counts(wanted)
    assert entries(found) == entries(wanted)
