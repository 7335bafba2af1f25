"""Slice the rules: leave out variables and chance events on which nothing in play depends.

In: a checked model. Out: a smaller model with the same actions and the same cells of a state, where
left-out variables keep their first values. Legal actions, turns, endings, payoffs, rewards,
repetitions and errors of the two models agree along every play.

The slice is the backward slice of M. Weiser, "Program slicing" (1981), without regard to the order
of statements. Statements that matter by themselves (conditions of legality, payments, changes of
the turn, all that may fail) keep the variables and local names that they read; every statement that
writes a kept variable is kept. `evaluate` guides searches and has no part in values, so that
`evaluate` keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import prod

from gamedsl.model import nodes
from gamedsl.model.elaborate.derive import with_facts
from gamedsl.model.model import Model
from gamedsl.model.semantics.safety import Safety, fits
from gamedsl.model.slicing.counters import counts_within
from gamedsl.model.slicing.knowledge import hidden_variables
from gamedsl.model.statement_facts import events_of, facts_of
from gamedsl.model.walk import blocks_of, expressions_of, statements, with_blocks, within


def sliced(model: Model) -> Model | None:
    """The model without the variables and chance events on which nothing depends.

    None if everything matters, for a tree, and if players of the slice have secrets: a left-out
    variable that a player sees may tell of a secret.
    """
    if model.tree is not None:
        return None
    slicer = _Slicer(model)
    variables = tuple(map(slicer.variable, model.variables))
    left_out = slicer.left_out()
    if not left_out and variables == model.variables:
        return None
    rules = replace(
        model,
        variables=variables,
        setup=slicer.block(model.setup),
        moves=tuple(map(slicer.move, model.moves)),
        evaluation=slicer.evaluation(),
        left_out=left_out,
    )
    part = with_facts(rules, model.facts.discount)
    return None if part.facts.has_secrets else part


class _Slicer:
    """The variables, by offset, and the local names, by slot, on which something depends."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._safety = Safety()
        self._fails: dict[int, bool] = {}
        self._counters: dict[int, bool] = {}
        self._variables = {v.offset for rule in model.repeats for v in rule.variables}
        self._slots: set[int] = set()
        for rule in model.repeats:
            if rule.outcome is not None:
                self._read(expressions_of(rule.outcome))
        for parameter in (p for move in model.moves for p in move.parameters):
            self._read(expressions_of(parameter))
        self._bodies = (model.setup, *(move.body for move in model.moves))
        self._fixed = _fixed_events(model)
        self._hidden = hidden_variables(model)
        size = -1
        while size < (size := self._size()):
            for body in (model.end, *self._bodies):
                self._keep_in(body)

    def _size(self) -> int:
        return len(self._variables) + len(self._slots)

    def _keep_in(self, block: nodes.Block) -> None:
        """Keep all that the kept statements of a block read and write."""
        for statement in statements(block):
            if self._is_kept(statement):
                self._read(expressions_of(statement))
                written = facts_of(statement).writes
                self._variables |= set() if written is None else {written.offset}

    def _read(self, expressions: Iterable[nodes.Expr]) -> None:
        for node in (part for expression in expressions for part in within(expression)):
            if node.reads is not None:
                self._variables.add(node.reads.offset)
            elif node.local is not None:
                self._slots.add(node.local)

    def _is_kept(self, statement: nodes.Statement) -> bool:
        """Whether a statement has an effect on something that matters, or may fail."""
        if any(map(self._can_fail, expressions_of(statement))):
            return True
        match statement:
            case nodes.Let():
                return statement.slot in self._slots
            case nodes.Put(place=place):
                return self._is_read(place) or not (self._fits(statement) and _is_on_board(place))
            case nodes.Chance() if id(statement) in self._fixed:
                return True
            case nodes.Chance(place=place):
                is_sure = _has_outcomes(statement)
                if isinstance(place, int):
                    return place in self._slots or not is_sure
                is_sure = is_sure and _is_on_board(place) and _all_fit(statement, place)
                return self._is_read(place) or not is_sure
        inner = blocks_of(statement)
        return not inner or any(self._is_kept(s) for block in inner for s in block)

    def _is_read(self, place: nodes.Place) -> bool:
        """Whether something depends on a place; the turn matters by itself."""
        variable = place.cell_variable
        return variable is None or variable.offset in self._variables

    def _fits(self, statement: nodes.Put) -> bool:
        """Whether the written value certainly lies in the domain."""
        variable = statement.place.variable
        if not statement.proved and variable.offset not in self._counters:
            self._counters[variable.offset] = counts_within(self._model, variable, self._variables)
        return statement.proved or self._counters[variable.offset]

    def _can_fail(self, expression: nodes.Expr) -> bool:
        """Whether an evaluation may raise an error; recursive calls may be too many."""
        known = self._fails.get(id(expression))
        if known is None:
            calls = (isinstance(part, nodes.ApplyRecursive) for part in within(expression))
            known = self._safety.can_fail(expression) or any(calls)
            self._fails[id(expression)] = known
        return known

    # --- the slice -------------------------------------------------------------------------

    def block(self, block: nodes.Block) -> nodes.Block:
        """The kept statements of a block."""
        return tuple(with_blocks(kept, self.block) for kept in filter(self._is_kept, block))

    def move(self, move: nodes.Move) -> nodes.Move:
        """The move with the kept statements; no secret if the name alone tells the effect."""
        body, slots = self.block(move.body), {p.slot for p in move.parameters}
        effects = [s for s in statements(body) if not facts_of(s).forbids]
        expressions = (part for s in effects for e in expressions_of(s) for part in within(e))
        read = {part.local for part in expressions if part.local is not None}
        is_told = slots.isdisjoint(read)
        return replace(move, body=body, is_secret=move.is_secret and not is_told)

    def variable(self, variable: nodes.Variable) -> nodes.Variable:
        """The variable in the slice: constant if left out, public if everybody knows the cells."""
        is_mine = len(self._model.players) == 1 and _is_own(variable)
        is_known = variable.offset not in self._hidden or is_mine
        if variable.offset not in self._variables:
            filled = tuple(
                _first_digit(variable, number) if digit is None else digit
                for number, digit in enumerate(variable.initial)
            )
            return replace(variable, initial=filled, viewers=None, is_constant=True)
        return replace(variable, viewers=None) if is_known else variable

    def evaluation(self) -> nodes.Evaluation | None:
        """EVAL, unless EVAL reads what is left out."""
        evaluation = self._model.evaluation
        if evaluation is None:
            return None
        tests = () if evaluation.quiescent is None else (evaluation.quiescent,)
        read = {
            part.reads.offset
            for expression in (evaluation.value, *tests)
            for part in within(expression)
            if part.reads is not None
        }
        return evaluation if read <= self._variables else None

    def left_out(self) -> tuple[str, ...]:
        """The names of the variables and draws that the slice lacks, in order."""
        names = [
            variable.name
            for variable in self._model.variables
            if variable.offset not in self._variables
            and not (variable.is_constant and variable.viewers is None)
        ]
        names += [
            event.name
            for event in events_of(self._model)
            if isinstance(event.place, int) and not self._is_kept(event)
        ]
        return tuple(dict.fromkeys(names))


def _fixed_events(model: Model) -> frozenset[int]:
    """The chance events that cannot be left out, by identity: repetitions are counted from event to
    event, and a chance event of `setup` pays what is paid behind the event."""
    blocks = [model.setup, *(move.body for move in model.moves)] if model.repeats else []
    if any(isinstance(statement, nodes.Reward) for statement in statements(model.setup)):
        blocks.append(model.setup)
    return frozenset(id(s) for block in blocks for s in statements(block) if facts_of(s).draws)


def _first_digit(variable: nodes.Variable, number: int) -> int:
    """The digit of the first value of a cell's own domain."""
    return variable.domain.digit[variable.domain_of(number).values[0]]


def _is_own(variable: nodes.Variable) -> bool:
    """Whether every cell is seen by the first player."""
    return all(variable.is_seen(number, 0) for number in variable.cells)


def _is_on_board(place: nodes.Place) -> bool:
    """Whether the indices of the written cell certainly name a cell."""
    variable, indices = place.variable, place.indices
    are_known = all(index.known is not None for index in indices)
    return (are_known or not variable.missing) and all(
        index.type.is_something and fits(index.type, domain)
        for index, domain in zip(indices, variable.indices, strict=True)
    )


def _all_fit(chance: nodes.Chance, place: nodes.Place) -> bool:
    """Whether every cell of the drawn variable can hold every outcome."""
    variable = place.variable
    domains = {variable.domain_of(number) for number in variable.cells}
    return all(d.position(value) is not None for d in domains for value in chance.support.values)


def _has_outcomes(chance: nodes.Chance) -> bool:
    """Whether the chance event certainly has an outcome, by probabilities that sum to 1."""
    if chance.condition is not None:
        return False
    match chance.domain:
        case nodes.Weighted(clauses=clauses, pairs=pairs):
            rounds = [clause.domain for clause in clauses if clause.condition is None]
            weights = [weight.known for _, weight in pairs if weight.known is not None]
            numbers = [Fraction(w) for w in weights if isinstance(w, int | Fraction) and w >= 0]
            if len(rounds) < len(clauses) or len(numbers) < len(pairs):
                return False
            return (
                prod(len(_elements(domain)) for domain in rounds) * sum(numbers, Fraction(0)) == 1
            )
        case domain:
            return bool(_elements(domain))


def _elements(collection: nodes.Expr) -> tuple[object, ...]:
    """The elements of a constant collection; empty where the collection is not known."""
    value = collection.known
    return value if isinstance(value, tuple) else ()
