"""Elaborate expressions: names resolved, types and integer intervals computed, constants folded.

In: syntax-tree expressions and a `Scope`. Out: typed nodes; what is wrong is reported, and the
node of a wrong expression has the unknown type, so that one mistake gives one message. Calls and
quantifiers are elaborated by `calls`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.calls import Calls
from gamedsl.model.closed import is_closed
from gamedsl.model.fold import fold
from gamedsl.model.intervals import added, arithmetic_interval, negated, scaled
from gamedsl.model.limits import MOST_VALUES, is_too_large
from gamedsl.model.operations import OperationError
from gamedsl.model.scope import Place, Reporter, Scope
from gamedsl.model.types import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    ArrayType,
    ListType,
    Scalar,
    SetType,
    TupleType,
    Type,
    atoms,
    can_be_equal,
    describe,
    element_of,
    join,
    join_all,
    number,
    scalar_of,
    size_of,
)
from gamedsl.model.unknown import explain
from gamedsl.model.values import NONE, text_of
from gamedsl.model.walk import parts
from gamedsl.source import Label, Span
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.model.world import World


class Expressions(Calls):
    """The elaborator of expressions, over the names of one `World`."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.reporter = world.reporter
        self._gave_up = False

    # --- entry points ----------------------------------------------------------------------

    def expression(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        """The typed node of an expression."""
        if not self.may_go_on(written.span):
            return nodes.Const(written.span, UNKNOWN, NONE)
        self.effort.enter()
        found = self._elaborated(written, scope)
        self.effort.leave()
        return self._of_fair_size(found)

    def may_go_on(self, span: Span) -> bool:
        """Whether elaboration is within its limits; that it is not is reported once."""
        excess = self.effort.excess
        if excess is not None and not self._gave_up:
            self._gave_up = True
            self.reporter.report("E1203", span, excess)
        return excess is None

    def _of_fair_size(self, found: nodes.Expr) -> nodes.Expr:
        if isinstance(found.type, Scalar) and (
            is_too_large(found.type.low) or is_too_large(found.type.high)
        ):
            return self.wrong("E1203", found.span, "this number can have more than 300 digits")
        return found

    def _elaborated(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        match written:
            case ast.Name():
                return self._name(written, scope)
            case ast.Number():
                return nodes.Const(
                    written.span, number(written.value, written.value), written.value
                )
            case ast.Decimal():
                return self.wrong(
                    "E1108",
                    written.span,
                    "numbers with a point are allowed in `expect` alone",
                    hint="write a fraction, as `1/3`",
                )
            case ast.Unary():
                return self._unary(written, scope)
            case ast.Binary():
                return self._binary(written, scope)
            case ast.Compare():
                return self._compare(written, scope)
            case ast.Logic():
                return self._logic(written, scope)
            case ast.Conditional():
                return self._conditional(written, scope)
            case ast.Call():
                return self.call(written, scope)
            case ast.Quantifier():
                return self.quantifier(written, scope)
            case ast.Index():
                return self._index(written, scope)
            case ast.SetLiteral() | ast.ListLiteral() | ast.TupleLiteral():
                return self._collection(written, scope)
            case ast.SetBuild() | ast.ListBuild():
                kind = "set" if isinstance(written, ast.SetBuild) else "list"
                return self.build(written.span, kind, written.element, written.clauses, scope)
            case ast.Weights() | ast.WeightsBuild():
                return self.wrong(
                    "E1108",
                    written.span,
                    "weights `{a: 1/2, b: 1/2}` belong to `chance`",
                    hint="write `chance x in {a: 1/2, b: 1/2}`",
                )

    def condition(
        self, written: ast.Expression, scope: Scope, what: str, hint: str | None = None
    ) -> nodes.Expr:
        """An expression that must be true or false; logic is two-valued: `none` is not true."""
        found = self.expression(written, scope)
        if isinstance(found.type, Scalar) and found.type.kinds == {"bool", "none"}:
            true = nodes.Const(written.span, BOOLEAN, True)
            return self.folded(nodes.Compare(written.span, BOOLEAN, "==", found, true))
        if not (isinstance(found.type, Scalar) and found.type.is_boolean):
            return self.wrong(
                "E1103",
                written.span,
                f"{what} needs true or false, and this is {describe(found.type)}",
                hint=hint or self._truth_hint(found),
            )
        return found

    def collection(self, written: ast.Expression, scope: Scope, what: str) -> nodes.Expr:
        """An expression that must be a set or a list."""
        found = self.expression(written, scope)
        if isinstance(found.type, SetType | ListType) or found.type == UNKNOWN:
            return found
        hint = None
        if isinstance(found.type, Scalar) and found.type.is_number:
            hint = f"write a range: `1..{self.text(written)}`"
        elif isinstance(found, nodes.Whole):
            hint = "to go over its indices write `for s in square`"
        elif isinstance(found.type, Scalar):
            hint = f"a set of one: `{{{self.text(written)}}}`"
        return self.wrong(
            "E1105",
            written.span,
            f"{what} needs a set; this is {describe(found.type)}",
            hint=hint,
        )

    def constant(self, written: ast.Expression, scope: Scope) -> nodes.Const | None:
        """The value of an expression that must be known before the game starts, or None."""
        errors = len(self.reporter.found)
        found = self.expression(written, scope)
        if isinstance(found, nodes.Const):
            return found if found.type != UNKNOWN else None
        if len(self.reporter.found) == errors and found.type != UNKNOWN:
            self.reporter.report(
                "E1306",
                written.span,
                "this must be known before the game starts",
                hint="use numbers, parameters, types and the board, not the state",
            )
        return None

    def worked_out(self, written: ast.Expression, found: nodes.Expr) -> nodes.Expr:
        """A set that is the same in every state as a constant; any other as it is."""
        if isinstance(found, nodes.Const) or found.type == UNKNOWN or not is_closed(found):
            return found
        outer, trial = self.reporter, Reporter(self.reporter.source, self.reporter.broken)
        self.reporter = self.world.reporter = trial
        constant = self.expression(written, Scope(Place.CONSTANT))
        self.reporter = self.world.reporter = outer
        is_known = isinstance(constant, nodes.Const) and constant.type != UNKNOWN
        return constant if is_known and not trial.found else found

    def wrong(
        self,
        code: str,
        span: Span,
        message: str,
        hint: str | None = None,
        secondary: tuple[Label, ...] = (),
    ) -> nodes.Expr:
        """Report, and stand in with a node of unknown type."""
        self.reporter.report(code, span, message, hint=hint, secondary=secondary)
        return nodes.Const(span, UNKNOWN, NONE)

    def folded(self, node: nodes.Expr) -> nodes.Expr:
        """The node, or its constant; an operation without an answer is reported."""
        if node.type == UNKNOWN or any(part.type == UNKNOWN for part in parts(node)):
            return node
        try:
            return fold(node, self.world.board, self.world.players)
        except OperationError as error:
            return self.wrong("E1204", node.span, str(error))

    def text(self, written: ast.Node) -> str:
        """The source text of a node, for messages."""
        text = self.reporter.source.text[written.span.start : written.span.end]
        return " ".join(text.split())

    # --- names -----------------------------------------------------------------------------

    def _name(self, written: ast.Name, scope: Scope) -> nodes.Expr:
        local = scope.find(written.text)
        if local is not None:
            return replace(local, span=written.span)
        if written.text in {"turn", "me", "opponent", "stuck"}:
            return self._word(written, scope)
        found = self.world.find(written.text)
        match found:
            case nodes.Const():
                return replace(found, span=written.span)
            case nodes.Variable():
                return self._variable(written, found, scope)
            case ast.DefDecl() if not found.parameters:
                return self.apply(written.span, found, (), scope)
            case ast.DefDecl() | ast.EffectDecl():
                kind = "`def`" if isinstance(found, ast.DefDecl) else "`effect`"
                names = ", ".join(name.text for name in found.parameters)
                return self.wrong(
                    "E1003",
                    written.span,
                    f"`{written.text}` is {kind} and needs its arguments",
                    hint=f"write `{written.text}({names})`",
                )
            case None:
                return self.unknown_name(written, scope)

    def unknown_name(self, written: ast.Name, scope: Scope) -> nodes.Expr:
        """Report a name that nothing declares; names in error or in broken lines stay silent."""
        name = written.text
        if self.world.knows(name) or name in self.reporter.broken:
            return nodes.Const(written.span, UNKNOWN, NONE)
        problem = explain(self.world, name, scope)
        if problem is None:
            return nodes.Const(written.span, UNKNOWN, NONE)
        return self.wrong(problem.code, written.span, problem.message, problem.hint)

    def _word(self, written: ast.Name, scope: Scope) -> nodes.Expr:
        players = atoms(*self.world.players) if self.world.players else UNKNOWN
        match written.text:
            case "turn" | "opponent" | "stuck" if scope.is_constant:
                return self.wrong(
                    "E1306", written.span, f"`{written.text}` is not known before the game starts"
                )
            case "turn":
                return nodes.Turn(written.span, players)
            case "opponent":
                if not self.world.players:
                    return nodes.Const(written.span, UNKNOWN, NONE)
                if len(self.world.players) != 2:
                    return self.wrong(
                        "E1303",
                        written.span,
                        f"`opponent` needs two players; this game has {len(self.world.players)}",
                        hint="use `next(turn)`, or `p != turn`",
                    )
                turn = nodes.Turn(written.span, players)
                return nodes.Builtin(written.span, players, "other", (turn,))
            case "me" if scope.place is not Place.SIMULTANEOUS:
                return self.wrong(
                    "E1302",
                    written.span,
                    "`me` is the chooser of a `simultaneous` move",
                    hint="the player to move is `turn`",
                )
            case "me":
                return nodes.Me(written.span, players)
            case _ if scope.place is not Place.END:
                return self.wrong(
                    "E1302",
                    written.span,
                    "`stuck` can be asked in `end:` alone",
                    hint="for a move that is legal only if no other is, write `otherwise` above it",
                )
            case _:
                return nodes.Stuck(written.span, BOOLEAN)

    def _variable(self, written: ast.Name, found: nodes.Variable, scope: Scope) -> nodes.Expr:
        if scope.is_constant:
            return self.wrong(
                "E1306",
                written.span,
                f"`{written.text}` changes during the game; this must be known before it starts",
            )
        if found.indices:
            return nodes.Whole(written.span, ArrayType(found.name), found)
        return nodes.Cell(written.span, domain_type(found), found, ())

    # --- operators -------------------------------------------------------------------------

    def _unary(self, written: ast.Unary, scope: Scope) -> nodes.Expr:
        if written.operator == "not":
            operand = self.condition(written.operand, scope, "`not`")
            return self.folded(nodes.Not(written.span, BOOLEAN, operand))
        operand = self.expression(written.operand, scope)
        match operand.type:
            case Scalar() as found if found.is_vacuous:
                return nodes.Negate(written.span, found, operand)
            case Scalar() as found if found.is_vector:
                return self.folded(nodes.Negate(written.span, negated(found), operand))
            case Scalar() as found if found.is_number:
                low, high = found.interval
                kind = number(-high, -low, found.rational)
                return self.folded(nodes.Negate(written.span, kind, operand))
            case _:
                return self.wrong(
                    "E1101",
                    written.span,
                    f"`-` needs a number or a direction; this is {describe(operand.type)}",
                )

    def _binary(self, written: ast.Binary, scope: Scope) -> nodes.Expr:
        left = self.expression(written.left, scope)
        right = self.expression(written.right, scope)
        if written.operator == "|":
            return self._union(written, left, right)
        if not (isinstance(left.type, Scalar) and isinstance(right.type, Scalar)):
            return self._bad_operands(written, left, right)
        if left.type.is_vacuous or right.type.is_vacuous:
            return _vacuous(written, left, right)
        if written.operator == "..":
            return self._range(written, left, right)
        geometric = self._geometric(written, left, right)
        if geometric is not None:
            return self.folded(geometric)
        if not (left.type.is_number and right.type.is_number):
            return self._bad_operands(written, left, right)
        if written.operator in {"/", "//", "%"} and right.type.interval == (0, 0):
            return self.wrong("E1204", written.span, f"`{self.text(written)}`: division by zero")
        kind = arithmetic_interval(written.operator, left.type, right.type)
        return self.folded(nodes.Arithmetic(written.span, kind, written.operator, left, right))

    def _geometric(
        self, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
    ) -> nodes.Expr | None:
        """`s + d`, `s - d`, `d + e`, `d - e`, `2*d`: what `+ - *` mean on a board."""
        span, operator = written.span, written.operator
        if operator == "*":
            if {_shape(left), _shape(right)} == {"number", "direction"}:
                return self._offsets(nodes.Scale(span, scaled(left.type, right.type), left, right))
            return None
        if operator not in {"+", "-"}:
            return None
        if operator == "-" and _shape(right) == "direction":
            right = self.folded(nodes.Negate(right.span, negated(right.type), right))
        if _shape(left) == _shape(right) == "direction":
            return self._offsets(nodes.AddOffsets(span, added(left.type, right.type), left, right))
        if operator == "+" and (_shape(left), _shape(right)) == ("direction", "square"):
            left, right = right, left
        if (_shape(left), _shape(right)) == ("square", "direction"):
            board = self.world.board
            squares = board.squares if board else ()
            return nodes.Step(span, atoms(*squares, NONE), left, right)
        return None

    def _offsets(self, node: nodes.Scale | nodes.AddOffsets) -> nodes.Expr:
        if node.type == UNKNOWN:
            return self.wrong("E1203", node.span, "too many different offsets are possible here")
        return node

    def _range(self, written: ast.Binary, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
        assert isinstance(left.type, Scalar)
        assert isinstance(right.type, Scalar)
        for side in (left, right):
            if not side.type.is_number or side.type.rational:  # type: ignore[union-attr]
                return self._bad_operands(written, left, right)
        low, high = left.type.interval[0], right.type.interval[1]
        size = max(0, int(high) - int(low) + 1)
        if size > MOST_VALUES:
            return self.wrong(
                "E1203",
                written.span,
                f"this range can have {size:,} values; at most {MOST_VALUES:,} are possible",
            )
        self.effort.steps += size // 4
        element = number(low, max(low, high))  # of an empty range too: `1..n - 1` where n is 1
        return self.folded(nodes.Range(written.span, SetType(element, size), left, right))

    def _union(self, written: ast.Binary, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
        sides = [
            s.type if isinstance(s.type, SetType | ListType) else SetType(s.type, 1)
            for s in (left, right)
        ]
        if any(isinstance(side.element, ArrayType | TupleType) for side in sides):
            return self._bad_operands(written, left, right)
        size = sides[0].size + sides[1].size
        kind = SetType(join(sides[0].element, sides[1].element), size)
        if _clashes(kind.element) and UNKNOWN not in (sides[0].element, sides[1].element):
            return self.wrong(
                "E1101", written.span, "`|` cannot join truth values or sets with other values"
            )
        if UNKNOWN in (left.type, right.type):
            return nodes.Union(written.span, UNKNOWN, left, right)
        return self.folded(nodes.Union(written.span, kind, left, right))

    def _bad_operands(self, written: ast.Binary, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
        if UNKNOWN in (left.type, right.type):
            return nodes.Const(written.span, UNKNOWN, NONE)
        needs = {
            "+": "two numbers, or a square and a direction",
            "-": "two numbers, or a square and a direction",
            "*": "two numbers, or a number and a direction",
            "|": "sets or single values",
            "..": "two whole numbers",
        }.get(written.operator, "two numbers")
        hint = None
        whole = next((s for s in (left, right) if isinstance(s, nodes.Whole)), None)
        if whole is not None:
            hint = f"`{whole.variable.name}` is many cells; say which: `{whole.variable.name}[...]`"
        return self.wrong(
            "E1101",
            written.span,
            f"`{written.operator}` needs {needs};"
            f" found {describe(left.type)} and {describe(right.type)}",
            hint=hint,
        )

    def _compare(self, written: ast.Compare, scope: Scope) -> nodes.Expr:
        steps: list[nodes.Expr] = []
        left = self.expression(written.first, scope)
        for operator, other in written.rest:
            span = left.span.to(other.span)
            right = self.expression(other, scope)
            steps.append(self._comparison(span, operator, left, right, scope))
            left = right
        if len(steps) == 1:
            return steps[0]
        return self._join_logic(written.span, "and", tuple(steps))

    def _comparison(
        self, span: Span, operator: str, left: nodes.Expr, right: nodes.Expr, scope: Scope
    ) -> nodes.Expr:
        if operator in {"in", "not in"}:
            return self._membership(span, operator, left, right, scope)
        for side in (left, right):
            if isinstance(side, nodes.Whole):
                name = side.variable.name
                return self.wrong(
                    "E1101",
                    side.span,
                    f"`{name}` is many cells; a comparison needs one value",
                    hint=f"say which: `{name}[...]`",
                )
        if operator in {"==", "!="}:
            if not can_be_equal(left.type, right.type):
                if not _is_single(scope):
                    return nodes.Const(span, BOOLEAN, operator == "!=")
                return self.wrong(
                    "E1102",
                    span,
                    f"these can never be equal: {describe(left.type)} and {describe(right.type)}",
                    hint=self._among_hint(left.type, right.type),
                )
        elif not self._can_be_ordered(left.type, right.type):
            return self.wrong(
                "E1101",
                span,
                f"`{operator}` needs two numbers, or two values of one type;"
                f" found {describe(left.type)} and {describe(right.type)}",
            )
        return self.folded(nodes.Compare(span, BOOLEAN, operator, left, right))

    @staticmethod
    def _among_hint(left: Type, right: Type) -> str | None:
        """For `n == 3..5`: what is probably meant."""
        for one, other in ((left, right), (right, left)):
            if isinstance(other, SetType | ListType) and can_be_equal(one, other.element):
                return "to ask whether a value is one of a set write `in`"
        return None

    @staticmethod
    def _can_be_ordered(left: Type, right: Type) -> bool:
        if not (isinstance(left, Scalar) and isinstance(right, Scalar)):
            return False
        if left.unknown or right.unknown or (left.is_number and right.is_number):
            return True
        kinds = (left.kinds | right.kinds) - {"none", "empty"}
        return len(kinds) == 1 and not kinds & {"bool", "direction", "number"}

    def _membership(
        self, span: Span, operator: str, left: nodes.Expr, right: nodes.Expr, scope: Scope
    ) -> nodes.Expr:
        if not isinstance(right.type, SetType | ListType) and right.type != UNKNOWN:
            return self.wrong(
                "E1105",
                right.span,
                f"`in` needs a set; this is {describe(right.type)}",
                hint="to compare with one value, write `==`"
                if isinstance(right.type, Scalar)
                else f"a cell is written `{right.variable.name}[...]`"
                if isinstance(right, nodes.Whole)
                else None,
            )
        element = element_of(right.type)
        empty = size_of(right.type) == 0
        if not empty and not can_be_equal(left.type, element):
            if not _is_single(scope):
                return nodes.Const(span, BOOLEAN, operator == "not in")
            return self.wrong(
                "E1102",
                span,
                f"this can never hold: {describe(left.type)} in a set of {describe(element)}",
            )
        found = self.folded(nodes.Member(span, BOOLEAN, left, right))
        if operator == "in":
            return found
        return self.folded(nodes.Not(span, BOOLEAN, found))

    def _logic(self, written: ast.Logic, scope: Scope) -> nodes.Expr:
        decisive = written.operator == "or"
        operands: list[nodes.Expr] = []
        for place, part in enumerate(written.operands):
            hint = self._either_hint(written, place)
            operand = self.condition(part, scope, f"`{written.operator}`", hint)
            operands.append(operand)
            if scope.is_constant and isinstance(operand, nodes.Const) and operand.value is decisive:
                break
        return self._join_logic(written.span, written.operator, tuple(operands))

    def _either_hint(self, written: ast.Logic, place: int) -> str | None:
        """For `x == a or b`, which asks whether b is true: what is probably meant."""
        before = written.operands[place - 1] if place else None
        match before:
            case ast.Compare(rest=((("==" | "!=") as operator, other),)):
                word = "in" if operator == "==" else "not in"
                one, two = self.text(other), self.text(written.operands[place])
                return f"write `{self.text(before.first)} {word} {{{one}, {two}}}`"
            case _:
                return None

    def _join_logic(
        self, span: Span, operator: str, operands: tuple[nodes.Expr, ...]
    ) -> nodes.Expr:
        decisive = operator == "or"
        if any(operand.type == UNKNOWN for operand in operands):
            return nodes.Logic(span, UNKNOWN, operator, operands)
        if any(isinstance(o, nodes.Const) and o.value is decisive for o in operands[:1]):
            return nodes.Const(span, BOOLEAN, decisive)
        rest = tuple(o for o in operands if not isinstance(o, nodes.Const) or o.value is decisive)
        if not rest:
            return nodes.Const(span, BOOLEAN, not decisive)
        if all(isinstance(operand, nodes.Const) for operand in rest):
            return nodes.Const(span, BOOLEAN, decisive)
        return rest[0] if len(rest) == 1 else nodes.Logic(span, BOOLEAN, operator, rest)

    def _conditional(self, written: ast.Conditional, scope: Scope) -> nodes.Expr:
        condition = self.condition(written.condition, scope, "`if`")
        if scope.is_constant and isinstance(condition, nodes.Const):
            taken = written.then if condition.value is True else written.otherwise
            return self.expression(taken, scope)
        then = self.expression(written.then, scope)
        otherwise = self.expression(written.otherwise, scope)
        kind = join(then.type, otherwise.type)
        if _clashes(kind) and UNKNOWN not in (then.type, otherwise.type):
            return self.wrong(
                "E1101",
                written.span,
                "the two sides of `if ... else` are of different kinds:"
                f" {describe(then.type)} and {describe(otherwise.type)}",
            )
        if isinstance(condition, nodes.Const) and condition.type != UNKNOWN:
            return then if condition.value is True else otherwise
        return nodes.Choose(written.span, kind, condition, then, otherwise)

    # --- collections and indices -----------------------------------------------------------

    def _collection(
        self, written: ast.SetLiteral | ast.ListLiteral | ast.TupleLiteral, scope: Scope
    ) -> nodes.Expr:
        items = tuple(self.expression(item, scope) for item in written.items)
        for item in items:
            if isinstance(item, nodes.Whole):
                return self.wrong(
                    "E1101",
                    item.span,
                    f"`{item.variable.name}` is many cells; say which: `{item.variable.name}[...]`",
                )
        kinds = tuple(item.type for item in items)
        if isinstance(written, ast.TupleLiteral):
            return self.folded(nodes.Collect(written.span, TupleType(kinds), items))
        joined = join_all(kinds)
        if _clashes(joined) and UNKNOWN not in kinds:
            found = ", ".join(dict.fromkeys(describe(kind) for kind in kinds))
            return self.wrong("E1101", written.span, f"the items are of different kinds: {found}")
        if joined == UNKNOWN:
            return nodes.Collect(written.span, UNKNOWN, items)
        shape = SetType if isinstance(written, ast.SetLiteral) else ListType
        return self.folded(nodes.Collect(written.span, shape(joined, len(items)), items))

    def _index(self, written: ast.Index, scope: Scope) -> nodes.Expr:
        base = self.expression(written.base, scope)
        indices = tuple(self.expression(index, scope) for index in written.indices)
        if isinstance(base, nodes.Whole):
            if not self.check_indices(written.span, base.variable, indices):
                return nodes.Const(written.span, UNKNOWN, NONE)
            kind: Type = domain_type(base.variable)
            if any(isinstance(i.type, Scalar) and i.type.can_be_none for i in indices):
                kind = join(kind, atoms(NONE))
            return nodes.Cell(written.span, kind, base.variable, indices)
        if base.type == UNKNOWN:
            return base
        if not isinstance(base.type, ListType):
            return self.wrong(
                "E1104",
                written.base.span,
                f"`{self.text(written.base)}` has no cells to choose from;"
                f" it is {describe(base.type)}",
            )
        if len(indices) != 1 or not _is_position(indices[0].type):
            return self.wrong(
                "E1104", written.span, "a list is indexed by one number, counted from 1"
            )
        kind = base.type.element
        if isinstance(indices[0].type, Scalar) and indices[0].type.can_be_none:
            kind = join(kind, atoms(NONE))
        return self.folded(nodes.ListItem(written.span, kind, base, indices[0]))

    def check_indices(
        self, span: Span, variable: nodes.Variable, indices: tuple[nodes.Expr, ...]
    ) -> bool:
        """Report indices that are too few, too many, of the wrong kind or surely outside."""
        if len(indices) != len(variable.indices):
            wanted = len(variable.indices)
            plural = "index" if wanted == 1 else "indices"
            self.reporter.report(
                "E1104",
                span,
                f"`{variable.name}` has {wanted or 'no'} {plural}, found {len(indices)}"
                if indices
                else f"`{variable.name}` is many cells; say which: `{variable.name}[...]`",
                secondary=(Label(variable.span, "declared here"),),
            )
            return False
        for index, domain in zip(indices, variable.indices, strict=True):
            known = scalar_of(domain.values)
            if not isinstance(index.type, Scalar) or not (
                index.type.unknown
                or index.type.kinds == {"none"}
                or can_be_equal(index.type.without_none(), known)
            ):
                self.reporter.report(
                    "E1104",
                    index.span,
                    f"`{variable.name}` is indexed by `{domain}`; this is {describe(index.type)}",
                    secondary=(Label(variable.span, "declared here"),),
                )
                return False
            if (
                isinstance(index, nodes.Const)
                and index.type != UNKNOWN
                and index.value is not NONE
                and index.value not in domain.digit
            ):
                self.reporter.report(
                    "E1202",
                    index.span,
                    f"`{variable.name}` has no cell {text_of(index.value)};"
                    f" its indices are `{domain}`",
                    secondary=(Label(variable.span, "declared here"),),
                )
                return False
        return True

    def _truth_hint(self, found: nodes.Expr) -> str | None:
        if isinstance(found.type, Scalar) and found.type.is_number:
            return "compare it, as in `... > 0`"
        if isinstance(found, nodes.Whole):
            return f"say which cell: `{found.variable.name}[...]`"
        return None


def domain_type(variable: nodes.Variable) -> Scalar:
    """The type of one cell of a variable."""
    return scalar_of(variable.domain.values)


def _shape(node: nodes.Expr) -> str:
    """What arithmetic on the board asks: a number, a direction, a square, or something else."""
    found = node.type
    if not isinstance(found, Scalar):
        return "other"
    if found.is_vector:
        return "direction"
    if found.is_square:
        return "square"
    return "number" if found.is_number else "other"


def _clashes(joined: Type) -> bool:
    """Whether what was joined makes no common type: truth values with numbers, sets with atoms."""
    return joined == UNKNOWN or (
        isinstance(joined, Scalar) and joined.boolean and joined.has_numbers
    )


def _vacuous(written: ast.Binary, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
    """An operation with something unknown, or with an element of a set that is always empty."""
    kind = UNKNOWN if UNKNOWN in (left.type, right.type) else NOTHING
    if written.operator == "..":
        return nodes.Range(written.span, SetType(kind, 0), left, right)
    return nodes.Arithmetic(written.span, kind, written.operator, left, right)


def _is_single(scope: Scope) -> bool:
    """Whether an expression is elaborated once here, and not for each cell, value or call."""
    return scope.in_definition is None and not scope.is_constant


def _is_position(found: Type) -> bool:
    return isinstance(found, Scalar) and found.is_number
