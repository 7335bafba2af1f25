"""Threads for blocks of work, with a worker for each thread; results come in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

from gamedsl.game.batches import Worker

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 2
"""Blocks in work for each thread, so that no thread waits for the order."""


class Crew:
    """A number of threads."""

    def __init__(self, threads: int, make_worker: Callable[[], Worker]) -> None:
        self.threads = max(1, threads)
        self.worker = make_worker()
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._idle.put(self.worker)
        for _ in range(1, self.threads):
            self._idle.put(make_worker())
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def ordered(
        self, work: Callable[[Worker, Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]:
        """The results of work on items, in the order of the items."""
        if self._pool is None:
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
