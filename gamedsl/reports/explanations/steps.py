"""Blocks of statements as mathematics, a line for each step, carried out in order.

Every block can be written so: assignments are arrows, conditions and loops are indented lines,
chance draws a value, effects are named and written once. The order of the lines is the order of
the statements, so no line depends on a later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.reports.explanations.endings import Endings
from gamedsl.reports.explanations.mathematics import OR, Mathematics
from gamedsl.reports.explanations.moves import (
    PASSED,
    application,
    assignment,
    becomes,
    for_each,
    inside,
    result_of,
)
from gamedsl.reports.explanations.names import Names
from gamedsl.reports.formulas.tree import Formula, Line, Word, joined, row
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Steps:
    """Writes the blocks of a file; `players` in turn order."""

    mathematics: Mathematics
    names: Names
    endings: Endings
    players: tuple[str, ...]

    def moves(self, moves: Iterable[ast.MoveDecl]) -> Iterator[Line]:
        """`RESULT(s, roll) = s after these steps, in order:` and the steps of each move."""
        for move in moves:
            s = self.names.symbol
            after = row(result_of(move, self.names), " = ", s, " after these steps, in order:")
            yield Line(after)
            body = tuple(node for node in move.body if not _is_condition(node))
            yield from self.block(body, 1)
            yield from self._passing(move)

    def effects(self, effects: Iterable[ast.EffectDecl]) -> Iterator[Line]:
        """`lift(q)` and its steps, for each effect."""
        for effect in effects:
            head = application(effect.name.text, (p.text for p in effect.parameters))
            yield Line(row(head, ":"))
            yield from self.block(effect.body, 1)

    def block(self, body: Iterable[ast.Node], depth: int) -> Iterator[Line]:
        """The lines of a block."""
        for node in body:
            yield from self._statement(node, depth)

    def _passing(self, move: ast.MoveDecl) -> Iterator[Line]:
        """The turn passes at the end, unless a step before said otherwise."""
        if len(self.players) == 1 or move.is_simultaneous:
            return
        stays = any(isinstance(node, ast.Again) for node in inside(move.body, {}))
        yield Line(row(PASSED, *([", unless the same player moves again"] if stays else [])), 1)

    def _statement(self, node: ast.Node, depth: int) -> Iterator[Line]:
        write = self.mathematics
        match node:
            case ast.Assign():
                yield Line(assignment(node, write), depth)
            case ast.AssignAll(targets=targets, values=values):
                pairs = zip(targets, values, strict=True)
                yield Line(joined(", ", (becomes(t, v, write) for t, v in pairs)), depth)
            case ast.Let(name=name, value=value):
                yield Line(row("let ", Word(name.text), " = ", write.formula(value, OR)), depth)
            case ast.Chance():
                yield Line(row(drawn(node, write), " is drawn by chance"), depth)
            case ast.Again():
                yield Line(row("the same player moves again"), depth)
            case ast.Require(condition=condition) | ast.Ensure(condition=condition):
                yield Line(row("here ", write.formula(condition, OR), " must hold"), depth)
            case ast.RequireGreatest(value=value):
                yield Line(row(write.formula(value), " must be the greatest of all these"), depth)
            case ast.Reward(shares=shares):
                gains = (row(write.formula(p), " gets ", write.formula(e)) for p, e in shares)
                yield Line(joined(", ", gains), depth)
            case ast.CallEffect(name=name, arguments=arguments):
                yield Line(write.formula(ast.Call(node.span, name, arguments)), depth)
            case ast.If():
                yield from self._branches(node, depth)
            case ast.For(body=inner):
                head = row("for each ", for_each(node, write), ":")
                yield from _on_one_line(head, list(self.block(inner, depth + 1)), depth)
            case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff():
                yield Line(row("the game ends: ", self.endings.paid(node)), depth)

    def _branches(self, node: ast.If, depth: int) -> Iterator[Line]:
        word = "if "
        for condition, block in node.branches:
            lines = list(self.block(block, depth + 1))
            head = row(word, self.mathematics.formula(condition), ":")
            yield from _on_one_line(head, lines, depth)
            word = "else if "
        if node.otherwise is not None:
            yield from _on_one_line(
                row("else:"), list(self.block(node.otherwise, depth + 1)), depth
            )


def _on_one_line(head: Formula, lines: list[Line], depth: int) -> Iterator[Line]:
    """`if c: x ← 1` on one line if the block has a single line."""
    if len(lines) == 1:
        yield Line(row(head, " ", lines[0].formula), depth)
    else:
        yield Line(head, depth)
        yield from lines


def _is_condition(node: ast.Node) -> bool:
    """Whether ACTIONS says the statement already."""
    return isinstance(node, ast.Require | ast.RequireGreatest | ast.Ensure)


def drawn(node: ast.Chance, write: Mathematics) -> Formula:
    """`die ∈ {1, ..., 6} with die ≠ last`: the possible outcomes of a chance event."""
    match node.domain:
        case ast.Weights(pairs=pairs):
            keys = joined(", ", (write.formula(key) for key, _ in pairs))
            return row(write.formula(node.target), " ∈ {", keys, "}")
        case ast.WeightsBuild(key=key, clauses=clauses):
            each = write.quantified(clauses, such=", ")
            return row(write.formula(node.target), " ∈ {", write.formula(key), " : ", each, "}")
    sign = " ⊆ " if node.is_subset else " ∈ "
    such = () if node.condition is None else (" with ", write.formula(node.condition))
    return row(write.formula(node.target), sign, write.formula(node.domain), *such)
