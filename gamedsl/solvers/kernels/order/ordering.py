"""Bring a finished table into order, which does not tell how states came to be entered.

In: a table in which all is settled. Out: the same states in a table whose size follows from their
number, each in a place that follows from all of them, and payoffs by what they are. So the same
solution is the same file, whether its work was cut off or not and however many threads there were.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER, give_back
from gamedsl.solvers.kernels.order import order_kernel as kernel
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import MOVED, TranspositionTable

KERNELS = (kernel.order_clusters, kernel.count_strays, kernel.lay_out, kernel.renumber)
"""What is called."""
INNER = (kernel.take_key, kernel.rank_at, kernel.is_less, kernel.put_back)
"""What is compiled into that, besides what `contents.FINDING` has."""
DONE, AGAIN = 1, 0
"""Whether there is a slice left to take."""


def put_in_order(found: TranspositionTable, entries: int, crew: Crew) -> None:
    """Order a table and its payoffs, and bring it to so many entries; it keeps its own where there
    is no memory for that."""
    _number_payoffs(found, crew)
    _in_slices(found, "order_clusters", crew, found.table)
    size = entries * found.layout.width
    before, allowed = len(found.table), found.limits.bytes // NUMBER
    if size != before and size <= (max(before, allowed) if GIVES_BACK else allowed - before):
        _lay_out(found, found.zeros(size))


def _number_payoffs(found: TranspositionTable, crew: Crew) -> None:
    payoffs = sorted(found.payoffs, reverse=True)
    if payoffs != found.payoffs:
        numbers_of = found.row([payoffs.index(one) for one in found.payoffs])
        _in_slices(found, "renumber", crew, found.table, numbers_of)
        found.payoffs[:] = payoffs


def _in_slices(found: TranspositionTable, name: str, crew: Crew, *arguments: Any) -> None:
    """Let a kernel go through the table, slice by slice; each thread takes the next one."""
    slices = iter(_slices(found, 0))

    def work() -> int:
        one = next(slices, None)
        return DONE if one is None else AGAIN + found.call(name, *one, *arguments)

    jobs = [work] * found.parts_for(crew.threads)
    while AGAIN in crew.round(jobs, AGAIN):
        pass


def _slices(found: TranspositionTable, first: int) -> list[tuple[int, int]]:
    """The table from a place on, as ranges."""
    step, behind = MOVED * found.layout.width, len(found.table)
    return [(begin, min(begin + step, behind)) for begin in range(first, behind, step)]


def _lay_out(found: TranspositionTable, other: Any) -> None:
    """Move all to another table, which is empty."""
    width, notes = found.layout.width, found.row([0])
    strays = found.call("count_strays", found.table) * width
    front = found.row(list(found.table[:strays]))
    for begin, end in _slices(found, strays):
        found.call("lay_out", begin, end, found.table, other, notes)
        give_back(found.table, begin, end)
    found.call("lay_out", 0, strays, front, other, notes)
    found.table = other
    begin, shift = len(other) - width, found.layout.shift
    while other[begin + width - 1] >> shift:  # the last cluster may go on at the beginning
        begin -= width
    found.call("order_clusters", begin, len(other), other)
