"""Bring a finished table into a canonical order, independent of the order of insertion.

In: a table whose states are all settled. Out: the same states in a table whose size depends only
on the number of states; the place of each state depends only on the set of states, and the number
of each payoff only on the set of payoffs. So equal solutions give equal files, whether the work
was interrupted or not, and with any number of threads.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER, give_back
from gamedsl.solvers.kernels.order import order_kernel as kernel
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import MOVED, TranspositionTable

KERNELS = (kernel.order_clusters, kernel.count_strays, kernel.lay_out, kernel.renumber)
"""The kernels called from Python."""
INNER = (kernel.take_key, kernel.rank_at, kernel.is_less, kernel.put_back)
"""Functions compiled into the kernels, in addition to `contents.FINDING`."""
DONE, AGAIN = 1, 0
"""Status of a job: no slice is left, or a slice is left."""


def put_in_order(found: TranspositionTable, entries: int, crew: Crew) -> None:
    """Order a table and its payoffs, and resize the table to `entries`. The table keeps its size if
    memory does not suffice for the new size."""
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
    """Run a kernel over the table, slice by slice; each thread takes the next slice."""
    slices = iter(_slices(found, 0))

    def work() -> int:
        one = next(slices, None)
        return DONE if one is None else AGAIN + found.call(name, *one, *arguments)

    jobs = [work] * found.parts_for(crew.threads)
    while AGAIN in crew.round(jobs, AGAIN):
        pass


def _slices(found: TranspositionTable, first: int) -> list[tuple[int, int]]:
    """The table from place `first` on, as ranges."""
    step, behind = MOVED * found.layout.width, len(found.table)
    return [(begin, min(begin + step, behind)) for begin in range(first, behind, step)]


def _lay_out(found: TranspositionTable, other: Any) -> None:
    """Move all entries to another, empty table."""
    width, notes = found.layout.width, found.row([0])
    strays = found.call("count_strays", found.table) * width
    front = found.row(list(found.table[:strays]))
    for begin, end in _slices(found, strays):
        found.call("lay_out", begin, end, found.table, other, notes)
        give_back(found.table, begin, end)
    found.call("lay_out", 0, strays, front, other, notes)
    found.table = other
    begin, shift = len(other) - width, found.layout.shift
    while other[begin + width - 1] >> shift:  # the last cluster may wrap around
        begin -= width
    found.call("order_clusters", begin, len(other), other)
