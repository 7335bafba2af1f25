"""Threads for blocks of work, with a worker for every thread, and processes that share the blocks;
results come in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from queue import SimpleQueue
from typing import TypeVar

from gamedsl.game.batches import Worker
from gamedsl.solvers.shards.ranks import ALONE, Ranks

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 2
"""Blocks in work for each thread, so that no thread waits for the order."""
SHARE = 4
"""Blocks in a row that a thread of one of several processes does between two exchanges."""


class Crew:
    """A number of threads.

    Attributes:
        ranks: the processes that share the work.
    """

    def __init__(
        self, threads: int, make_worker: Callable[[], Worker], ranks: Ranks = ALONE
    ) -> None:
        self.threads, self.ranks = max(1, threads), ranks
        self.worker = make_worker()
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._idle.put(self.worker)
        for _ in range(1, self.threads):
            self._idle.put(make_worker())
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def ordered(
        self,
        work: Callable[[Worker, Item], Result],
        items: Sequence[Item],
        *,
        in_turn: bool = False,
    ) -> Iterator[Result]:
        """The results of work on items, in the order of the items. Several processes share the
        items, by a rule on the items alone; process 0 has all results, further processes have none.
        `in_turn`: a single item at a time in every process."""
        ranks = self.ranks
        if ranks.size == 1:
            yield from self.here(work, items, in_turn=in_turn)
            return
        share = SHARE * self.threads
        for begin in range(0, len(items), share * ranks.size):
            first = begin + share * ranks.rank
            results = [*self.here(work, items[first : first + share], in_turn=in_turn)]
            yield from chain.from_iterable(ranks.hand_in(results))

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """In the context process 0 works alone, and further processes wait at the end: whether the
        process is process 0."""
        ranks, self.ranks = self.ranks, ALONE
        try:
            yield ranks.rank == 0
        finally:
            self.ranks = ranks
        ranks.gather(None)

    def here(
        self,
        work: Callable[[Worker, Item], Result],
        items: Sequence[Item],
        *,
        in_turn: bool = False,
    ) -> Iterator[Result]:
        """Like `ordered`, with all items in the process."""
        if self._pool is None or in_turn:
            yield from (work(self.worker, item) for item in items)
            return
        waiting: deque[Future[Result]] = deque()

        def done(item: Item) -> Result:
            worker = self._idle.get()
            try:
                return work(worker, item)
            finally:
                self._idle.put(worker)

        try:
            for item in items:
                waiting.append(self._pool.submit(done, item))
                if len(waiting) > AHEAD * self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


@contextmanager
def together(crew: Crew) -> Iterator[Crew]:
    """In the context an error of a process ends the work of all; the crew is ended with it."""
    try:
        yield crew
    except Exception as error:
        shared = crew.ranks.fail(error)
        if shared is error:
            raise
        raise shared from error
    finally:
        crew.close()
