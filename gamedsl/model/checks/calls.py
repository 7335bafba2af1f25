"""Bound the number of calls that a recursive `def` makes at least, before any play.

For a `def` with single-valued parameters, the result names the arguments with the most calls, and
the least number of calls over all states. Conditions on the parameters alone are decided. Of an
undecided condition the cheaper side counts, and loops over unknown elements count no round: no
`def` is refused for calls that a state may cut short. The combinations of arguments are evaluated
once, in ascending order of a parameter: a call with arguments not yet evaluated counts as one call.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import NamedTuple

from gamedsl.model import nodes
from gamedsl.model.builtins import Setting
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.evaluate import Evaluator, Locals, NotKnownError
from gamedsl.model.values import Value
from gamedsl.model.walk import parts, within
from gamedsl.source import Span

MOST_COMBINATIONS = 2_000
"""Combinations of arguments, beyond which the check gives up."""
COUNTED = 10**15
"""Number of calls beyond which counting stops."""
WHOLE = {"count", "sum", "min", "max", "set", "list"}
"""Quantifiers that visit all elements."""

Arguments = tuple[Value, ...]


class Calls(NamedTuple):
    """A call with `arguments` makes at least `least` calls, itself included; `at` is the place of a
    call."""

    arguments: Arguments
    least: int
    at: Span


def most_calls(definition: nodes.RecursiveDefinition, setting: Setting) -> Calls | None:
    """The arguments with which a `def` makes the most calls; None if no bound is known."""
    parameters = definition.parameters
    self_calls = [
        node
        for node in within(definition.value)
        if isinstance(node, nodes.ApplyRecursive) and node.definition is definition
    ]
    combinations = prod(len(parameter.domain) for parameter in parameters)
    if (
        not self_calls
        or any(parameter.is_subset for parameter in parameters)
        or combinations > MOST_COMBINATIONS
    ):
        return None
    counter = _Counter(definition, setting)
    for leading in range(len(parameters)):
        calls = counter.count_calls(leading)
        if calls and (least := max(calls.values())) > 1:
            dearest = next(
                combination for combination in reversed(calls) if calls[combination] == least
            )
            counter.best = max(counter.best, (least, dearest), key=lambda pair: pair[0])
    least, arguments = counter.best
    return Calls(arguments, least, self_calls[0].span) if least > 1 else None


class _Counter:
    def __init__(self, definition: nodes.RecursiveDefinition, setting: Setting) -> None:
        self._definition = definition
        self._evaluator = Evaluator(setting)
        self._known: dict[Arguments, int] = {}
        self._names = Locals({})
        self.best: tuple[int, Arguments] = (1, ())

    def count_calls(self, leading: int) -> dict[Arguments, int]:
        """The calls for all arguments, evaluated in ascending order of parameter `leading`."""
        parameters = self._definition.parameters
        domains = [parameter.domain.values for parameter in parameters]
        self._known = {}
        combinations = sorted(
            product(*domains), key=lambda combination: domains[leading].index(combination[leading])
        )
        for arguments in combinations:
            slots = (parameter.slot for parameter in parameters)
            self._names = Locals(dict(zip(slots, arguments, strict=True)))
            calls = 1 + self._least(self._definition.value)
            self._known[arguments] = min(calls, COUNTED)
        return self._known

    def _least(self, node: nodes.Expr) -> int:
        """The least number of calls that the value of an expression takes."""
        match node:
            case nodes.Conditional():
                asked = self._least(node.condition)
                condition = self._value(node.condition)
                sides = [self._least(side) for side in (node.then, node.otherwise)]
                return asked + (min(sides) if condition is None else sides[not condition])
            case nodes.Logic(operands=(first, *_)):
                return self._least(first)
            case nodes.Comprehension():
                return self._of_elements(node)
            case nodes.Apply():
                return sum(map(self._least, node.arguments))
            case nodes.ApplyRecursive() if node.definition is self._definition:
                arguments = [self._value(argument) for argument in node.arguments]
                called = tuple(argument for argument in arguments if argument is not None)
                calls = self._known.get(called, 1) if len(called) == len(arguments) else 1
                return calls + sum(map(self._least, node.arguments))
        return sum(map(self._least, parts(node)))

    def _of_elements(self, node: nodes.Comprehension) -> int:
        """The calls of a quantifier; elements count only if the domains are known and all are
        visited."""
        asked = self._least(node.clauses[0].domain)
        domains = [self._value(clause.domain) for clause in node.clauses]
        if node.kind not in WHOLE or any(clause.condition for clause in node.clauses):
            return asked
        sizes = [len(domain) if isinstance(domain, tuple) else 0 for domain in domains]
        return asked + prod(sizes) * self._least(node.element)

    def _value(self, node: nodes.Expr) -> Value | None:
        try:
            return self._evaluator.value(node, self._names)
        except (NotKnownError, OperationError):
            return None
