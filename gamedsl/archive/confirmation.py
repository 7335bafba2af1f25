"""Verification of a folder of layers by machine code, all positions in one pass.

In: a saved solution in a folder. Out: the first fault, in one sentence, with its position. The
rules alone decide, by kernels that no solver uses; numbers on the way are in a temporary folder,
and memory is bounded as in solving.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from gamedsl.archive.layers import LayerFile, LayerFolder
from gamedsl.archive.saved import SavedSolution
from gamedsl.game.accelerator import NO_LIMITS, Refusal, SearchLimits, machine_code_of
from gamedsl.game.batches import Batches, LayerStore
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.state import State
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.shards.confirm import Confirming, OddKeyError, first_wrong
from gamedsl.solvers.shards.crew import Crew, together
from gamedsl.solvers.shards.ranks import ALONE, Ranks
from gamedsl.solvers.shards.solve import Room

NO_POSITION = "it says that it has {:,} positions, and not all that it has are some"
Fault = tuple[str, State | None]


class Scratch(LayerFolder):
    """The layers of a finished solution, with numbers on the way in another folder."""

    def __init__(self, layers: Mapping[str, Any], path: Path) -> None:
        super().__init__(path)
        self._layers = layers

    def layer(self, level: int) -> LayerFile:
        """Like `LayerStore.layer`."""
        layer: LayerFile = self._layers[str(level)]
        return layer

    def append(self, name: str, numbers: Any) -> None:
        """Like `LayerStore.append`. Raises OSError with the folder."""
        try:
            super().append(name, numbers)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from error


def batches_of(saved: SavedSolution) -> Batches | None:
    """Machine code for the keys and codes of a folder; None where there is none, or where this
    version would write other keys."""
    accelerator, how = machine_code_of(saved.solved), saved.facts.get("keys")
    if isinstance(accelerator, Refusal) or not isinstance(how, dict):
        return None
    merges, is_tight = how.get("merges") is not False, how.get("is_tight") is not False
    batches: Batches | Refusal = accelerator.batches(
        saved.table.root, merges=merges, is_tight=is_tight, verifies=True
    )
    if isinstance(batches, Refusal):
        return None
    stored = saved.facts["stored"]
    meaning = json.loads(json.dumps(dict(batches.facts)))
    agrees = all(name in stored and stored[name] == fact for name, fact in meaning.items())
    return batches if agrees else None


def fault_in(
    saved: SavedSolution,
    batches: Batches,
    limits: SearchLimits = NO_LIMITS,
    room: int | None = None,
    ranks: Ranks = ALONE,
) -> Fault | None:
    """The first fault of a folder, by all positions; None if there is none. `batches`: of
    `batches_of`; further arguments as for `fault_of`, with numbers on the way in a temporary folder
    of each process. Raises GameRuleError where the rules fail."""
    with _scratch(saved) as store:
        levels = sorted(map(int, saved.facts["files"]))
        return fault_of(saved.facts["stored"], levels, batches, store, limits, room, ranks)


def fault_of(
    stored: Mapping[str, Any],
    levels: Sequence[int],
    batches: Batches,
    store: LayerStore,
    limits: SearchLimits,
    room: int | None = None,
    ranks: Ranks = ALONE,
) -> Fault | None:
    """The first fault of solved layers, as every process sees it.

    Args:
        stored: the facts of the solution; levels: of all layers in `store`, ascending.
        batches: of the game; they verify.
        limits: memory, threads and progress.
        room: keys of a table, in place of `limits.bytes`.
        ranks: the processes that share the work, which all make this call.
    """
    batches.know_payoffs(stored["payoffs"])
    batches.agree(levels[-1] if levels else 0)
    if batches.bits != stored["bits"] or _written(batches) != stored["payoffs"]:
        return "it has other payoffs than endings have", None
    done, total = 0, stored["positions"]

    def tell(count: int) -> None:
        nonlocal done
        done = min(total, done + count)
        if limits.progress is not None:
            limits.progress(done, total - done)

    if room is None:
        size = usable_bytes() if limits.bytes is None else limits.bytes
        room = Room.within(size // 2, batches, limits.threads).table
    crew = Crew(limits.threads, batches.worker, ranks)
    try:
        wrong = first_wrong(batches, store, levels, room, crew, tell)
    except OddKeyError:
        return NO_POSITION.format(total), None
    except SolutionFileError as error:
        return f"{error}", None
    if wrong is not None:
        return "this position is not worth what it says", batches.state_of(wrong)
    return _fault_of_counts(stored, batches, ranks)


def refuse_odd_keys(batches: Batches, store: LayerFolder, threads: int, ranks: Ranks) -> None:
    """Check all keys of unfinished work. Raises SolutionFileError."""
    with together(Crew(threads, batches.worker, ranks)) as crew:
        checking = Confirming(batches, store, 1, crew)
        for level, *_ in store.facts["layers"]:
            if checking.odd_key(level) is not None:
                raise SolutionFileError(f"layer {level} has a key that is no position of it")


def _fault_of_counts(stored: Mapping[str, Any], batches: Batches, ranks: Ranks) -> Fault | None:
    counts: Counter[tuple[int, int]] = Counter()
    for length, payoff, count in chain.from_iterable(ranks.gather(batches.tallies())):
        counts[length, payoff] += count
    if sum(counts.values()) != stored["positions"]:
        total = sum(counts.values())
        return f"it says that it has {stored['positions']:,} positions, and has {total:,}", None
    endings = sum(count for (length, _), count in counts.items() if length == 1)
    told = {(length, payoff): count for length, payoff, count in stored["tallies"]}
    if told != counts or endings != stored["endings"]:
        return "it says that there are other numbers of positions by result and plies", None
    if stored["counts_plies"] != batches.counts_plies:
        return "it says otherwise whether lengths of play count", None
    return None


def _written(batches: Batches) -> list[list[str]]:
    return [[str(share) for share in each] for each in batches.payoffs]


@contextmanager
def _scratch(saved: SavedSolution) -> Iterator[Scratch]:
    with tempfile.TemporaryDirectory(prefix="gamedsl_") as folder:
        store = Scratch(saved.layers, Path(folder))
        try:
            yield store
        finally:
            store.close()
