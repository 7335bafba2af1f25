"""Commands whose work is shared by the processes of an MPI job; the first process prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.exits import ExitCode
from gamedsl.game.accelerator import Progress, SearchLimits
from gamedsl.solvers.memory import bytes_for_tables, usable_bytes, usable_processors
from gamedsl.solvers.shards.ranks import Ranks
from gamedsl.source.rewording import reworded

if TYPE_CHECKING:
    from gamedsl.solvers.shards.mpi import MpiRanks


def limits_of(
    most: int | None, threads: int, progress: Progress | None, ranks: Ranks
) -> SearchLimits:
    """The limits of a process. The processes of a machine share the free memory, unless `most`
    bytes are given, and the processors, unless threads are."""
    size = usable_bytes() // ranks.neighbours if most is None else most
    return SearchLimits(
        bytes=bytes_for_tables(size, native=True),
        progress=progress,
        threads=threads or max(1, usable_processors() // ranks.neighbours),
    )


def shared(run: Callable[[MpiRanks], ExitCode]) -> ExitCode:
    """Carry out a command in all processes of an MPI job; the first process prints."""
    from gamedsl.solvers.shards.mpi import MpiRanks

    advice = "\n  help: pip install 'gamedsl[mpi]', and the module or package of an MPI"
    needs = f"--mpi needs mpi4py and a library of MPI: {{}}{advice}"
    with reworded(wrong_usage, needs, ImportError):
        ranks = MpiRanks()
    if ranks.rank:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
            os.dup2(nowhere.fileno(), sys.stderr.fileno())
    try:
        with ranks.together():
            return run(ranks)
    except Exception:
        if ranks.rank:  # the status of the job, and the message, are those of the first process
            return ExitCode.DONE
        raise
