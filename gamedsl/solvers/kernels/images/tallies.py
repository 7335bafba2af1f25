"""Count the states of a table by payoff and plies, with images counted separately.

In: a table whose states are all settled. Out: facts stored beside the table, and `SolvedPositions`
from these facts or, if a table was stored without facts, from its codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gamedsl.game.accelerator import Length, LengthsOfPlay, SolvedPositions, StoredPositions
from gamedsl.game.stored_facts import is_count, is_text, many, refuse_odd
from gamedsl.model import State
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.kernels.contents import Contents
from gamedsl.solvers.kernels.symmetry.orbits import named
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

FACTS = {"symmetries": many(is_text), "tallies": many(many(is_count, 3))}
"""The stored facts."""
NOT_A_COUNT = -1
"""A status that no count equals: each counting job runs once."""


def tallied(table: TranspositionTable, crew: Crew) -> dict[str, Any]:
    """The facts: numbers of states, of endings, and of states by payoff and plies. The number of
    endless play is the number of payoffs."""
    payoffs, width = len(table.payoffs), table.layout.width
    lengths = table.call("longest", table.table) + 1
    mirrored = table.row([*mirrored_of(table.payoffs), payoffs])
    count = table.parts_for(crew.threads)
    bounds = [table.entries * n // count * width for n in range(count + 1)]
    rows = [table.zeros((payoffs + 1) * lengths) for _ in bounds[1:]]

    def tally(begin: int, end: int, row: Any) -> int:
        key = table.assembly.row(width)
        return table.call("tally", begin, end, table.table, payoffs + 1, mirrored, row, key)

    parts = zip(bounds, bounds[1:], rows, strict=False)
    total = sum(crew.round([partial(tally, *part) for part in parts], NOT_A_COUNT))
    counted = [
        [*divmod(place, payoffs + 1), count]
        for place, count in enumerate(map(sum, zip(*rows, strict=True)))
        if count
    ]
    endings = sum(count for length, _, count in counted if length == 1)
    return {"positions": total, "endings": endings, "tallies": counted}


def positions(
    contents: Contents,
    stored: StoredPositions,
    payoffs: list[Vector],
    length_of: Callable[[int], Length],
) -> SolvedPositions:
    """The solved positions, from the table, the stored facts, and the meaning of codes."""
    facts, bits = stored.facts, contents.layout.class_bits
    refuse_odd(facts, FACTS)
    if contents.orbits is None:
        contents = replace(contents, orbits=_orbits(contents, facts))
    contents = replace(contents, payoffs=mirrored_of(payoffs))

    def look_up(state: State) -> Length | None:
        code = contents.code(state)
        return length_of(code) if code else None

    def counted() -> Counter[Length]:
        counts: Counter[Length] = Counter()
        for plies, payoff, count in facts["tallies"]:
            counts[length_of(plies << bits | payoff)] += count
        return counts

    lengths = LengthsOfPlay(counted, lambda length: contents.states_like(length_of, length))
    return contents.solved(stored, look_up, lengths=lengths)


def _orbits(contents: Contents, facts: Mapping[str, Any]) -> Any:
    names, stabilizer = facts["symmetries"], facts.get("kept", facts["symmetries"])
    refuse_odd({"kept": stabilizer}, {"kept": many(is_text)})
    return named(contents.assembly.engine, names, stabilizer)


def mirrored_of(payoffs: list[Vector]) -> tuple[int, ...]:
    """For each payoff, the number of the payoff with swapped players; the payoff's own number if
    the swapped payoff does not occur."""
    numbers = {payoff: number for number, payoff in enumerate(payoffs)}
    return tuple(numbers.get(payoff[::-1], number) for number, payoff in enumerate(payoffs))
