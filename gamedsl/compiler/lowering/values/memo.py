"""Results that the lowering of a game keeps, by shape or identity of expressions (see `tables`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering.values.scope import Low
from gamedsl.model import nodes
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.safety import Safety
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value as GameValue
from gamedsl.source.records import dataclass

Entry = GameValue | OperationError | None
"""An entry of a table: a value, the error of the operation, or None for an unused entry."""
AsBits = tuple[tuple[GameValue, ...], tuple[int, ...]]
"""The elements of sets, and each set as a bit mask over the elements."""


@dataclass(frozen=True, slots=True)
class Recursive:
    """The function of a recursive `def`.

    Attributes:
        first: the function for calls from outside, which starts the count of calls.
        levels: greatest depth of recursion.
        read: the parameters besides the arguments.
    """

    title: str
    first: str
    levels: int
    read: tuple[Value, ...] = ()


class Traits(Safety):
    """What expressions are like, whatever the state.

    Attributes:
        depends: whether an expression reads some code, by shape and code.
        geometric: whether a table may pay, by identity.
        reads: locals read, and whether `turn` and `me` are read, by identity.
        pinned: expressions kept alive, so that their ids stay unique.
    """

    def __init__(self) -> None:
        super().__init__()
        self.depends: dict[object, bool] = {}
        self.geometric: dict[int, bool] = {}
        self.reads: dict[int, tuple[tuple[int, ...], bool, bool]] = {}
        self.pinned: list[nodes.Expr] = []


class Tables:
    """Values worked out for all values of some code.

    Attributes:
        worked_out, masks: the entries of tables and of tables of sets, by shape.
        spans: the range of codes of a type, and the values by code.
        targets: the square that an expression gives for each square, by shape.
        subsets: lists of sets as bit masks, by identity.
    """

    def __init__(self) -> None:
        self.worked_out: dict[object, list[Entry] | None] = {}
        self.masks: dict[object, list[Entry] | None] = {}
        self.spans: dict[Scalar, tuple[int, int, dict[int, GameValue]] | None] = {}
        self.targets: dict[object, dict[int, int]] = {}
        self.subsets: dict[int, tuple[GameValue, AsBits | None]] = {}


class Memo:
    """All results that are kept.

    Attributes:
        lowered, lifted: the code of expressions and of sets, by shape.
        recursive: the functions of recursive `def`s, by definition and scope.
        risks: the failures possible in the bodies of moves, by identity of the move.
        necessary: the necessary conditions of conditions, by identity.
    """

    def __init__(self) -> None:
        self.lowered: dict[object, Low] = {}
        self.lifted: dict[object, Value | None] = {}
        self.recursive: dict[object, Recursive] = {}
        self.risks: dict[int, tuple[nodes.Move, object]] = {}
        self.necessary: dict[int, tuple[nodes.Expr, nodes.Expr | None]] = {}
        self.traits = Traits()
        self.tables = Tables()

    @property
    def levels(self) -> int:
        """Greatest depth of recursion of a `def`."""
        return max((written.levels for written in self.recursive.values()), default=1)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Discard the code of the `with` block at its end."""
        saved = dict(self.lowered), dict(self.lifted), dict(self.recursive)
        yield
        self.lowered, self.lifted, self.recursive = saved
