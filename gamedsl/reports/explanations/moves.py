"""ACTIONS and RESULT as formulas, from the moves of a file.

The formulas give the legal actions exactly, and the effect of moves whose body is a sequence of
assignments. Other bodies are shown by the file's own lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gamedsl.reports.explanations.endings import compared
from gamedsl.reports.explanations.mathematics import AND, OR, TERM, UNION, Mathematics, names_in
from gamedsl.reports.explanations.names import Names
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
) -> tuple[str, ...]:
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
    who = f"ACTIONS({names.s}, me)" if is_joint else f"ACTIONS({names.s})"
    writer = _ActionWriter(mathematics, effects_of(declarations))
    bans = [
        f"of these, no action that brings back a value that {compared(repeat, names.s)} has had "
        "before"
        for repeat in declarations
        if isinstance(repeat, ast.RepeatDecl) and repeat.outcome is None
    ]
    empty = [f"{who} = {{}} where {names.terminal}({names.s}) holds"]
    if len(groups) == 1:
        return (*_joined(f"{who} = ", groups[0], writer), *bans, *empty)
    lines = [f"{who} = the first of these sets that is not empty:"]
    for number, group in enumerate(groups, 1):
        lines += _joined(f"  {number}. ", group, writer)
    return (*lines, *bans, *empty)


def _joined(head: str, moves: list[ast.MoveDecl], writer: _ActionWriter) -> Iterator[str]:
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    for number, move in enumerate(moves):
        yield f"{head if not number else indent + '∪ '}{writer.set_of(move)}"


@dataclass(frozen=True, slots=True)
class _ActionWriter:
    mathematics: Mathematics
    effects: Effects

    def set_of(self, move: ast.MoveDecl) -> str:
        """`{ take(k) : k ∈ {1, 2, 3}, k ≤ left }`, followed by the explanations of `let` names."""
        write = self.mathematics
        parameters = [
            write.bound(p.name.text, p.domain, is_subset=p.is_subset)
            + ("" if p.condition is None else f" with {write.formula(p.condition)}")
            for p in move.parameters
        ]
        conditions = list(self._conditions(move.body, str))
        such = ", ".join([*parameters, *(text for _, text in conditions)])
        lets = _lets_for([node for node, _ in conditions], move.body)
        where = ", ".join(_let_text(let, write) for let in lets)
        written = action_text(move)
        return f"{{ {written}{' : ' + such if such else ''} }}" + (
            f" where {where}" if where else ""
        )

    def _conditions(
        self, body: tuple[ast.Node, ...], wrap: Callable[[str], str]
    ) -> Iterator[tuple[ast.Node, str]]:
        """The conditions of a body, with their nodes; `wrap` adds the surrounding condition."""
        write = self.mathematics
        for number, node in enumerate(body):
            match node:
                case ast.Require(condition=condition):
                    yield from ((node, wrap(text)) for text in self._conjuncts(condition))
                case ast.Ensure(condition=condition):
                    is_last = not any(map(_assigned, body[number + 1 :]))
                    when = "afterwards {}" if is_last else "{} after the lines above its `ensure`"
                    for text in self._conjuncts(condition):
                        yield node, wrap(when.format(text))
                case ast.RequireGreatest(value=value):
                    yield node, f"{write.formula(value)} is the greatest of all these"
                case ast.If(branches=branches, otherwise=otherwise):
                    before = ""
                    for condition, block in branches:
                        yield from self._conditions(
                            block, _under(wrap, before + write.formula(condition, AND))
                        )
                        before += f"¬({write.formula(condition)}) ∧ "
                    yield from self._conditions(
                        otherwise or (), _under(wrap, before.removesuffix(" ∧ "))
                    )
                case ast.For():
                    yield from self._conditions(node.body, _for_each(wrap, write, node))
                case ast.CallEffect(name=name) if name.text in self.effects:
                    inner = inside(self.effects[name.text].body, self.effects)
                    if any(isinstance(statement, ast.Ensure) for statement in inner):
                        yield node, wrap(f"what `{name.text}` ensures")

    def _conjuncts(self, condition: ast.Expression) -> Iterator[str]:
        if isinstance(condition, ast.Logic) and condition.operator == "and":
            yield from (self.mathematics.formula(operand, OR) for operand in condition.operands)
        else:
            yield self.mathematics.formula(condition, OR)


def _under(wrap: Callable[[str], str], condition: str) -> Callable[[str], str]:
    return lambda text: wrap(f"{text} if {condition}")


def _for_each(
    wrap: Callable[[str], str], write: Mathematics, node: ast.For
) -> Callable[[str], str]:
    over = write.quantified((ast.Clause(node.span, node.name, node.domain, node.condition),))
    while_ = "" if node.going is None else f" while {write.formula(node.going)}"
    return lambda text: wrap(f"∀ {over}{while_}: {text}")


def action_text(move: ast.MoveDecl) -> str:
    """`take(h, n)`."""
    names = ", ".join(parameter.name.text for parameter in move.parameters)
    return f"{move.name.text}({names})" if names else move.name.text


def _let_text(let: ast.Let, write: Mathematics) -> str:
    return f"{let.name.text} = {write.formula(let.value, OR)}"


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
) -> tuple[str, ...]:
    """RESULT(s, a) of the moves whose body is a sequence of assignments."""
    formulas = []
    for move in declarations:
        if not isinstance(move, ast.MoveDecl):
            continue
        passes = not (has_one_player or move.is_simultaneous)
        changes = _changes(move.body, mathematics, passes)
        if changes is None:
            continue
        each = " of each player me" if move.is_simultaneous else ""
        action = f"{action_text(move)}{each}"
        formulas.append(f"RESULT({names.s}, {action}) = {names.s} with {changes}")
    if formulas:
        formulas.append(f"(x ← e: x becomes what e is in {names.s})")
    return tuple(formulas)


def _changes(body: ast.Block, mathematics: Mathematics, passes: bool) -> str | None:
    """`left ← left - n, turn ← next(turn)`.

    None if a change depends on an earlier change, or on conditions or chance.
    """
    write = mathematics
    changed: list[str] = []
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
                changed.append(_assignment(node, write))
                read = write.read_by((node.value, _indices(target)))
                if node.operator != "=":
                    read |= set(names_in(target))
            case ast.AssignAll(targets=targets, values=values):
                pairs = zip(targets, values, strict=True)
                changed += [f"{write.formula(t)} ← {write.formula(v, UNION)}" for t, v in pairs]
                read = write.read_by((values, tuple(map(_indices, targets))))
            case ast.For(name=name, domain=domain, condition=condition, going=None):
                if len(node.body) != 1 or not isinstance(node.body[0], ast.Assign):
                    return None
                inner = node.body[0]
                clause = ast.Clause(node.span, name, domain, condition)
                over = write.quantified((clause,))
                changed.append(f"{_assignment(inner, write)} for each {over}")
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
        changed.append("turn ← next(turn)")
    used = _lets_for([node for node in body if not isinstance(node, ast.Let)], body)
    where = ", ".join(_let_text(let, write) for let in used if let in lets)
    return ", ".join(changed) + (f" where {where}" if where else "")


_MOST_CHANGES = 6


def _assignment(node: ast.Assign, write: Mathematics) -> str:
    target = write.formula(node.target)
    if node.operator == "=":
        return f"{target} ← {write.formula(node.value, UNION)}"
    sign = node.operator[0]
    return f"{target} ← {target} {sign} {write.formula(node.value, TERM)}"


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
