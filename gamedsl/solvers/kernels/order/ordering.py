"""Bring a finished table into a canonical order, independent of the order of insertion.

In: a table whose states are all settled. Out: the same states in a table whose size depends only
on the number of states; the place of each state depends only on the set of states, and the number
of each payoff only on the set of payoffs. So equal solutions give equal files, whether the work
was interrupted or not, and with any number of threads.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER, give_back
from gamedsl.solvers.kernels.order import order_kernel as kernel
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import MOVED, TranspositionTable

KERNELS = (kernel.order_clusters, kernel.count_strays, kernel.lay_out, kernel.renumber)
"""The kernels called from Python."""
DONE, AGAIN = 1, 0
"""Status of a job: no slice is left, or a slice is left."""


def put_in_order(table: TranspositionTable, entries: int, crew: Crew) -> None:
    """Order a table and its payoffs, and resize the table to `entries`. The table keeps its size if
    memory does not suffice for the new size."""
    _number_payoffs(table, crew)
    _in_slices(table, "order_clusters", crew, table.table)
    size = entries * table.layout.width
    before, allowed = len(table.table), table.limits.bytes // NUMBER
    if size != before and size <= (max(before, allowed) if GIVES_BACK else allowed - before):
        _lay_out(table, table.zeros(size))


def _number_payoffs(table: TranspositionTable, crew: Crew) -> None:
    """Number the payoffs in descending order, equal payoffs alike."""
    renumber(table, sorted(set(table.payoffs), reverse=True), crew)


def renumber(table: TranspositionTable, payoffs: list[Vector], crew: Crew) -> None:
    """Number payoffs by a list; a payoff that is not in the list has no state."""
    if payoffs != table.payoffs:
        place = {payoff: number for number, payoff in enumerate(payoffs)}
        numbers_of = table.row([place.get(payoff, 0) for payoff in table.payoffs])
        _in_slices(table, "renumber", crew, table.table, numbers_of)
        table.payoffs[:] = payoffs


def _in_slices(table: TranspositionTable, name: str, crew: Crew, *arguments: Any) -> None:
    """Run a kernel over the table, slice by slice; each thread takes the next slice."""
    slices = iter(_slices(table, 0))

    def work() -> int:
        bounds = next(slices, None)
        return DONE if bounds is None else AGAIN + table.call(name, *bounds, *arguments)

    jobs = [work] * table.parts_for(crew.threads)
    while AGAIN in crew.round(jobs, AGAIN):
        pass


def _slices(table: TranspositionTable, first: int) -> list[tuple[int, int]]:
    """The table from place `first` on, as ranges."""
    step, behind = MOVED * table.layout.width, len(table.table)
    return [(begin, min(begin + step, behind)) for begin in range(first, behind, step)]


def _lay_out(table: TranspositionTable, target: Any) -> None:
    """Move all entries to another, empty table."""
    width, written = table.layout.width, table.assembly.record(kernel.Written)
    strays = table.call("count_strays", table.table) * width
    front = table.row(list(table.table[:strays]))
    for begin, end in _slices(table, strays):
        table.call("lay_out", begin, end, table.table, target, written)
        give_back(table.table, begin, end)
    table.call("lay_out", 0, strays, front, target, written)
    table.table = target
    begin, shift = len(target) - width, table.layout.shift
    while target[begin + width - 1] >> shift:  # the last cluster may wrap around
        begin -= width
    table.call("order_clusters", begin, len(target), target)
