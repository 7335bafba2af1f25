"""A finished table does not tell in which order states were entered."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SolvedPositions
from gamedsl.game.library import shipped_game
from gamedsl.solvers.kernels import induction
from gamedsl.solvers.kernels.contents import payoffs_stored
from gamedsl.solvers.kernels.images.tallies import tallied
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.order import ordering
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import Limits, TranspositionTable


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> tuple[TranspositionTable, SolvedPositions]:
    """A table in which all is settled, before it was put in order, and what was found."""
    tables: list[TranspositionTable] = []
    monkeypatch.setattr(induction, "put_in_order", lambda table, *_: tables.append(table))
    game = gamedsl.load(shipped_game("connect_small"), "python", width="3", height="3", run="3")
    assert isinstance(game.engine, CompiledEngine)
    found = KernelInduction(game.engine, native=False).solve(game.initial_state())
    return tables[0], found


def states(table: TranspositionTable) -> list[Sequence[int]]:
    """The entries that are in use."""
    width, shift = table.layout.width, table.layout.shift
    rows = [table.table[place : place + width] for place in range(0, len(table.table), width)]
    return [row for row in rows if row[-1] >> shift]


def enter_anew(table: TranspositionTable, rows: Sequence[Sequence[int]], entries: int) -> None:
    """Enter states in an order into a table of so many entries."""
    numbers = [number for row in rows for number in row]
    other = [0] * (entries * table.layout.width)
    table.call("rehash", numbers, 0, len(numbers), other)
    table.table = other


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_entering_and_the_size_do_not_show(
    seed: int, finished: tuple[TranspositionTable, SolvedPositions]
) -> None:
    draw, (table, _) = random.Random(seed), finished
    rows = states(table)
    entries = len(rows) + draw.choice([1, 2, len(rows) // 9])
    tables = []
    for _ in range(3):
        draw.shuffle(rows)
        enter_anew(table, rows, len(rows) + draw.choice([1, 5, len(rows) // 2]))
        ordering.put_in_order(table, entries, Crew(1))
        tables.append([*table.table])
    assert len(tables[0]) == entries * table.layout.width
    assert tables[0] == tables[1] == tables[2]
    assert sorted(states(table)) == sorted(rows)


def found_in(table: TranspositionTable) -> SolvedPositions:
    """What a table says."""
    facts = {**tallied(table, Crew(1)), "payoffs": payoffs_stored(table.payoffs)}
    return induction.positions(table.contents, table.contents.stored(facts, {}))


@pytest.mark.parametrize("more", [1, 5000])
def test_each_state_is_found_where_it_lies(
    more: int, finished: tuple[TranspositionTable, SolvedPositions]
) -> None:
    table, found = finished
    assert found.entries is not None
    reached = list(found.entries())[::7]
    for payoffs in itertools.permutations(table.payoffs):
        table.payoffs[:] = payoffs  # the same codes mean something else
        wanted = [found_in(table).look_up(state) for state in reached]
        ordering.put_in_order(table, len(states(table)) + more, Crew(1))
        assert table.payoffs == sorted(payoffs, reverse=True)
        assert [found_in(table).look_up(state) for state in reached] == wanted


def test_a_cluster_may_go_on_from_the_end_to_the_beginning(
    finished: tuple[TranspositionTable, SolvedPositions], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such states are the last to be moved, and come to its beginning again where there is no room
    for them at the end."""
    table, _ = finished
    rows, strays, call = states(table), list[int](), table.call

    def noted(name: str, *arguments: Any) -> int:
        said: int = call(name, *arguments)
        if name == "count_strays":
            strays.append(said)
        return said

    monkeypatch.setattr(table, "call", noted)
    for draw in map(random.Random, range(20)):
        draw.shuffle(rows)
        enter_anew(table, rows, len(rows) + 2)
        ordering.put_in_order(table, len(rows) + 1, Crew(1))
        ordering.put_in_order(table, len(rows) + 2, Crew(1))
    assert any(strays[::2])
    assert any(strays[1::2])


def test_without_memory_for_another_table_it_keeps_its_size(
    finished: tuple[TranspositionTable, SolvedPositions], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = finished
    rows, entries = states(table), table.entries
    monkeypatch.setattr(table, "limits", Limits(None, entries * table.layout.width * NUMBER))
    ordering.put_in_order(table, 2 * entries, Crew(1))
    assert table.entries == entries
    monkeypatch.setattr(ordering, "GIVES_BACK", False)
    ordering.put_in_order(table, entries - 1, Crew(1))
    assert table.entries == entries
    assert sorted(states(table)) == sorted(rows)
