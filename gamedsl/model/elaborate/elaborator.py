"""Services for all parts of elaboration: typed expressions of a required kind, new local names.

Errors are reported. The node of a wrong expression has the unknown type: a mistake gives a single
message. Only `ExpressionElaborator` knows how the kinds of expressions are elaborated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field, replace
from typing import TypeVar

from gamedsl.model import nodes
from gamedsl.model.limits import Effort, is_too_large
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.evaluate import fold
from gamedsl.model.symbols.notes import Notes
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.symbols.suggestions import meaning_of
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.types import (
    BOOLEAN,
    UNKNOWN,
    ListType,
    OptionalType,
    Scalar,
    SetType,
    Type,
    describe,
    is_number,
)
from gamedsl.model.values import EMPTY, NONE, describe_values
from gamedsl.model.walk import body_of, parts, within
from gamedsl.source import Label, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

Made = TypeVar("Made")
Instead = TypeVar("Instead")


@dataclass(frozen=True, slots=True)
class DefinitionInstance:
    """A `def` for a single combination of argument types; `height` is the depth of the body."""

    definition: nodes.Definition
    height: int


@dataclass(slots=True)
class Calls:
    """The `def`s and `effect`s met so far.

    Attributes:
        called: names of `def`s and `effect`s that are called.
        under_way: names whose bodies are being elaborated, outermost first.
        instances: elaborated `def`s, by name, place and types of arguments.
        recursive: `def`s whose parameters have domains, by name and place.
    """

    called: set[str] = field(default_factory=set)
    under_way: list[str] = field(default_factory=list)
    instances: dict[tuple[object, ...], DefinitionInstance] = field(default_factory=dict)
    recursive: dict[tuple[str, RuleContext], nodes.RecursiveDefinition] = field(
        default_factory=dict
    )


class Elaborator(ABC):
    """Elaborates the expressions of a file, over the names of its `SymbolTable`."""

    def __init__(self, symbols: SymbolTable, notes: Notes | None = None) -> None:
        self.symbols = symbols
        self.notes = notes
        self.reporter = symbols.reporter
        self.effort = Effort()
        self.calls = Calls()
        self.slot_names: list[str] = []
        self._gave_up = False

    @abstractmethod
    def expression(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        """The typed node of an expression."""

    def of_fair_size(self, node: nodes.Expr) -> nodes.Expr:
        """The node, unless its numbers may have too many digits; then an error is reported."""
        if isinstance(node.type, Scalar) and (
            is_too_large(node.type.low) or is_too_large(node.type.high)
        ):
            return self.wrong("E1203", node.span, "this number can have more than 300 digits")
        return node

    def may_go_on(self, span: Span) -> bool:
        """Whether elaboration is within its limits; an excess is reported once."""
        excess = self.effort.excess
        if excess is not None and not self._gave_up:
            self._gave_up = True
            self.reporter.report("E1203", span, excess)
        return excess is None

    def condition(
        self, written: ast.Expression, scope: Scope, subject: str, hint: str | None = None
    ) -> nodes.Expr:
        """An expression that must be true or false; logic is two-valued: `none` is not true."""
        node = self.expression(written, scope)
        if node.type.kinds == {"bool", "none"}:
            true = nodes.Const(written.span, BOOLEAN, True)
            return self.folded(nodes.Compare(written.span, BOOLEAN, "==", node, true))
        if not node.type.is_boolean:
            return self.wrong(
                "E1103",
                written.span,
                f"{subject} needs true or false, and this is {describe(node.type)}",
                hint=hint or self._truth_hint(written, node),
            )
        return node

    def _truth_hint(self, written: ast.Expression, node: nodes.Expr) -> str | None:
        if node.whole is not None:
            return f"say which cell: `{node.whole.variable.name}[...]`"
        if not isinstance(node.type, Scalar):
            return None
        if node.type.is_number:
            return "compare it, as in `... > 0`"
        nothing = next((atom for atom in (EMPTY, NONE) if atom in node.type.atoms), None)
        if nothing is None:
            return None
        if node.known is not None:
            return f"compare a cell with it, as in `cell[s] == {nothing}`"
        return f"compare it, as in `{self.text(written)} == {nothing}`"

    def collection(self, written: ast.Expression, scope: Scope, subject: str) -> nodes.Expr:
        """An expression that must be a set or a list."""
        node = self.expression(written, scope)
        if isinstance(node.type, SetType | ListType) or node.type == UNKNOWN:
            return node
        hint = None
        if isinstance(node.type, OptionalType):
            hint = self.guard_hint(node)
        elif node.type.is_number:
            hint = self._drawn_hint(written) or self.range_hint(written, 1)
        elif node.whole is not None:
            indices = describe_values(node.whole.indices[-1].values)
            named = f"{{{indices}}}".replace(" | ", ", ") if " | " in indices else indices
            hint = f"to go over its indices write `for i in {named}`"
        elif isinstance(node.type, Scalar):
            hint = f"a set of one: `{{{self.text(written)}}}`"
        return self.wrong(
            "E1105",
            written.span,
            f"{subject} needs a set; this is {describe(node.type)}",
            hint=hint,
        )

    def _drawn_hint(self, written: ast.Expression) -> str | None:
        """A hint for a drawn value in place of a set."""
        text = self.text(written)
        if f"chance {text} in " not in self.reporter.source.text:
            return None
        several = f"chance {text} subset of S where count({text}) == 2"
        return f"`chance {text} in S` draws one value; `{several}` draws a set"

    def range_hint(self, written: ast.Expression, first: int) -> str:
        """A hint for a number, or a difference, in place of a range: for `5`, for `0-5`."""
        low, high = str(first), self.text(written)
        if isinstance(written, ast.Binary) and written.operator == "-":
            left = self.text(written.left)
            if left.isdigit():
                low, high = left, self.text(written.right)
        return f"write a range: `{low}..{high}`"

    def number(self, written: ast.Expression, scope: Scope, requirement: str) -> nodes.Expr:
        """An expression that must be a number."""
        return self.as_number(self.expression(written, scope), requirement)

    def as_number(self, node: nodes.Expr, requirement: str, hint: str | None = None) -> nodes.Expr:
        """An elaborated expression that must be a number."""
        if not is_number(node.type):
            message = f"{requirement}; this is {describe(node.type)}"
            hint = hint or self.guard_hint(node)
            if node.whole is not None:
                hint = f"say which cell: `{node.whole.variable.name}[...]`"
            return self.wrong("E1101", node.span, message, hint)
        return node

    def guard_hint(self, *operands: nodes.Expr) -> str | None:
        """A hint for operands that are numbers only under a condition: the condition to ask
        first."""
        guard = next((text for text in map(self.guard, operands) if text is not None), None)
        return guard and f"ask first: `if {guard}:`, `require {guard}` or `{guard} and ...`"

    def guard(self, operand: nodes.Expr) -> str | None:
        """The condition that narrows an expression to numbers, or to a collection; None if the
        expression has no other values, or no numbers."""
        kind, text = operand.type, self.text(operand)
        if operand.called == "[]" and isinstance(kind, OptionalType):
            items, index = parts(operand)
            is_sure = index.type.is_something
            return self.guard(items) if is_sure else f"{self.text(index)} != none"
        if not isinstance(kind, Scalar) or not kind.is_number_or_else:
            return None
        low, high = kind.interval
        remainder = replace(kind, low=None, high=None)
        if remainder.boolean or remainder.vectors or len(remainder.atoms) > 1:
            return f"{text} in {low}..{high}"
        return f"{text} != {remainder}"

    def elaborate_if_reachable(
        self, is_reachable: bool, elaborate: Callable[[], Made], instead: Instead
    ) -> Made | Instead:
        """The elaborated code; `instead`, if the code is never carried out and has a wrong
        value."""
        if is_reachable:
            return elaborate()
        before = self.reporter.passed_over
        with self.reporter.unreachable():
            elaborated = elaborate()
        return elaborated if self.reporter.passed_over == before else instead

    def constant(self, written: ast.Expression, scope: Scope) -> nodes.Const | None:
        """The value of an expression that must be known before the game starts, or None."""
        errors = len(self.reporter.findings)
        node = self.expression(written, scope)
        if isinstance(node, nodes.Const):
            return node if node.type != UNKNOWN else None
        if len(self.reporter.findings) == errors and node.type != UNKNOWN:
            self.reporter.report(
                "E1306",
                written.span,
                "this must be known before the game starts",
                hint="use numbers, parameters, types and the board, not the state",
            )
        return None

    def constant_truth(self, condition: ast.Expression, scope: Scope) -> bool | None:
        """The value of a condition that must be known before the game starts; None after an
        error."""
        constant = self.constant(condition, scope)
        if constant is not None and not isinstance(constant.value, bool):
            told = f"`where` needs true or false, and this is {describe(constant.type)}"
            self.reporter.report("E1103", condition.span, told)
            return None
        return None if constant is None else constant.value is True

    def worked_out(self, written: ast.Expression, node: nodes.Expr) -> nodes.Expr:
        """A state-independent set as a constant; a state-dependent set unchanged."""
        if node.known is not None or node.type == UNKNOWN or not _is_closed(node):
            return node
        with self.reporter.apart() as trial:
            constant = self.expression(written, Scope(RuleContext.CONSTANT))
        is_known = constant.known is not None and constant.type != UNKNOWN
        return constant if is_known and not trial.findings else node

    def wrong(
        self,
        code: str,
        span: Span,
        message: str,
        hint: str | None = None,
        secondary: tuple[Label, ...] = (),
    ) -> nodes.Expr:
        """Report an error, and return a node of unknown type."""
        self.reporter.report(code, span, message, hint=hint, secondary=secondary)
        return in_error(span)

    def folded(self, node: nodes.Expr) -> nodes.Expr:
        """The node, or its constant; an operation that fails is reported."""
        if node.type == UNKNOWN or any(part.type == UNKNOWN for part in parts(node)):
            return node
        try:
            return fold(node, self.symbols)
        except OperationError as error:
            return self.wrong("E1204", node.span, str(error), error.hint)

    def text(self, written: ast.Node | nodes.Expr) -> str:
        """The source text of a node, for messages."""
        text = self.reporter.source.text[written.span.start : written.span.end]
        return " ".join(text.split())

    # --- locals ----------------------------------------------------------------------------

    def new_slot(self, name: str) -> int:
        """A new slot for a local name."""
        self.slot_names.append(name)
        return len(self.slot_names) - 1

    def new_local(self, name: ast.Name, kind: Type, scope: Scope) -> tuple[Scope, int]:
        """The scope with a new local name, and the name's slot. Shadowing a name is an error."""
        self.check_free(name, scope)
        slot = self.new_slot(name.text)
        if self.notes is not None:
            self.notes.note(name.span, kind)
        return scope.having(name.text, nodes.Local(name.span, kind, name.text, slot)), slot

    def check_free(self, name: ast.Name, scope: Scope) -> None:
        """Report a local name that already has a meaning here."""
        if self.symbols.is_word(name):
            return
        if (bound := scope.find(name.text)) is not None:
            is_local = isinstance(bound, nodes.Local)
            self.reporter.report(
                "E1002",
                name.span,
                f"`{name.text}` already stands for something here",
                secondary=(Label(bound.span, "bound here"),) if is_local else (),
                hint="choose another name",
            )
        elif self.symbols.knows(name.text):
            first = self.symbols.declared.get(name.text)
            self.reporter.report(
                "E1002",
                name.span,
                f"`{name.text}` {meaning_of(self.symbols, name.text)}",
                secondary=(Label(first.span, "declared here"),) if first else (),
                hint="choose another name",
            )


def in_error(span: Span) -> nodes.Const:
    """The stand-in for an expression whose error has been reported."""
    return nodes.Const(span, UNKNOWN, NONE)


def _is_closed(node: nodes.Expr) -> bool:
    """Whether the expression reads no variable, no player to move and no name from outside."""
    nodes_within = list(within(node))
    if any(part.asks for part in nodes_within):
        return False
    calls = (part for part in nodes_within if isinstance(part, nodes.ApplyRecursive))
    if any(body_of(call) is None for call in calls):
        return False
    bound = {slot for part in nodes_within for slot in part.binds}
    return all(part.local in bound for part in nodes_within if part.local is not None)
