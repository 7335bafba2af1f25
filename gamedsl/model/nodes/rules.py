"""Typed rules: moves with their parameters, repetition, and the heuristic value."""

from __future__ import annotations

from gamedsl.model.nodes.expressions import Expr, Variable
from gamedsl.model.nodes.statements import Block, Greatest, Outcome
from gamedsl.model.values import Domain, Value, text_of
from gamedsl.source import Span
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a move: `name in domain where condition`.

    `values` are all possible values, in order. `choices` is None if all values are in the domain in
    every state, else an expression for the domain. For `name subset of domain` the values are the
    positions in `subsets`, from 1.
    """

    name: str
    slot: int
    values: Domain
    choices: Expr | None
    condition: Expr | None
    subsets: tuple[tuple[Value, ...], ...] = ()

    def text_of(self, value: Value) -> str:
        """A value as in the name of an action: `3`, `{1, 3}`."""
        if not self.subsets or not isinstance(value, int):
            return text_of(value)
        return f"{{{', '.join(map(text_of, self.subsets[value - 1]))}}}"


@dataclass(frozen=True, slots=True)
class Move:
    """A family of actions with ids `first_id .. first_id + size - 1`, last parameter fastest."""

    name: str
    span: Span
    parameters: tuple[Parameter, ...]
    body: Block
    is_secret: bool
    is_simultaneous: bool
    group: int
    first_id: int

    @property
    def greatest(self) -> Greatest | None:
        """The statement `require ... is greatest` of the move, or None."""
        return next((statement for statement in self.body if isinstance(statement, Greatest)), None)

    @property
    def size(self) -> int:
        """The number of action ids."""
        size = 1
        for parameter in self.parameters:
            size *= len(parameter.values)
        return size


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repetition rule: the part of a state that is compared, and the effect of a repetition.

    Attributes:
        variables: the compared variables, in order of their offsets.
        with_turn: whether the turn is compared as well.
        exempts_unchanged: whether a step that leaves the compared part unchanged is no occurrence:
            true if the rule names variables, false for `state`.
        outcome: the outcome of the `times`-th occurrence; None: a move that brings an earlier value
            back is illegal.
    """

    span: Span
    variables: tuple[Variable, ...]
    with_turn: bool
    exempts_unchanged: bool
    times: int
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`evaluate p where quiescent: value`."""

    slot: int
    quiescent: Expr | None
    value: Expr
