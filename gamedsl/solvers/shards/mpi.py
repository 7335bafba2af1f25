"""The processes of an MPI job as `Ranks`; the only module that imports mpi4py.

In: a job of `mpiexec`. Out: `MpiRanks`. A process that dies ends the job, as MPI does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from itertools import accumulate
from typing import Any, TypeVar, cast

from gamedsl.game.batches import Numbers
from gamedsl.solvers.shards.ranks import Messages

Held = TypeVar("Held")
STOPPED = 3
"""The status of a job that is stopped."""


class MpiRanks(Messages):
    """Like `Ranks`: the processes of `COMM_WORLD`."""

    def __init__(self) -> None:
        """Raises ImportError where mpi4py, or a library of MPI, is not there."""
        try:
            from mpi4py import MPI
        except RuntimeError as error:  # mpi4py found no library
            raise ImportError(str(error)) from error
        self._mpi: Any = MPI
        self._world: Any = MPI.COMM_WORLD
        machine = self._world.Split_type(MPI.COMM_TYPE_SHARED)
        super().__init__(self._world.rank, self._world.size, machine.size)
        machine.Free()

    @contextmanager
    def together(self) -> Iterator[None]:
        """In the context, an error of a process is an error of all; MPI ends with the context. A
        process that is stopped ends the job."""
        try:
            yield
            self.gather(None)
        except Exception as error:
            shared = self.fail(error)
            self._mpi.Finalize()
            if shared is error:
                raise
            raise shared from error
        except BaseException:
            self._world.Abort(STOPPED)
            raise
        self._mpi.Finalize()

    def executor(self) -> AbstractContextManager[Executor | None]:
        """Further processes as an executor of process 0: a context, in which process 0 hands out
        jobs. A further process works until the context of process 0 ends, and has None."""
        from mpi4py.futures import MPICommExecutor

        return cast("AbstractContextManager[Executor | None]", MPICommExecutor(self._world))

    def _all(self, held: Held) -> list[Held]:
        gathered: list[Held] = self._world.allgather(held)
        return gathered

    def _at_first(self, held: Held) -> list[Held]:
        return self._world.gather(held) or []

    def _swap(self, numbers: Numbers, counts: Sequence[int], into: Numbers) -> list[int]:
        received: list[int] = self._world.alltoall(list(counts))
        number = self._mpi.INT64_T
        self._world.Alltoallv(
            [numbers, list(counts), _starts(counts), number],
            [into, received, _starts(received), number],
        )
        return received


def _starts(counts: Sequence[int]) -> list[int]:
    return [0, *accumulate(counts)][:-1]
