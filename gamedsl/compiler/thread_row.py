"""A row of numbers that generated code writes into, with one copy per thread.

With a shared row, concurrent threads of one engine (advice beside a proof) would overwrite the
numbers of the other threads.
"""

from __future__ import annotations

from threading import local


class ThreadRow(local):
    """A writable row of zeros of a given size, separate in each thread.

    Attributes:
        row: the row of the current thread.
    """

    def __init__(self, size: int) -> None:
        self.row = [0] * size
