"""The base of searches by kernels that answer questions about the values of single positions."""

from __future__ import annotations

from abc import ABC, abstractmethod

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import Refusal, SearchLimits
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.assembly import Assembly, Kernels
from gamedsl.solvers.kernels.functions.payoffs import payoff_definitions
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.transposition_table import Limits
from gamedsl.solvers.memory import bytes_for_tables, usable_bytes


class KernelPositionSearch(ABC):
    """Values of positions of one game, within limits for all questions.

    Attributes:
        max_positions: the maximal number of visited states for all questions; None: no limit.
    """

    def __init__(
        self,
        engine: CompiledEngine,
        reason: Refusal | None,
        *,
        native: bool,
        limits: SearchLimits,
    ) -> None:
        """Raises UnsupportedGameError if the rules exclude the search, for a reason."""
        if reason is not None:
            raise UnsupportedGameError(str(reason), "let another solver choose itself")
        self._engine, self._native = engine, native
        self.max_positions, self._progress = limits.positions, limits.progress
        most = usable_bytes() if limits.bytes is None else limits.bytes
        self._limits = Limits(None, bytes_for_tables(most, native=native))

    @property
    @abstractmethod
    def looked_at(self) -> int:
        """States visited so far for all questions."""

    def _keep_to_limits(self) -> None:
        if self.max_positions is not None and self.looked_at > self.max_positions:
            raise OutOfBudgetError(self.max_positions, self.looked_at, 0)
        if self._progress is not None:
            self._progress(self.looked_at, 0)

    def _assembled(self, layout: EntryLayout, kernels: Kernels, known: Definitions) -> Assembly:
        return Assembly(
            self._engine,
            kernels,
            known | layout.definitions | payoff_definitions(self._engine),
            native=self._native,
            in_slices=True,
        )
