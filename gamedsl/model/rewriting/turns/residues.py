"""Partially evaluate actions: the part of an action that depends on unknown variables.

The residue of an action lists all values computed from the known variables, in the order of
evaluation. Two actions with equal action numbers and equal residues have the same effect for any
values of the unknown variables: legality, payoffs and writes (to known variables too) are equal.

Rules are evaluated as far as possible: known conditions are decided, loops over known sets are
unrolled, cells that receive known values hold the values. Behind an unknown condition all branches
are traversed, and the variables written in a branch become unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from gamedsl.model import nodes
from gamedsl.model.action_names import arguments_of
from gamedsl.model.builtins import Setting
from gamedsl.model.model import Model
from gamedsl.model.operations import OperationError, as_collection
from gamedsl.model.semantics.evaluate import (
    Evaluator,
    Meaning,
    NotKnownError,
    not_known,
    place_of,
)
from gamedsl.model.state import Cells
from gamedsl.model.statement_facts import facts_in, facts_of
from gamedsl.model.values import Atom, Value
from gamedsl.model.walk import expressions_of, parts

Residue = tuple[Hashable, ...]
FAILED, OPEN = "failed", "open"
"""Markers in place of a missing value; the markers stand before the parts of an unknown
expression."""
MOST_ROUNDS = 256
"""Limit on the rounds of a loop that are carried out one by one."""


class _WaitsError(Exception):
    """The body waits for chance, and all evaluation before is known."""


class _NotLegalError(Exception):
    """The action is illegal for all values of the unknown variables."""


class _CellEvaluator(Evaluator):
    """Evaluates expressions with partly known cells."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.digit_of: Callable[[nodes.Variable, int], int | None] = lambda _, __: None

    def read(self, node: nodes.Reading) -> Meaning:
        """Cells are known if `digit_of` has their digit."""
        if isinstance(node, nodes.Cell) and not node.variable.is_constant:
            return self.held(node, lambda variable, number: self.digit_of(variable, number))
        return super().read(node)

    def recursive_call(self, node: nodes.ApplyRecursive) -> Meaning:
        """Not known: calls may take longer here than in play, where calls are counted."""
        return not_known


class Residues:
    """The residues of the actions of a game."""

    def __init__(self, model: Model, unknown: Iterable[nodes.Variable]) -> None:
        self._model = model
        unknown_offsets = {variable.offset for variable in unknown}
        self._known = [
            variable
            for variable in model.variables
            if not variable.is_constant and variable.offset not in unknown_offsets
        ]
        self._evaluator = _CellEvaluator(model)

    def residue(self, move: nodes.Move, action: int, cells: Cells, turn: int) -> Residue | None:
        """The residue of an action in a state, computed from the known cells; None if the action is
        illegal for all values of the unknown cells."""
        tracing = _Tracing(self._evaluator, self._known, cells, self._model.players[turn])
        tracing.trace += [action, turn]
        try:
            tracing.choose(move, arguments_of(move, action))
            tracing.carry_out(move.body)
        except _NotLegalError:
            return None
        except _WaitsError:
            tracing.keep_names()
        tracing.keep_cells()
        return tuple(tracing.trace)


class _Tracing:
    """The evaluation of an action: `trace` holds the values computed so far."""

    def __init__(
        self, evaluator: _CellEvaluator, known: list[nodes.Variable], cells: Cells, player: Atom
    ) -> None:
        self.trace: list[Hashable] = []
        self._evaluator = evaluator
        self._variables = {variable.offset: variable for variable in known}
        self._cells = cells
        self._player: Atom | None = player
        self._written: dict[tuple[int, int], int] = {}
        self._blurred: set[int] = set()
        self._names: dict[int, Value] = {}
        self._is_sure = True
        """Whether no unknown value has been asked for yet."""
        self._is_certain = True
        """Whether the present statement is certainly carried out."""

    # --- what names and cells stand for ----------------------------------------------------

    def local(self, slot: int) -> Value:
        """As `evaluate.Names`."""
        if slot not in self._names:
            raise NotKnownError
        return self._names[slot]

    def mover(self, word: nodes.MoverWord) -> Value:
        """As `evaluate.Names`."""
        if self._player is None or word == "me":
            raise NotKnownError
        return self._player

    def _digit(self, variable: nodes.Variable, number: int) -> int | None:
        if variable.offset not in self._variables or variable.offset in self._blurred:
            return None
        digit = self._written.get((variable.offset, number))
        return self._cells[variable.offset + number] if digit is None else digit

    def keep_names(self) -> None:
        """Add the values of all names."""
        for slot in sorted(self._names):
            self.trace += [slot, self._names[slot]]

    def keep_cells(self) -> None:
        """Add the values of the known cells: the written value if known, else the value before the
        action."""
        for offset, variable in self._variables.items():
            for number in variable.cells:
                if offset in self._blurred or (offset, number) not in self._written:
                    self.trace.append(self._cells[offset + number])
                else:
                    self.trace.append(self._written[offset, number])

    def _blur(self, variable: nodes.Variable) -> None:
        """Treat the variable as unknown from here on."""
        if variable.offset in self._variables and variable.offset not in self._blurred:
            self._keep_all_of(variable)
            self._blurred.add(variable.offset)

    def _keep_all_of(self, variable: nodes.Variable) -> None:
        start = variable.offset
        self.trace += [self._digit(variable, number) for number in variable.cells]
        self.trace += self._cells[start : start + variable.size]

    # --- expressions -----------------------------------------------------------------------

    def value(self, node: nodes.Expr) -> Value | None:
        """The value, which is added to the trace; None if the value is unknown: then the values of
        all relevant parts are added."""
        self._evaluator.digit_of = self._digit
        try:
            value = self._evaluator.value(node, self)
        except NotKnownError:
            self._is_sure = False
            self.trace.append(OPEN)
            return self._value_of_parts(node)
        except OperationError:
            self._is_sure = False
            self.trace.append(FAILED)
            return None
        self.trace.append(value)
        return value

    def _value_of_parts(self, node: nodes.Expr) -> Value | None:
        match node:
            case nodes.Logic():
                wanted = node.operator == "or"
                for operand in node.operands:
                    if self.value(operand) is wanted:
                        return wanted  # unless an earlier operand fails, which then ends the play
                return None
            case nodes.Conditional():
                condition = self.value(node.condition)
                if condition is None:
                    self.value(node.then)
                    self.value(node.otherwise)
                    return None
                return self.value(node.then if condition else node.otherwise)
            case nodes.Comprehension():
                self._rounds(node, 0)
            case nodes.Apply():
                values = [self.value(argument) for argument in node.arguments]
                self._bind(node.definition.slots, values)
                value = self.value(node.definition.body)
                self._unbind(node.definition.slots)
                return value
            case _ if node.asks in {"moves", "me"} or isinstance(node, nodes.ApplyRecursive):
                self._keep_everything()
            case _:
                for part in parts(node):
                    self.value(part)
                if node.reads is not None and node.reads.offset in self._variables:
                    self._keep_all_of(node.reads)
        return None

    def _rounds(self, node: nodes.Comprehension, depth: int) -> None:
        """Traverse the rounds of a quantifier, one by one where the elements are known."""
        if depth == len(node.clauses):
            self.value(node.element)
            return
        clause = node.clauses[depth]
        for slot in self._each_of(self.value(clause.domain), clause.slot):
            if clause.condition is None or self.value(clause.condition) is not False:
                self._rounds(node, depth + 1)
            self._unbind((slot,))

    def _each_of(self, domain: Value | None, slot: int) -> Iterable[int]:
        """Bind a name to each element of a set; leave the name unbound if the set is unknown."""
        items = None if domain is None else as_collection(domain)
        if items is None or len(items) > MOST_ROUNDS:
            self._unbind((slot,))
            yield slot
            return
        for item in items:
            self._bind((slot,), (item,))
            yield slot

    def _keep_everything(self) -> None:
        self.keep_names()
        for variable in self._variables.values():
            self._keep_all_of(variable)

    def _bind(self, slots: Sequence[int], values: Sequence[Value | None]) -> None:
        for slot, value in zip(slots, values, strict=True):
            if value is None:
                self._names.pop(slot, None)
            else:
                self._names[slot] = value

    def _unbind(self, slots: Iterable[int]) -> None:
        for slot in slots:
            self._names.pop(slot, None)

    def _hold(self, condition: nodes.Expr) -> None:
        """Evaluate a condition of legality."""
        if self.value(condition) is False and self._is_sure:
            raise _NotLegalError

    # --- statements ------------------------------------------------------------------------

    def choose(self, move: nodes.Move, arguments: tuple[Value, ...]) -> None:
        """Bind the parameters of the action."""
        for parameter, argument in zip(move.parameters, arguments, strict=True):
            if parameter.choices is not None:
                allowed = self.value(parameter.choices)
                is_out = allowed is not None and argument not in as_collection(allowed)
                if is_out and self._is_sure:
                    raise _NotLegalError
            self._names[parameter.slot] = argument
            if parameter.condition is not None:
                self._hold(parameter.condition)

    def carry_out(self, block: nodes.Block) -> None:
        """Carry out the statements in sequence."""
        for statement in block:
            self._statement(statement)

    def _statement(self, statement: nodes.Statement) -> None:
        match statement:
            case nodes.Put():
                self._put(statement)
            case nodes.Let():
                self._bind((statement.slot,), (self.value(statement.value),))
            case nodes.Branch():
                self._branch(statement)
            case nodes.Loop():
                self._loop(statement)
            case nodes.Require():
                self._hold(statement.condition)
            case _:
                for part in expressions_of(statement):
                    self.value(part)
                if facts_of(statement).draws:
                    if self._is_certain:
                        raise _WaitsError
                    self._keep_everything()

    def _put(self, statement: nodes.Put) -> None:
        variable = statement.place.variable
        indices = [self.value(index) for index in statement.place.indices]
        value = self.value(statement.value)
        if variable.offset == nodes.TURN:
            self._player = None
        if variable.offset not in self._variables:
            return
        known = [index for index in indices if index is not None]
        digit = number = None
        if value is not None and len(known) == len(indices) and self._is_certain:
            try:
                number = place_of(variable, known)
            except OperationError:
                number = None
            if number is not None and variable.domain_of(number).position(value) is not None:
                digit = variable.domain.position(value)
        if number is None or digit is None:
            self._blur(variable)
        elif variable.offset not in self._blurred:
            self._written[variable.offset, number] = digit

    def _branch(self, statement: nodes.Branch) -> None:
        for place, (condition, body) in enumerate(statement.branches):
            holds = self.value(condition)
            if holds is True:
                self.carry_out(body)
                return
            if holds is None:
                rest = [block for _, block in statement.branches[place:]]
                for further, _ in statement.branches[place + 1 :]:
                    self.value(further)
                self._perhaps([*rest, statement.otherwise])
                return
        self.carry_out(statement.otherwise)

    def _loop(self, statement: nodes.Loop) -> None:
        domain = self.value(statement.domain)
        items = None if domain is None else as_collection(domain)
        if items is None or len(items) > MOST_ROUNDS or statement.going is not None:
            self._unbind((statement.slot,))
            for test in (statement.condition, statement.going):
                if test is not None:
                    self.value(test)
            self._perhaps([statement.body])
            return
        for item in items:
            self._names[statement.slot] = item
            asked = True if statement.condition is None else self.value(statement.condition)
            if asked is None:
                self._perhaps([statement.body])
            elif asked:
                self.carry_out(statement.body)
        self._unbind((statement.slot,))

    def _perhaps(self, bodies: Sequence[nodes.Block]) -> None:
        """Traverse bodies that may be carried out any number of times or not at all."""
        inside = [facts for body in bodies for facts in facts_in(body)]
        for facts in inside:
            if facts.writes is not None:
                self._blur(facts.writes)
            if facts.sets_turn or facts.draws:
                self._player = None
            self._unbind(facts.binds)
        before, self._is_certain = self._is_certain, False
        for body in bodies:
            self.carry_out(body)
        self._is_certain = before
        for facts in inside:
            self._unbind(facts.binds)
