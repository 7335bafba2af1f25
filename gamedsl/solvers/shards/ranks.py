"""Processes that solve one game together: the messages between the processes.

All processes do the same steps in the same order; a process has a share of the blocks and of the
ranges of keys. Every exchange begins with a word on errors, so that an error of a process ends the
work of all processes with the same error. `ALONE` is a single process; `mpi` has the processes of
MPI.
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from gamedsl.game.batches import Numbers

Held = TypeVar("Held")


class Ranks(Protocol):
    """Processes that solve together, seen from a process.

    Attributes:
        rank: the number of the process, from 0 on; size: the number of processes.
        neighbours: the number of processes on the machine, with the process.
    """

    rank: int
    size: int
    neighbours: int

    def gather(self, held: Held) -> list[Held]:
        """The objects of all processes, by rank, at every process."""

    def hand_in(self, held: Held) -> list[Held]:
        """The objects of all processes, by rank, at process 0; nothing at further processes."""

    def exchange(
        self, numbers: Numbers, counts: Sequence[int], into: Numbers
    ) -> tuple[Numbers, list[int]]:
        """Send the first `counts[r]` of the remaining numbers to process r, for every r in turn.
        Returns an array with the numbers received, by rank, perhaps `into`, and the counts."""

    def fail(self, error: Exception) -> Exception:
        """End the work of all processes by an error; returns the error that all processes raise."""


class Alone:
    """Like `Ranks`: a single process."""

    rank, size, neighbours = 0, 1, 1

    def gather(self, held: Held) -> list[Held]:
        """Like `Ranks.gather`."""
        return [held]

    def hand_in(self, held: Held) -> list[Held]:
        """Like `Ranks.hand_in`."""
        return [held]

    def exchange(
        self, numbers: Numbers, counts: Sequence[int], into: Numbers
    ) -> tuple[Numbers, list[int]]:
        """Like `Ranks.exchange`."""
        return numbers, list(counts)

    def fail(self, error: Exception) -> Exception:
        """Like `Ranks.fail`."""
        return error


ALONE = Alone()


class SharedError(RuntimeError):
    """An error of a further process, without its class: the error cannot be sent."""


class Messages(ABC):
    """Like `Ranks`, over messages: agreement on errors, in front of every exchange."""

    def __init__(self, rank: int, size: int, neighbours: int) -> None:
        self.rank, self.size, self.neighbours = rank, size, neighbours
        self._raised: Exception | None = None

    @abstractmethod
    def _all(self, held: Held) -> list[Held]:
        """The objects of all processes, at every process."""

    @abstractmethod
    def _at_first(self, held: Held) -> list[Held]:
        """The objects of all processes, at process 0."""

    @abstractmethod
    def _swap(self, numbers: Numbers, counts: Sequence[int], into: Numbers) -> list[int]:
        """Like `exchange`, into `into`; returns the counts."""

    def gather(self, held: Held) -> list[Held]:
        """Like `Ranks.gather`."""
        self._agree()
        return self._all(held)

    def hand_in(self, held: Held) -> list[Held]:
        """Like `Ranks.hand_in`."""
        self._agree()
        return self._at_first(held)

    def exchange(
        self, numbers: Numbers, counts: Sequence[int], into: Numbers
    ) -> tuple[Numbers, list[int]]:
        """Like `Ranks.exchange`."""
        self._agree()
        return into, self._swap(numbers, counts, into)

    def fail(self, error: Exception) -> Exception:
        """Like `Ranks.fail`; an error that all processes have raised, or that follows from it, is
        not sent again."""
        cause: BaseException | None = error
        while cause is not None and cause is not self._raised:
            cause = cause.__cause__ or cause.__context__
        if cause is not None:
            return error
        try:
            self._agree(error)
        except Exception as first:  # noqa: BLE001 -- the error of the first process that has one
            return first
        return error

    def _agree(self, error: Exception | None = None) -> None:
        """Raise the first error of a process."""
        words = self._all(None if error is None else _as_words(error))
        for rank, word in enumerate(words):
            if word is not None:
                is_own = rank == self.rank and error is not None
                self._raised = error if is_own else _from_words(word)
                assert self._raised is not None
                raise self._raised


def _as_words(error: Exception) -> bytes:
    """An error as bytes; an error that cannot be sent, by its text."""
    for parts in (
        (type(error), error.args, error.__dict__),
        (SharedError, (f"{type(error).__name__}: {error}",), {}),
    ):
        try:
            words = pickle.dumps(parts)
            _from_words(words)
        except Exception:  # noqa: BLE001 -- whatever an object raises that cannot be sent
            continue
        return words
    raise error


def _from_words(words: bytes) -> Exception:
    kind, arguments, contents = pickle.loads(words)
    error: Any = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(contents)
    assert isinstance(error, Exception)
    return error
