"""What retrograde analysis has found, by numbers in a table: looked up, counted, gone through.

In: a table, just filled or read from a file, and the facts beside it. Out: `SolvedPositions`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gamedsl.game.native import Length, LengthsOfPlay, SolvedPositions, StoredPositions
from gamedsl.game.stored_facts import is_count, is_text, many, refuse_odd
from gamedsl.model import State
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.kernels.contents import Contents, length_of, payoffs_of
from gamedsl.solvers.kernels.symmetry.orbits import named

FACTS = {"symmetries": many(is_text), "tallies": many(many(is_count, 3))}
"""What is stored besides."""


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """What has been found, from the table and what is stored with it."""
    facts = stored.facts
    *payoffs, endless = payoffs_of(stored)
    bits = contents.layout.class_bits
    refuse_odd(facts, FACTS)
    if contents.orbits is None:
        names, kept = facts["symmetries"], facts.get("kept", facts["symmetries"])
        refuse_odd({"kept": kept}, {"kept": many(is_text)})
        orbits = named(contents.assembly.engine, names, kept)
        contents = replace(contents, orbits=orbits)
    contents = replace(contents, payoffs=mirrored_of(payoffs))

    def length(code: int) -> Length:
        return length_of(code, bits, payoffs) if code >> bits else (endless, None)

    def look_up(state: State) -> Length | None:
        code = contents.code(state)
        return length(code) if code else None

    def counted() -> Counter[Length]:
        found: Counter[Length] = Counter()
        for plies, payoff, count in facts["tallies"]:
            found[length(plies << bits | payoff)] += count
        return found

    lengths = LengthsOfPlay(counted, lambda one: contents.states_like(length, one))
    return contents.solved(stored, look_up, lengths=lengths)


def mirrored_of(payoffs: list[Vector]) -> tuple[int, ...]:
    """For each payoff the number of that in which players are swapped; its own where that is
    none."""
    numbers = {payoff: number for number, payoff in enumerate(payoffs)}
    return tuple(numbers.get(payoff[::-1], number) for number, payoff in enumerate(payoffs))
