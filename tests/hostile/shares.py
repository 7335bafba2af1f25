"""Work in shares, each in a process of its own, told as it is done.

In: what yields the results of a share. Out: the results of all shares, in the order of time.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait

Tried = tuple[str, float, str]
"""What was tried, how many seconds it took, and what was wrong; empty if nothing."""


def together(work: Callable[[int], Iterator[Tried]], shares: range) -> Iterator[Tried]:
    """What comes of all shares; a share that ends before its time is told as something wrong."""
    if len(shares) == 1:
        yield from work(shares[0])
        return
    context = multiprocessing.get_context("fork")
    working = {}
    for share in shares:
        ear, mouth = context.Pipe(duplex=False)
        process = context.Process(target=_tell, args=(work, share, mouth))
        process.start()
        mouth.close()
        working[ear] = share, process
    while working:
        for ear in wait(list(working)):
            assert isinstance(ear, Connection)
            try:
                yield ear.recv()
            except EOFError:
                share, process = working.pop(ear)
                process.join()
                if process.exitcode:
                    yield f"share {share}", 0, f"it ended with status {process.exitcode}"


def _tell(work: Callable[[int], Iterator[Tried]], share: int, mouth: Connection) -> None:
    for one in work(share):
        mouth.send(one)
