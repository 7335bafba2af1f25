"""Variables with `always`: an effect at the end of `setup:` and of every move in turn.

In: the program as written. Out: a program without `always`, in which an effect assigns the values.
So the checker and all engines know only assignments; names of moves and of `always` cannot meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.symbols.symbol_table import assigned_names
from gamedsl.source import Label
from gamedsl.syntax import ast

_EFFECT = "always:"
"""The name of the effect; no game can have the name."""
_TURN = frozenset({"turn", "opponent", "me"})


def with_values_kept(program: ast.Program, reporter: Reporter) -> ast.Program:
    """The program with assignments in the place of `always`; the program itself if no variable has
    the word. Values that cannot be kept are reported (E0138, E0139)."""
    kept = [variable for variable in _variables(program) if _is_kept(variable)]
    if not kept:
        return program
    _check(program, kept, reporter)
    span = kept[0].span
    name = ast.Name(span, _EFFECT)
    call = (ast.CallEffect(span, name, ()),)
    declarations = [_changed(declared, call) for declared in program.declarations]
    if not any(isinstance(declared, ast.SetupDecl) for declared in declarations):
        declarations.append(ast.SetupDecl(span, call))
    declarations.append(ast.EffectDecl(span, name, (), tuple(map(_assignment, kept))))
    return replace(program, declarations=tuple(declarations))


def _variables(program: ast.Program) -> Iterator[ast.VariableDecl]:
    for declared in program.declarations:
        if isinstance(declared, ast.StateDecl):
            yield from declared.variables


def _is_kept(variable: ast.VariableDecl) -> bool:
    return isinstance(variable.initial, ast.Always)


def _changed(declared: ast.Declaration, refreshing: ast.Block) -> ast.Declaration:
    match declared:
        case ast.StateDecl(variables=variables):
            lines = (replace(v, initial=None) if _is_kept(v) else v for v in variables)
            return replace(declared, variables=tuple(lines))
        case ast.SetupDecl(body=body) | ast.MoveDecl(body=body, is_simultaneous=False):
            return replace(declared, body=(*body, *refreshing))
    return declared


def _assignment(variable: ast.VariableDecl) -> ast.Statement:
    """`for i in S: for j in T: name[i, j] = value`."""
    assert isinstance(variable.initial, ast.Always)
    span = variable.initial.span
    names = tuple(
        index.name or ast.Name(index.span, f"{variable.name.text} {number}")
        for number, index in enumerate(variable.indices)
    )
    name = ast.Name(span, variable.name.text)
    target = ast.Index(span, name, names) if names else name
    statement: ast.Statement = ast.Assign(span, target, "=", variable.initial.value)
    for index, index_name in reversed([*zip(variable.indices, names, strict=True)]):
        statement = ast.For(span, index_name, index.domain, index.condition, None, (statement,))
    return statement


def _check(program: ast.Program, kept: list[ast.VariableDecl], reporter: Reporter) -> None:
    """Report what a kept value may not read, and changes of kept variables by a body."""
    definitions = {d.name.text: d for d in program.declarations if isinstance(d, ast.DefDecl)}
    at_once = [d for d in program.declarations if isinstance(d, ast.MoveDecl) and d.is_simultaneous]
    chosen = assigned_names(at_once)
    for variable in kept:
        assert isinstance(variable.initial, ast.Always)
        read = _names_read(variable.initial.value, definitions)
        for names, reason in (
            (_TURN, "changes only behind a body, after the value is computed"),
            (chosen, "is changed by choices at once, after which no value is computed"),
        ):
            for name in sorted(read & names):
                reporter.report(
                    "E0138",
                    variable.initial.span,
                    f"`{variable.name.text}` depends on `{name}`, which {reason}",
                    hint=_hint(name, variable),
                )
    declared = {variable.name.text: variable.name for variable in kept}
    for node in ast.nodes_in(program.declarations):
        if isinstance(node, ast.Assign | ast.AssignAll | ast.Chance | ast.CallEffect):
            for name in sorted(assigned_names((node,)) & declared.keys()):
                reporter.report(
                    "E0139",
                    node.span,
                    f"`{name}` has the value of its declaration, and no statement changes it",
                    secondary=(Label(declared[name].span, "`always` stands here"),),
                    hint=f"leave the statement out, or write `=` for `always` above `{name}`",
                )


def _hint(name: str, variable: ast.VariableDecl) -> str | None:
    if name in _TURN:
        text = variable.name.text
        return f"a value for each player: `{text}[p in players, ...]: ... always ... secret to p`"
    return None


def _names_read(value: ast.Expression, definitions: dict[str, ast.DefDecl]) -> set[str]:
    """The names in an expression, and in the definitions that the expression uses."""
    names: set[str] = set()
    pending: list[ast.Expression] = [value]
    while pending:
        new = set(_names(ast.nodes_in(pending.pop()))) - names
        names |= new
        pending += [definitions[name].value for name in new & definitions.keys()]
    return names


def _names(nodes: Iterable[ast.Node]) -> Iterator[str]:
    return (node.text for node in nodes if isinstance(node, ast.Name))
