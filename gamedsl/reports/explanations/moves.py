"""ACTIONS and RESULT as formulas, from the moves of a file.

The formulas give the legal actions exactly, and the effect of moves whose body is a sequence of
assignments. Other bodies are shown by the file's own lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gamedsl.reports.explanations.endings import compared
from gamedsl.reports.explanations.mathematics import AND, OR, TERM, UNION, Mathematics, names_in
from gamedsl.reports.explanations.names import Names
from gamedsl.reports.formulas.tree import (
    Formula,
    Group,
    Kind,
    Line,
    Word,
    joined,
    parenthesized,
    row,
)
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

Effects = dict[str, ast.EffectDecl]


def effects_of(declarations: Iterable[ast.Declaration]) -> Effects:
    """The effects of a file by name."""
    return {d.name.text: d for d in declarations if isinstance(d, ast.EffectDecl)}


def inside(body: Iterable[ast.Node], effects: Effects) -> Iterator[ast.Node]:
    """All nodes of a block, including nodes of the effects run."""
    for node in ast.nodes_in(tuple(body)):
        yield node
        if isinstance(node, ast.CallEffect) and node.name.text in effects:
            yield from inside(effects[node.name.text].body, effects)


def action_formulas(
    declarations: tuple[ast.Declaration, ...], mathematics: Mathematics, names: Names
) -> tuple[Line, ...]:
    """ACTIONS(s), a line for each family of moves.

    Families are joined by ∪; of groups separated by `otherwise`, the first non-empty group counts.
    """
    groups: list[list[ast.MoveDecl]] = [[]]
    for declaration in declarations:
        if isinstance(declaration, ast.Otherwise):
            groups.append([])
        elif isinstance(declaration, ast.MoveDecl):
            groups[-1].append(declaration)
    groups = [group for group in groups if group]
    is_joint = any(move.is_simultaneous for group in groups for move in group)
    me = (", ", Word("me")) if is_joint else ()
    who = row("ACTIONS(", names.symbol, *me, ")")
    writer = _ActionWriter(mathematics, effects_of(declarations))
    bans = [
        Line(
            row(
                "of these, no action that brings back a value that ",
                compared(repeat, names.symbol),
                " has had before",
            )
        )
        for repeat in declarations
        if isinstance(repeat, ast.RepeatDecl) and repeat.outcome is None
    ]
    empty = [Line(row(who, f" = {{}} where {names.terminal}(", names.symbol, ") holds"))]
    if len(groups) == 1:
        return (*_joined(row(who, " = "), groups[0], writer), *bans, *empty)
    lines = [Line(row(who, " = the first of these sets that is not empty:"))]
    for number, group in enumerate(groups, 1):
        for line in _joined(row(f"{number}. "), group, writer):
            lines.append(Line(line.formula, line.depth + 1))
    return (*lines, *bans, *empty)


def _joined(head: Formula, moves: list[ast.MoveDecl], writer: _ActionWriter) -> Iterator[Line]:
    for number, move in enumerate(moves):
        actions = writer.set_of(move)
        yield Line(row("∪ ", actions), 1) if number else Line(row(head, actions))


@dataclass(frozen=True, slots=True)
class _ActionWriter:
    mathematics: Mathematics
    effects: Effects

    def set_of(self, move: ast.MoveDecl) -> Formula:
        """`{ take(k) : k ∈ {1, 2, 3}, k ≤ left }`, followed by the explanations of `let` names."""
        write = self.mathematics
        parameters = [
            row(
                write.bound(p.name.text, p.domain, is_subset=p.is_subset),
                *(() if p.condition is None else (" with ", write.formula(p.condition))),
            )
            for p in move.parameters
        ]
        conditions = list(self._conditions(move.body, row))
        such = [*parameters, *(formula for _, formula in conditions)]
        lets = _lets_for([node for node, _ in conditions], move.body)
        where = (" where ", joined(", ", (_let_formula(let, write) for let in lets)))
        members = row(action_formula(move), *((" : ", joined(", ", such)) if such else ()))
        return row(Group("{", row(" ", members, " "), "}"), *(where if lets else ()))

    def _conditions(
        self, body: tuple[ast.Node, ...], wrap: Callable[[Formula], Formula]
    ) -> Iterator[tuple[ast.Node, Formula]]:
        """The conditions of a body, with their nodes; `wrap` adds the surrounding condition."""
        write = self.mathematics
        for number, node in enumerate(body):
            match node:
                case ast.Require(condition=condition):
                    yield from ((node, wrap(part)) for part in self._conjuncts(condition))
                case ast.Ensure(condition=condition):
                    is_last = not any(map(_assigned, body[number + 1 :]))
                    for part in self._conjuncts(condition):
                        later = row(part, " after the lines above its `ensure`")
                        yield node, wrap(row("afterwards ", part) if is_last else later)
                case ast.RequireGreatest(value=value):
                    yield node, row(write.formula(value), " is the greatest of all these")
                case ast.If(branches=branches, otherwise=otherwise):
                    before: list[Formula] = []
                    for condition, block in branches:
                        under = joined(" ∧ ", [*before, write.formula(condition, AND)])
                        yield from self._conditions(block, _under(wrap, under))
                        before.append(row("¬", parenthesized(write.formula(condition))))
                    under = joined(" ∧ ", before)
                    yield from self._conditions(otherwise or (), _under(wrap, under))
                case ast.For():
                    yield from self._conditions(node.body, _for_each(wrap, write, node))
                case ast.CallEffect(name=name) if name.text in self.effects:
                    inner = inside(self.effects[name.text].body, self.effects)
                    if any(isinstance(statement, ast.Ensure) for statement in inner):
                        yield node, wrap(row(f"what `{name.text}` ensures"))

    def _conjuncts(self, condition: ast.Expression) -> Iterator[Formula]:
        if isinstance(condition, ast.Logic) and condition.operator == "and":
            yield from (self.mathematics.formula(operand, OR) for operand in condition.operands)
        else:
            yield self.mathematics.formula(condition, OR)


def _under(wrap: Callable[[Formula], Formula], condition: Formula) -> Callable[[Formula], Formula]:
    return lambda formula: wrap(row(formula, " if ", condition))


def _for_each(
    wrap: Callable[[Formula], Formula], write: Mathematics, node: ast.For
) -> Callable[[Formula], Formula]:
    over = for_each(node, write)
    return lambda formula: wrap(row("∀ ", over, ": ", formula))


def for_each(node: ast.For, write: Mathematics) -> Formula:
    """`k ∈ {1, ..., n} while going`: the rounds of a loop."""
    over = write.quantified((ast.Clause(node.span, node.name, node.domain, node.condition),))
    return over if node.going is None else row(over, " while ", write.formula(node.going))


def action_formula(move: ast.MoveDecl) -> Formula:
    """`take(h, n)`."""
    return application(move.name.text, (parameter.name.text for parameter in move.parameters))


def application(name: str, parameters: Iterable[str]) -> Formula:
    """`name(a, b)`, or the name alone without parameters."""
    names = [Word(parameter) for parameter in parameters]
    head = Word(name, Kind.OPERATOR)
    return row(head, parenthesized(joined(", ", names))) if names else head


def _let_formula(let: ast.Let, write: Mathematics) -> Formula:
    return row(Word(let.name.text), " = ", write.formula(let.value, OR))


def _lets_for(conditions: list[ast.Node], body: ast.Block) -> list[ast.Let]:
    """The `let`s, in order, whose names the conditions use, directly or through other `let`s."""
    wanted = {name for node in conditions for name in names_in(node)}
    lets: list[ast.Let] = []
    for node in reversed(list(inside(body, {}))):
        if isinstance(node, ast.Let) and node.name.text in wanted:
            lets.append(node)
            wanted |= set(names_in(node.value))
    return lets[::-1]


def result_formulas(
    declarations: tuple[ast.Declaration, ...],
    mathematics: Mathematics,
    names: Names,
    has_one_player: bool,
) -> tuple[Line, ...]:
    """RESULT(s, a) of the moves whose body is a sequence of assignments."""
    formulas = []
    for move in declarations:
        if not isinstance(move, ast.MoveDecl):
            continue
        passes = not (has_one_player or move.is_simultaneous)
        changes = _changes(move.body, mathematics, passes)
        if changes is None:
            continue
        formulas.append(Line(row(result_of(move, names), " = ", names.symbol, " with ", changes)))
    if formulas:
        note = row("(", Word("x"), " ← ", Word("e"), ": ", Word("x"), " becomes what ", Word("e"),
                   " is in ", names.symbol, ")")  # fmt: skip
        formulas.append(Line(note))
    return tuple(formulas)


def result_of(move: ast.MoveDecl, names: Names) -> Formula:
    """`RESULT(s, take(n))`."""
    each = (" of each player ", Word("me")) if move.is_simultaneous else ()
    return row("RESULT(", names.symbol, ", ", action_formula(move), *each, ")")


def _changes(body: ast.Block, mathematics: Mathematics, passes: bool) -> Formula | None:
    """`left ← left - n, turn ← next(turn)`.

    None if a change depends on an earlier change, or on conditions or chance.
    """
    write = mathematics
    changed: list[Formula] = []
    assigned: set[str] = set()
    lets: list[ast.Let] = []
    for node in body:
        read: set[str] = set()
        match node:
            case ast.Require() | ast.Ensure() | ast.RequireGreatest():
                continue
            case ast.Let():
                lets.append(node)
                read = write.read_by(node.value)
            case ast.Assign(target=target):
                changed.append(assignment(node, write))
                read = write.read_by((node.value, _indices(target)))
                if node.operator != "=":
                    read |= set(names_in(target))
            case ast.AssignAll(targets=targets, values=values):
                pairs = zip(targets, values, strict=True)
                changed += [becomes(t, v, write) for t, v in pairs]
                read = write.read_by((values, tuple(map(_indices, targets))))
            case ast.For(name=name, domain=domain, condition=condition, going=None):
                if len(node.body) != 1 or not isinstance(node.body[0], ast.Assign):
                    return None
                inner = node.body[0]
                clause = ast.Clause(node.span, name, domain, condition)
                over = write.quantified((clause,))
                changed.append(row(assignment(inner, write), " for each ", over))
                read = write.read_by((clause, inner.value, _indices(inner.target)))
                if _assigned(inner) & read or inner.operator != "=":
                    return None
            case ast.Again():
                passes = False
                continue
            case _:
                return None
        if read & assigned:
            return None
        assigned |= _assigned(node)
    if not changed or len(changed) > _MOST_CHANGES:
        return None
    if passes and "turn" not in assigned:
        changed.append(PASSED)
    used = _lets_for([node for node in body if not isinstance(node, ast.Let)], body)
    where = [_let_formula(let, write) for let in used if let in lets]
    return row(joined(", ", changed), *((" where ", joined(", ", where)) if where else ()))


_MOST_CHANGES = 6
PASSED = row(
    Word("turn"), " ← ", Word("next", Kind.OPERATOR), parenthesized(Word("turn"))
)  # fmt: skip
"""The turn passes to the next player."""


def assignment(node: ast.Assign, write: Mathematics) -> Formula:
    """`left ← left - n`."""
    if node.operator == "=":
        return becomes(node.target, node.value, write)
    target = write.formula(node.target)
    changed = row(target, f" {node.operator[0]} ", write.formula(node.value, TERM))
    return row(target, " ← ", changed)


def becomes(target: ast.Expression, value: ast.Expression, write: Mathematics) -> Formula:
    """`target ← value`."""
    return row(write.formula(target), " ← ", write.formula(value, UNION))


def _indices(target: ast.Expression) -> tuple[ast.Expression, ...]:
    return target.indices if isinstance(target, ast.Index) else ()


def _assigned(node: ast.Node) -> set[str]:
    """Names of the variables assigned by a statement."""
    names: set[str] = set()
    for statement in inside((node,), {}):
        targets: tuple[ast.Expression, ...] = ()
        if isinstance(statement, ast.Assign):
            targets = (statement.target,)
        elif isinstance(statement, ast.AssignAll):
            targets = statement.targets
        for target in targets:
            base = target.base if isinstance(target, ast.Index) else target
            names |= set(names_in(base))
    return names
