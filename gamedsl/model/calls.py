"""Elaborate calls: quantifiers, set building, builtin functions, and a file's own `def`s.

A `def` is elaborated once for each combination of argument types it is called with. In a
constant context loops are unrolled and calls are carried out on the spot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.limits import MOST_SIDE_BY_SIDE, Effort
from gamedsl.model.operations import REDUCTIONS, OperationError
from gamedsl.model.scope import Place, Reporter, Scope
from gamedsl.model.types import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    ArrayType,
    ListType,
    Scalar,
    SetType,
    Type,
    atoms,
    describe,
    element_of,
    join,
    join_all,
    number,
    size_of,
    type_of,
)
from gamedsl.model.unknown import explain_function
from gamedsl.model.values import NONE, unique
from gamedsl.source import Label, Span, nearest
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.model.world import World

MOST_INSTANCES = 5_000
MOST_UNROLLED = 100_000


class Calls:
    """The part of the elaborator that deals with calls; completed by `Expressions`."""

    world: World
    reporter: Reporter

    def __init__(self) -> None:
        self.effort = Effort()
        self.slot_names: list[str] = []
        self._instances: dict[tuple[object, ...], nodes.Definition] = {}
        self._heights: dict[int, int] = {}
        self._calling: list[str] = []
        self.called: set[str] = set()

    # Provided by `Expressions`.
    def expression(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    def condition(
        self, written: ast.Expression, scope: Scope, what: str, hint: str | None = None
    ) -> nodes.Expr:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    def collection(self, written: ast.Expression, scope: Scope, what: str) -> nodes.Expr:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    def folded(self, node: nodes.Expr) -> nodes.Expr:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    def text(self, written: ast.Node) -> str:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    def unknown_name(self, written: ast.Name, scope: Scope) -> nodes.Expr:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    def wrong(
        self,
        code: str,
        span: Span,
        message: str,
        hint: str | None = None,
        secondary: tuple[Label, ...] = (),
    ) -> nodes.Expr:
        """See `Expressions`."""
        raise AssertionError("completed by Expressions")

    # --- locals ----------------------------------------------------------------------------

    def new_slot(self, name: str) -> int:
        """A slot of its own for one local name."""
        self.slot_names.append(name)
        return len(self.slot_names) - 1

    def new_local(self, name: ast.Name, kind: Type, scope: Scope) -> tuple[Scope, int]:
        """The scope with a new local name, and the name's slot. Hiding another is an error."""
        self.check_free(name, scope)
        slot = self.new_slot(name.text)
        return scope.having(name.text, nodes.Local(name.span, kind, name.text, slot)), slot

    def check_free(self, name: ast.Name, scope: Scope) -> None:
        """Report a local name that already means something here."""
        from gamedsl.model.world import KEYWORDS

        if name.text in KEYWORDS:
            self.reporter.report(
                "E1002", name.span, f"`{name.text}` is a word of the language, not a free name"
            )
        elif scope.find(name.text) is not None:
            self.reporter.report(
                "E1002",
                name.span,
                f"`{name.text}` already stands for something here",
                hint="choose another name",
            )
        elif self.world.knows(name.text):
            first = self.world.declared.get(name.text)
            self.reporter.report(
                "E1002",
                name.span,
                f"`{name.text}` already means something in this game",
                secondary=(Label(first.span, "declared here"),) if first else (),
                hint="choose another name",
            )

    # --- quantifiers -----------------------------------------------------------------------

    def quantifier(self, written: ast.Quantifier, scope: Scope) -> nodes.Expr:
        """`any(... for ...)` and its kin."""
        name = written.function.text
        if name not in REDUCTIONS:
            near = nearest(name, REDUCTIONS)
            return self.wrong(
                "E1004",
                written.function.span,
                f"`{name}` does not take `for`; the quantifiers are {', '.join(REDUCTIONS)}",
                hint=f"did you mean `{near}`?" if near else None,
            )
        return self.build(written.span, name, written.element, written.clauses, scope)

    def build(
        self,
        span: Span,
        kind: str,
        element: ast.Expression,
        clauses: tuple[ast.Clause, ...],
        scope: Scope,
    ) -> nodes.Expr:
        """A quantifier, or a set or list built with `for`."""
        if scope.is_constant:
            return self._unrolled(span, kind, element, clauses, scope)
        typed, inner = self.clauses(clauses, scope)
        if kind in {"any", "all"}:
            body = self.condition(element, inner, f"`{kind}`")
        else:
            body = self.expression(element, inner)
        rounds = 1
        for clause in typed:
            rounds *= size_of(clause.domain.type)
        if any(c.domain.type == UNKNOWN for c in typed) or body.type == UNKNOWN:
            return nodes.Quantify(span, UNKNOWN, kind, body, typed)
        if isinstance(body, nodes.Whole):
            return self.wrong("E1101", body.span, f"`{body.variable.name}` is many cells")
        result = self._reduced_type(span, kind, body.type, rounds)
        return nodes.Quantify(span, result, kind, body, typed)

    def clauses(
        self, written: tuple[ast.Clause, ...], scope: Scope
    ) -> tuple[tuple[nodes.Clause, ...], Scope]:
        """`for ... in ... where ...`, one after the other, and the scope that they make."""
        typed: list[nodes.Clause] = []
        if len(written) > MOST_SIDE_BY_SIDE:
            span = written[MOST_SIDE_BY_SIDE].span
            self.wrong("E1203", span, f"at most {MOST_SIDE_BY_SIDE} `for` clauses are possible")
        for clause in written[:MOST_SIDE_BY_SIDE]:
            domain = self.collection(clause.domain, scope, "`for`")
            scope, slot = self.new_local(clause.name, element_of(domain.type), scope)
            condition = None
            if clause.condition is not None:
                condition = self.condition(clause.condition, scope, "`where`")
            typed.append(nodes.Clause(slot, clause.name.text, domain, condition))
        return tuple(typed), scope

    def _reduced_type(self, span: Span, kind: str, element: Type, rounds: int) -> Type:
        match kind:
            case "any" | "all":
                return BOOLEAN
            case "count":
                return number(0, rounds)
            case "set":
                limit = element.size if isinstance(element, Scalar) else rounds
                return SetType(element, min(rounds, limit))
            case "list":
                return ListType(element, rounds)
            case "first" | "last" if isinstance(element, Scalar):
                return join(element, atoms(NONE))
            case "first" | "last":
                message = f"`{kind}` needs single values; this is {describe(element)}"
                return self.wrong("E1101", span, message).type
        if not isinstance(element, Scalar) or not self._is_ordered(kind, element):
            return self.wrong(
                "E1101", span, f"`{kind}` needs numbers; these are {describe(element)}"
            ).type
        if kind == "sum":
            low, high = element.interval
            return number(min(0, low * rounds), max(0, high * rounds), element.rational)
        return element.without_none()

    @staticmethod
    def _is_ordered(kind: str, element: Scalar) -> bool:
        if element.is_number or element == NOTHING:
            return True
        return kind != "sum" and len(element.kinds - {"none"}) == 1 and not element.boolean

    def _unrolled(
        self,
        span: Span,
        kind: str,
        element: ast.Expression,
        clauses: tuple[ast.Clause, ...],
        scope: Scope,
    ) -> nodes.Expr:
        items: list[nodes.Const] = []
        if not self._unroll(element, clauses, scope, items):
            return nodes.Const(span, UNKNOWN, NONE)
        values = tuple(item.value for item in items)
        joined = join_all(tuple(item.type for item in items))
        if kind in {"set", "list"}:
            value = unique(values) if kind == "set" else values
            shape = SetType if kind == "set" else ListType
            return nodes.Const(span, shape(joined, len(value)), value)
        try:
            reduced = REDUCTIONS[kind](values)
        except OperationError as error:
            return self.wrong("E1204", span, str(error))
        return nodes.Const(span, type_of(reduced), reduced)

    def _unroll(
        self,
        element: ast.Expression,
        clauses: tuple[ast.Clause, ...],
        scope: Scope,
        items: list[nodes.Const],
    ) -> bool:
        if len(items) > MOST_UNROLLED:
            self.wrong("E1203", element.span, f"more than {MOST_UNROLLED:,} values")
            return False
        if not clauses:
            found = self.expression(element, scope)
            if not isinstance(found, nodes.Const) or found.type == UNKNOWN:
                return False
            items.append(found)
            return True
        clause = clauses[0]
        domain = self.collection(clause.domain, scope, "`for`")
        if not isinstance(domain, nodes.Const) or not isinstance(domain.value, tuple):
            return False
        self.check_free(clause.name, scope)
        for value in domain.value:
            kind = type_of(value) if not isinstance(value, tuple) else element_of(domain.type)
            inner = scope.having(clause.name.text, nodes.Const(clause.name.span, kind, value))
            if clause.condition is not None:
                wanted = self.condition(clause.condition, inner, "`where`")
                if not isinstance(wanted, nodes.Const) or wanted.type == UNKNOWN:
                    return False
                if wanted.value is not True:
                    continue
            if not self._unroll(element, clauses[1:], inner, items):
                return False
        return True

    # --- calls -----------------------------------------------------------------------------

    def call(self, written: ast.Call, scope: Scope) -> nodes.Expr:
        """`f(a, b)`: a `def` of the file, or a builtin."""
        name = written.function.text
        declared = self.world.defs.get(name)
        if declared is not None:
            arguments = tuple(self.expression(a, scope) for a in written.arguments)
            return self.apply(written.span, declared, arguments, scope)
        if name in self.world.effects:
            return self.wrong(
                "E1004",
                written.span,
                f"`{name}` is an `effect`: it changes the state and has no value",
                hint="write the call on a line of its own, or use `def`",
            )
        if name in REDUCTIONS or name in BUILTINS:
            arguments = tuple(self.expression(a, scope) for a in written.arguments)
            if any(argument.type == UNKNOWN for argument in arguments):
                return nodes.Builtin(written.span, UNKNOWN, name, arguments)
            if name in REDUCTIONS:
                return self._reduction(written, name, arguments)
            return self._builtin(written, name, arguments)
        return self._not_a_function(written, scope)

    def _not_a_function(self, written: ast.Call, scope: Scope) -> nodes.Expr:
        name = written.function.text
        if name in self.reporter.broken:
            return nodes.Const(written.span, UNKNOWN, NONE)
        if name in self.world.variable_decls():
            inside = ", ".join(self.text(argument) for argument in written.arguments)
            return self.wrong(
                "E1004",
                written.span,
                f"`{name}` is a state variable, not a function",
                hint=f"a cell is written `{name}[{inside}]`",
            )
        if scope.find(name) is not None or self.world.knows(name):
            return self.wrong("E1004", written.span, f"`{name}` is not a function")
        problem = explain_function(self.world, name)
        return self.wrong(problem.code, written.function.span, problem.message, problem.hint)

    def _reduction(
        self, written: ast.Call, name: str, arguments: tuple[nodes.Expr, ...]
    ) -> nodes.Expr:
        span = written.span
        if len(arguments) == 1:
            kind = arguments[0].type
            if not isinstance(kind, SetType | ListType):
                inside = f"{kind.name}[s] == " if isinstance(kind, ArrayType) else ""
                return self.wrong(
                    "E1105",
                    span,
                    f"`{name}` needs a set, or a `for`; this is {describe(kind)}",
                    hint=f"as in `{name}({inside}... for s in square)`",
                )
            element, rounds, items = kind.element, kind.size, arguments[0]
        elif arguments and name in {"min", "max"}:
            kinds = tuple(argument.type for argument in arguments)
            items = nodes.Collect(span, ListType(join_all(kinds), len(kinds)), arguments)
            return self._extreme(span, name, kinds, items)
        else:
            return self.wrong(
                "E1003", span, f"`{name}` needs one set, as in `{name}(... for s in square)`"
            )
        if name in {"any", "all"} and not (isinstance(element, Scalar) and element.is_boolean):
            return self.wrong(
                "E1103", span, f"`{name}` needs truth values; these are {describe(element)}"
            )
        result = self._reduced_type(span, name, element, rounds)
        return self.folded(nodes.Builtin(span, result, name, (items,)))

    def _extreme(
        self, span: Span, name: str, kinds: tuple[Type, ...], items: nodes.Expr
    ) -> nodes.Expr:
        scalars = [kind for kind in kinds if isinstance(kind, Scalar)]
        joined = join_all(kinds)
        result = self._reduced_type(span, name, joined, len(kinds))
        if len(scalars) == len(kinds) and all(s.has_numbers for s in scalars):
            pick = min if name == "min" else max
            lows, highs = zip(*(s.interval for s in scalars), strict=True)
            result = number(pick(lows), pick(highs), any(s.rational for s in scalars))
        return self.folded(nodes.Builtin(span, result, name, (self.folded(items),)))

    def _builtin(
        self, written: ast.Call, name: str, arguments: tuple[nodes.Expr, ...]
    ) -> nodes.Expr:
        signature = BUILTINS[name]
        if len(arguments) != len(signature.parameters):
            return self.wrong(
                "E1003",
                written.span,
                f"`{signature.usage}` takes {len(signature.parameters)} arguments,"
                f" found {len(arguments)}",
            )
        problem = signature.problem(self.world, arguments)
        if problem is not None:
            return self.wrong(problem.code, written.span, problem.message, problem.hint)
        kind = signature.result(self.world, arguments)
        return self.folded(nodes.Builtin(written.span, kind, name, arguments))

    def apply(
        self,
        span: Span,
        declared: ast.DefDecl,
        arguments: tuple[nodes.Expr, ...],
        scope: Scope,
    ) -> nodes.Expr:
        """A call of one of the file's `def`s."""
        name = declared.name.text
        self.called.add(name)
        if len(arguments) != len(declared.parameters):
            usage = f"{name}({', '.join(p.text for p in declared.parameters)})"
            return self.wrong(
                "E1003",
                span,
                f"`{usage}` takes {len(declared.parameters)} arguments, found {len(arguments)}",
                secondary=(Label(declared.name.span, "defined here"),),
            )
        if name in self._calling:
            return self.recursion(span, name)
        if any(argument.type == UNKNOWN for argument in arguments):
            return nodes.Const(span, UNKNOWN, NONE)
        self._calling.append(name)
        found = self._instance(span, declared, arguments, scope)
        self._calling.pop()
        return found

    def recursion(self, span: Span, name: str) -> nodes.Expr:
        """Report a `def` or `effect` that calls itself."""
        circle = " -> ".join([*self._calling[self._calling.index(name) :], name])
        return self.wrong(
            "E1304",
            span,
            f"`{name}` calls itself: {circle}",
            hint="use a quantifier or `for` over a set instead",
        )

    def _instance(
        self,
        span: Span,
        declared: ast.DefDecl,
        arguments: tuple[nodes.Expr, ...],
        scope: Scope,
    ) -> nodes.Expr:
        name = declared.name.text
        if scope.is_constant:
            inner = Scope(Place.CONSTANT, (), name)
            for parameter, argument in zip(declared.parameters, arguments, strict=True):
                if isinstance(argument, nodes.Const):
                    inner = inner.having(parameter.text, argument)
            return self.expression(declared.value, inner)
        key = (name, scope.place, *(argument.type for argument in arguments))
        found = self._instances.get(key)
        if found is None:
            if len(self._instances) > MOST_INSTANCES:
                return self.wrong("E1203", span, "too many different calls of `def`s")
            found = self._instances[key] = self._definition(declared, arguments, scope)
        self.effort.deepest = max(self.effort.deepest, self.effort.depth + self._heights[id(found)])
        if isinstance(found.body, nodes.Const):
            return nodes.Const(span, found.body.type, found.body.value)
        passed = tuple(a for a in arguments if not isinstance(a, nodes.Whole))
        return nodes.Apply(span, found.body.type, found, passed)

    def _definition(
        self, declared: ast.DefDecl, arguments: tuple[nodes.Expr, ...], scope: Scope
    ) -> nodes.Definition:
        """A `def` for one combination of argument types; how deep its body goes is kept."""
        name = declared.name.text
        inside = Scope(scope.place, (), name if arguments else None)
        inner, slots = self.bind(declared.parameters, arguments, inside)
        outer, self.effort.deepest = self.effort.deepest, self.effort.depth
        body = self.expression(declared.value, inner)
        found = nodes.Definition(name, slots, body)
        self._heights[id(found)] = self.effort.deepest - self.effort.depth + 1
        self.effort.deepest = max(outer, self.effort.deepest)
        return found

    def bind(
        self,
        parameters: tuple[ast.Name, ...],
        arguments: tuple[nodes.Expr, ...],
        scope: Scope,
    ) -> tuple[Scope, tuple[int, ...]]:
        """Parameters of a `def` or `effect` as locals; a whole variable is passed by name."""
        slots: list[int] = []
        for parameter, argument in zip(parameters, arguments, strict=True):
            if isinstance(argument, nodes.Whole):
                scope = scope.having(parameter.text, argument)
            else:
                scope, slot = self.new_local(parameter, argument.type, scope)
                slots.append(slot)
        return scope, tuple(slots)
