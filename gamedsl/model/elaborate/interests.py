"""The interests of the players, proved from the payoffs as written: their sum, and sides.

The payoff of a player becomes a *form*: a sum of products of a number, of conditions (1 or 0) and
of at most one expression, with `def`s written out. Equal forms are equal payoffs in every state,
and a form without expressions and conditions is a constant. Distinct forms prove nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

from gamedsl.model import nodes
from gamedsl.model.facts import Sides
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Moment, NotToldError
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value

Product = tuple[frozenset[Hashable], Hashable | None]
"""The keys of conditions, and the key of an expression; None: the number 1."""
Form = Mapping[Product, Fraction]
"""The factor of each product."""
NUMBER: Product = (frozenset(), None)
MOST_PRODUCTS = 100
MOST_CASES = 8
"""Values of an expression up to which the last is `none of the others`."""


def sum_of(forms: Iterable[Form]) -> Form:
    """The sum, without products that cancel each other out."""
    total: dict[Product, Fraction] = {}
    for form in forms:
        for term, factor in form.items():
            total[term] = total.get(term, Fraction(0)) + factor
    return {term: factor for term, factor in total.items() if factor}


def constant_of(form: Form) -> Fraction | None:
    """The value of a form that is the same in every state; None if it is not proved to be."""
    return form.get(NUMBER, Fraction(0)) if set(form) <= {NUMBER} else None


def sides_of(payoffs: Sequence[Sequence[Form]]) -> Sides | None:
    """The two sides of the players, if the payoffs of all outcomes prove them; `payoffs`: for each
    outcome a form for each player."""
    by_player = [tuple(forms) for forms in zip(*payoffs, strict=True)]
    first, second = by_player[0], next((each for each in by_player if each != by_player[0]), None)
    if second is None or any(each not in (first, second) for each in by_player):
        return None
    totals = {constant_of(sum_of(pair)) for pair in zip(first, second, strict=True)}
    total = totals.pop()
    if totals or total is None:
        return None
    return Sides(tuple(int(each == second) for each in by_player), total)


class Forms:
    """Makes forms of the expressions of a game."""

    def __init__(self, model: Model) -> None:
        self._terms = Terms(model.board, model.players)
        self._rewriter = Rewriter(self._terms, model.slot_names)

    def of(self, node: nodes.Expr) -> Form:
        """The form of a number. Raises NotToldError if it is too long."""
        match node:
            case nodes.Const():
                return _times(_number(node.value), {NUMBER: Fraction(1)})
            case nodes.Narrowed():
                return self.of(node.operand)
            case nodes.Apply():
                return self.of(self._written_out(node))
            case nodes.Conditional():
                holds = self._condition(node.condition)
                return sum_of(
                    (
                        _product(holds, self.of(node.then)),
                        _product(_not(holds), self.of(node.otherwise)),
                    )
                )
            case nodes.Builtin(name="-n", arguments=(operand,)):
                return _times(Fraction(-1), self.of(operand))
            case nodes.Arithmetic(operator="+" | "-"):
                sign = Fraction(1 if node.operator == "+" else -1)
                return sum_of((self.of(node.left), _times(sign, self.of(node.right))))
            case nodes.Arithmetic(operator="*" | "/"):
                return self._scaled(node)
        return {(frozenset(), self._terms.keys.of(node)): Fraction(1)}

    def _scaled(self, node: nodes.Arithmetic) -> Form:
        left, right = self.of(node.left), self.of(node.right)
        by = constant_of(right)
        if node.operator == "/":
            if by:
                return _times(1 / by, left)
        elif by is not None:
            return _times(by, left)
        elif (factor := constant_of(left)) is not None:
            return _times(factor, right)
        return {(frozenset(), self._terms.keys.of(node)): Fraction(1)}

    def _written_out(self, node: nodes.Apply) -> nodes.Expr:
        held = dict(zip(node.definition.slots, node.arguments, strict=True))
        return self._rewriter.before(node.definition.body, Moment(locals=held))

    def _condition(self, node: nodes.Expr) -> Form:
        """1 where a condition holds, else 0."""
        match node:
            case nodes.Const():
                return {NUMBER: Fraction(1)} if node.value is True else {}
            case nodes.Apply():
                return self._condition(self._written_out(node))
            case nodes.Not():
                return _not(self._condition(node.operand))
            case nodes.Logic():
                # `a or b` is `not (not a and not b)`
                is_any = node.operator == "or"
                form: Form = {NUMBER: Fraction(1)}
                for operand in node.operands:
                    holds = self._condition(operand)
                    form = _product(form, _not(holds) if is_any else holds)
                return _not(form) if is_any else form
            case nodes.Compare(operator="==" | "!="):
                equal = self._equality(node)
                return equal if node.operator == "==" else _not(equal)
            case nodes.Member(collection=nodes.Const(value=tuple() as values)):
                return sum_of(self._equals(node.element, value) for value in dict.fromkeys(values))
        return {(frozenset([self._terms.keys.of(node)]), None): Fraction(1)}

    def _equality(self, node: nodes.Compare) -> Form:
        """1 where both operands of `==` or `!=` are equal, else 0."""
        match node.left, node.right:
            case (nodes.Const(value=bool() as value), truth) | (
                truth,
                nodes.Const(value=bool() as value),
            ) if truth.type.kinds == {"bool"}:
                return self._condition(truth) if value else _not(self._condition(truth))
            case (nodes.Const(value=value), side) | (side, nodes.Const(value=value)):
                return self._equals(side, value)
        equal = self._terms.keys.of(node.left), self._terms.keys.of(node.right)
        return {(frozenset([frozenset(equal)]), None): Fraction(1)}

    def _equals(self, node: nodes.Expr, value: Value) -> Form:
        """1 where an expression has a value, else 0; by the other values if it is the last."""
        if node.known is not None:
            return self._condition(nodes.Const(node.span, node.type, node.known == value))
        cases = _cases(node)
        key = self._terms.keys.of(node.operand if isinstance(node, nodes.Narrowed) else node)
        if value not in cases or value != cases[-1]:
            return {(frozenset([(key, value)]), None): Fraction(1)}
        others: list[Form] = [
            {(frozenset([(key, other)]), None): Fraction(1)} for other in cases[:-1]
        ]
        return _not(sum_of(others))


def _number(value: Value) -> Fraction:
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


def _cases(node: nodes.Expr) -> tuple[Value, ...]:
    """All values of an expression of few atoms or whole numbers; () for others."""
    kind = node.type
    if not isinstance(kind, Scalar) or kind.unknown or kind.boolean or kind.vectors:
        return ()
    values: list[Value] = sorted(kind.atoms, key=str)
    if kind.has_numbers:
        low, high = kind.interval
        if kind.rational or high - low > MOST_CASES:
            return ()
        values += range(int(low), int(high) + 1)
    return tuple(values) if len(values) <= MOST_CASES else ()


def _not(form: Form) -> Form:
    return sum_of(({NUMBER: Fraction(1)}, _times(Fraction(-1), form)))


def _times(factor: Fraction, form: Form) -> Form:
    return {term: factor * amount for term, amount in form.items()} if factor else {}


def _product(condition: Form, form: Form) -> Form:
    """The product of the form of a condition and a form."""
    if len(condition) * len(form) > MOST_PRODUCTS:
        raise NotToldError("a form of too many products")
    return sum_of(
        {(left | right, expression): factor * amount}
        for ((left, _), factor), ((right, expression), amount) in product(
            condition.items(), form.items()
        )
        if not _exclude_each_other(left | right)
    )


def _exclude_each_other(conditions: frozenset[Hashable]) -> bool:
    """Whether two conditions say that one expression has different values."""
    equal = [condition[0] for condition in conditions if isinstance(condition, tuple)]
    return len(set(equal)) < len(equal)
