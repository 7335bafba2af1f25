"""TERMINAL-TEST and UTILITY as formulas, from `end:` and the rules about repetition.

UTILITY has no formula if a list of cases cannot express the first ending that applies; the file's
own lines then serve instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.reports.explanations.mathematics import (
    AND,
    LOOSEST,
    OR,
    PRIMARY,
    Mathematics,
    names_in,
)
from gamedsl.reports.explanations.names import Names
from gamedsl.reports.formulas.as_text import text_of
from gamedsl.reports.formulas.tree import (
    Formula,
    Group,
    Kind,
    Line,
    Row,
    Sign,
    Word,
    joined,
    parenthesized,
    row,
)
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

_OUTCOMES = (ast.Wins, ast.Loses, ast.Draw, ast.Payoff)


@dataclass(frozen=True, slots=True)
class _Path:
    """The path to an outcome: loops, conditions, and names.

    Conditions have two forms: inside a conjunction, and alone.
    """

    loops: tuple[Formula, ...] = ()
    conditions: tuple[tuple[Formula, Formula], ...] = ()
    lets: tuple[ast.Let, ...] = ()
    read: frozenset[str] = frozenset()

    def under(self, tight: Formula, alone: Formula, node: ast.Node) -> _Path:
        return replace(self, conditions=(*self.conditions, (tight, alone)),
                       read=self.read | set(names_in(node)))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Endings:
    """Formulas about the end of play; `players` in turn order."""

    mathematics: Mathematics
    names: Names
    players: tuple[str, ...]

    def terminal(self, declarations: tuple[ast.Declaration, ...]) -> tuple[Line, ...]:
        """The lines of a disjunction equal to TERMINAL-TEST(s)."""
        parts: list[Formula] = []
        for declared in declarations:
            match declared:
                case ast.EndDecl(body=body):
                    parts += self._ends(body, _Path())
                case ast.RepeatDecl(outcome=outcome) if outcome:
                    parts.append(self._repeated(declared))
        return _disjunction(row(f"{self.names.terminal}(", self.names.symbol, ")"), parts)

    def goal(self, declarations: tuple[ast.Declaration, ...]) -> tuple[Line, ...]:
        """GOAL-TEST(s) of a single player: an end of play that is won."""
        head = row(f"{self.names.goal}(", self.names.symbol, ")")
        ends = [d for d in declarations if isinstance(d, ast.EndDecl)]
        repeats = [d for d in declarations if isinstance(d, ast.RepeatDecl) and d.outcome]
        if not repeats and all(isinstance(node, ast.Wins) for node in _outcomes_in(tuple(ends))):
            return _disjunction(head, [p for d in ends for p in self._ends(d.body, _Path())])
        s, over = self.names.symbol, self.names.terminal
        won = row(head, f" ⇔ {over}(", s, ") ∧ UTILITY(", s, ", p) > 0")
        return (Line(won),)

    def utility(self, declarations: tuple[ast.Declaration, ...]) -> tuple[Line, ...]:
        """UTILITY(s, p) by cases, of which the first applies; empty if cases do not suffice."""
        lines: list[Line] = []
        for declared in declarations:
            match declared:
                case ast.EndDecl(body=body) if _is_list_of_cases(body):
                    lines += self._cases(body, _Path())
                case ast.EndDecl():
                    return ()
                case ast.RepeatDecl(outcome=outcome) if outcome:
                    paid = self.paid(outcome)
                    lines.append(Line(row(paid, " if ", self._repeated(declared))))
        if not lines:
            return ()
        only = "" if len(lines) == 1 else " in the first of these cases that applies"
        s = self.names.symbol
        head = Line(row("UTILITY(", s, f", p) = what p gets{only}:"))
        return (head, *(Line(line.formula, line.depth + 1) for line in lines))

    def _repeated(self, declared: ast.RepeatDecl) -> Formula:
        times = "2" if declared.times is None else self.mathematics.formula(declared.times)
        return row(compared(declared, self.names.symbol), " has come up ", times, " times")

    def _ends(self, body: ast.Block, path: _Path) -> Iterator[Formula]:
        """The conditions for the outcomes of a block."""
        if _surely_ends(body):
            yield self._condition(path)
            return
        for node in body:
            match node:
                case ast.Let():
                    path = replace(path, lets=(*path.lets, node))
                case ast.If():
                    for inner, block in self._branches(node, path):
                        yield from self._ends(block, inner)
                case ast.For():
                    yield from self._ends(node.body, self._round(node, path))

    def _cases(self, body: ast.Block, path: _Path) -> Iterator[Line]:
        """A line for each outcome; outcomes under a condition are indented behind the condition."""
        for node in body:
            match node:
                case ast.Let():
                    path = replace(path, lets=(*path.lets, node))
                case ast.If():
                    for inner, block in self._branches(node, path):
                        if len(list(_outcomes_in(block))) > 1:
                            yield Line(row("if ", self._condition(inner), ":"))
                            below = _Path(lets=path.lets)
                            for line in self._cases(block, below):
                                yield Line(line.formula, line.depth + 1)
                        else:
                            yield from self._cases(block, inner)
                case ast.For():
                    yield from self._cases(node.body, self._round(node, path))
                case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff():
                    paid, where = self.paid(node), []
                    if isinstance(node, ast.Wins | ast.Loses) and not _is_short(node.player):
                        where = [row("w = ", self.mathematics.formula(node.player))]
                    read = path.read | set(names_in(node))
                    yield Line(self._case(paid, replace(path, read=read), where))

    def _case(self, paid: Formula, path: _Path, where: list[Formula]) -> Formula:
        """`p gets 1, other(p) gets -1 for the first p ∈ players with line(cell, p, 3)`."""
        where = where + self._explained(path)
        conditions = _all_of(path.conditions)
        parts: list[str | Formula] = [paid]
        if path.loops:
            parts += [" for the first ", joined(", ", path.loops)]
            parts += [" with ", conditions] if conditions else []
        else:
            parts += [" if ", conditions] if conditions else [" otherwise"]
        return row(*parts, *((", where ", joined(", ", where)) if where else ()))

    def _branches(self, node: ast.If, path: _Path) -> Iterator[tuple[_Path, ast.Block]]:
        write = self.mathematics
        for condition, block in node.branches:
            tight = write.formula(condition, AND)
            is_choice = isinstance(condition, ast.Conditional)
            alone = write.formula(condition, OR if is_choice else LOOSEST)
            yield path.under(tight, alone, condition), block
            if not _surely_ends(block):
                negated = row("¬", parenthesized(write.formula(condition)))
                path = path.under(negated, negated, condition)
        if node.otherwise is not None:
            yield path, node.otherwise

    def _round(self, node: ast.For, path: _Path) -> _Path:
        clause = ast.Clause(node.span, node.name, node.domain, node.condition)
        return replace(
            path,
            loops=(*path.loops, self.mathematics.quantified((clause,))),
            read=path.read | set(names_in(clause)),
        )

    def _condition(self, path: _Path) -> Formula:
        """`∃ p ∈ players: line(cell, p, 3)`, with the names of `let` explained."""
        formula = _all_of(path.conditions) or Word("true", Kind.VALUE)
        if path.loops:
            formula = row("∃ ", joined(", ", path.loops), ": ", formula)
        lets = self._explained(path)
        return row(formula, ", where ", joined(", ", lets)) if lets else formula

    def _explained(self, path: _Path) -> list[Formula]:
        """The used names of `let` on the path, with their values."""
        read = set(path.read)
        lets: list[Formula] = []
        for let in reversed(path.lets):
            if let.name.text in read:
                read |= set(names_in(let.value))
                value = self.mathematics.formula(let.value)
                lets.insert(0, row(Word(let.name.text), " = ", value))
        return lets

    def paid(self, outcome: ast.Outcome) -> Formula:
        """`p gets 1, other(p) gets -1`: the payoffs of an outcome."""
        write = self.mathematics
        match outcome:
            case ast.Draw():
                return row("everybody gets 0")
            case ast.Payoff(entries=((ast.Name(text=text), amount),)) if text not in self.players:
                return row("every player ", Word(text), " gets ", write.formula(amount, OR))
            case ast.Payoff(entries=entries):
                return joined(
                    ", ",
                    (
                        row(write.formula(player), " gets ", write.formula(amount, OR))
                        for player, amount in entries
                    ),
                )
            case ast.Wins(player=player, amount=amount) | ast.Loses(player=player, amount=amount):
                best = row("1") if amount is None else write.formula(amount, PRIMARY)
                won, lost = best, best if text_of(best) == "0" else row("-", best)
                if isinstance(outcome, ast.Loses):
                    won, lost = lost, won
                who = write.formula(player) if _is_short(player) else row("w")
                if len(self.players) == 1:
                    return row(who, " gets ", won)
                return row(who, " gets ", won, ", ", self._opponent_of(who), " gets ", lost)

    def _opponent_of(self, player: Formula) -> Formula:
        known = {"turn": "opponent", "opponent": "turn"}
        text = text_of(player)
        if text in self.players:
            return Word(next(name for name in self.players if name != text), Kind.VALUE)
        if text in known:
            return Word(known[text])
        return row(Word("other", Kind.OPERATOR), parenthesized(player))


def _is_short(player: ast.Expression) -> bool:
    return isinstance(player, ast.Name | ast.Index | ast.Call)


def _all_of(conditions: tuple[tuple[Formula, Formula], ...]) -> Formula | None:
    """All conditions joined; a single condition needs no parentheses; None without conditions."""
    if len(conditions) == 1:
        return conditions[0][1]
    return joined(" ∧ ", (tight for tight, _ in conditions)) if conditions else None


def _disjunction(head: Formula, parts: list[Formula]) -> tuple[Line, ...]:
    """`head ⇔ a`, `∨ b`, a line for each different part."""
    parts = list(dict.fromkeys(parts))
    if not parts:
        return ()
    if len(parts) > 1:
        parts = [parenthesized(part) if _is_quantified(part) else part for part in parts]
    return (
        Line(row(head, " ⇔ ", parts[0])),
        *(Line(row("∨ ", part), 1) for part in parts[1:]),
    )


def _is_quantified(formula: Formula) -> bool:
    return (
        isinstance(formula, Row)
        and isinstance(formula.parts[0], Sign)
        and formula.parts[0].text in "∃∀"
    )


def _surely_ends(body: ast.Block) -> bool:
    """Whether every path through a block ends in an outcome."""
    return any(
        isinstance(node, _OUTCOMES)
        or (
            isinstance(node, ast.If)
            and node.otherwise is not None
            and all(_surely_ends(block) for _, block in node.branches)
            and _surely_ends(node.otherwise)
        )
        for node in body
    )


def compared(declared: ast.RepeatDecl, state: Formula) -> Formula:
    """The part of a state compared by a repetition rule, in a formula about `state`."""
    names = [state if name.text == "state" else Word(name.text) for name in declared.names]
    part = names[0] if len(names) == 1 else Group("(", joined(", ", names), ")")
    left_out = joined(", ", (Word(name.text) for name in declared.left_out))
    return row(part, " without ", left_out) if declared.left_out else part


def _is_list_of_cases(body: ast.Block) -> bool:
    """Whether the first case that holds determines the outcome of a block.

    A loop then holds a single outcome, so that the order of the rounds does not matter.
    """
    for node in body:
        if isinstance(node, ast.For):
            if node.going is not None or len(list(_outcomes_in(node.body))) > 1:
                return False
        elif isinstance(node, ast.If):
            blocks = [block for _, block in node.branches] + [node.otherwise or ()]
            if not all(map(_is_list_of_cases, blocks)):
                return False
    return True


def _outcomes_in(body: tuple[ast.Node, ...]) -> Iterator[ast.Node]:
    return (node for node in ast.nodes_in(body) if isinstance(node, ast.Outcome))
