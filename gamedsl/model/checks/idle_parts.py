"""Note idle parts of the rules: variables that are never read, loops with identical rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.model import nodes
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.walk import all_expressions, blocks_of, expressions_of, statements, within
from gamedsl.source import Severity


def note_idle_parts(
    symbols: SymbolTable,
    variables: tuple[nodes.Variable, ...],
    blocks: tuple[nodes.Block, ...],
    moves: tuple[nodes.Move, ...],
    evaluation: nodes.Evaluation | None,
    repeats: tuple[nodes.Repeat, ...],
) -> None:
    """Note state variables that no rule reads, and loops in `end:` with identical rounds.

    `blocks` are `setup:` and `end:`. Declarations of included files are not noted.
    """
    if symbols.reporter.has_errors:
        return
    is_own = symbols.program.source.is_own
    is_told = any(variable.viewers is not None for variable in variables) or any(
        move.is_simultaneous or move.is_secret for move in moves
    )
    if not is_told:
        read = _read(blocks, moves, evaluation) | symbols.looked_up
        read |= {variable.name for rule in repeats for variable in rule.variables}
        for variable in variables:
            if variable.name not in read and is_own(variable.span):
                symbols.reporter.report(
                    "W1002",
                    variable.span,
                    f"no rule ever asks for `{variable.name}`: it is kept, and makes no difference",
                    severity=Severity.NOTE,
                )
    bodies = [loop for move in moves for loop in _loops(move.body) if _is_done_once(*loop)]
    for loop, over in (*_loops(blocks[-1]), *bodies):
        if is_own(loop.span) and not _uses(loop, over.slot):
            symbols.reporter.report(
                "W1003",
                loop.span,
                f"nothing in this `for` depends on `{over.name}`, so all its rounds are alike",
                hint=f"is `{over.name}` meant where something else is written?",
                severity=Severity.NOTE,
            )


def _read(
    blocks: Iterable[nodes.Block], moves: Iterable[nodes.Move], evaluation: nodes.Evaluation | None
) -> set[str]:
    """The names of the variables that matter: variables read for a purpose other than an assignment
    to the variable itself (`count += 1`), and variables whose domain forbids a value."""
    names: set[str] = set()
    for block in (*blocks, *(move.body for move in moves)):
        for statement in statements(block):
            target = _assigned(statement)
            names |= {n for e in expressions_of(statement) for n in _variables(e) if n != target}
            if target is not None and facts_of(statement).may_not_fit:
                names.add(target)
    conditions = [part for m in moves for p in m.parameters for part in expressions_of(p)]
    if evaluation is not None:
        conditions.append(evaluation.value)
        if evaluation.quiescent is not None:
            conditions.append(evaluation.quiescent)
    return names.union(*map(_variables, conditions))


def _assigned(statement: nodes.Statement) -> str | None:
    """The name of the variable whose cell a statement assigns; None for other statements."""
    facts = facts_of(statement)
    return None if facts.writes is None or facts.value is None else facts.writes.name


def _variables(expression: nodes.Expr) -> set[str]:
    parts = within(expression)
    return {part.reads.name for part in parts if part.reads is not None}


def _loops(block: nodes.Block) -> Iterator[tuple[nodes.Statement, nodes.Ranging]]:
    for statement in statements(block):
        if (over := facts_of(statement).over) is not None:
            yield statement, over


def _is_done_once(loop: nodes.Statement, over: nodes.Ranging) -> bool:
    """Whether later rounds repeat the effect of the first round: no assignment in the loop depends
    on a variable that the loop writes."""
    if over.domain.known == ():
        return False
    body = [statement for block in blocks_of(loop) for statement in statements(block)]
    written = {_assigned(done) for done in body if not isinstance(done, nodes.Branch)}
    if None in written:
        return False
    read = {name for statement in body for e in expressions_of(statement) for name in _variables(e)}
    return written.isdisjoint(read)


def _uses(loop: nodes.Statement, slot: int) -> bool:
    """Whether a statement of the loop depends on the loop variable."""
    return any(n.local == slot for block in blocks_of(loop) for n in all_expressions(block))
