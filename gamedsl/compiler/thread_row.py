"""A row of numbers that generated code writes into, one for each thread.

In: a size. Out: `ThreadRow`. Threads that ask one engine side by side (advice beside a proof) would
else read what another has written.
"""

from __future__ import annotations

from threading import local


class ThreadRow(local):
    """So many zeros, to be written to: others in each thread.

    Attributes:
        row: those of the thread that asks.
    """

    def __init__(self, size: int) -> None:
        self.row = [0] * size
