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
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

_OUTCOMES = (ast.Wins, ast.Loses, ast.Draw, ast.Payoff)


@dataclass(frozen=True, slots=True)
class _Path:
    """The path to an outcome: loops, conditions, and names.

    Conditions have two forms: inside a conjunction, and alone.
    """

    loops: tuple[str, ...] = ()
    conditions: tuple[tuple[str, str], ...] = ()
    lets: tuple[ast.Let, ...] = ()
    read: frozenset[str] = frozenset()

    def under(self, tight: str, alone: str, node: ast.Node) -> _Path:
        return replace(self, conditions=(*self.conditions, (tight, alone)),
                       read=self.read | set(names_in(node)))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Endings:
    """Formulas about the end of play; `players` in turn order."""

    mathematics: Mathematics
    names: Names
    players: tuple[str, ...]

    def terminal(self, declarations: tuple[ast.Declaration, ...]) -> tuple[str, ...]:
        """The lines of a disjunction equal to TERMINAL-TEST(s)."""
        parts: list[str] = []
        for declared in declarations:
            match declared:
                case ast.EndDecl(body=body):
                    parts += self._ends(body, _Path())
                case ast.RepeatDecl(outcome=outcome) if outcome:
                    parts.append(self._repeated(declared))
        parts = list(dict.fromkeys(parts))
        who = f"{self.names.terminal}({self.names.s})"
        if not parts:
            return ()
        if len(parts) > 1:
            parts = [f"({part})" if part[0] in "∃∀" else part for part in parts]
        return (f"{who} ⇔ {parts[0]}", *(f"  ∨ {part}" for part in parts[1:]))

    def utility(self, declarations: tuple[ast.Declaration, ...]) -> tuple[str, ...]:
        """UTILITY(s, p) by cases, of which the first applies; empty if cases do not suffice."""
        lines: list[str] = []
        for declared in declarations:
            match declared:
                case ast.EndDecl(body=body) if _is_list_of_cases(body):
                    lines += self._cases(body, _Path())
                case ast.EndDecl():
                    return ()
                case ast.RepeatDecl(outcome=outcome) if outcome:
                    lines.append(f"{self._paid(outcome)} if {self._repeated(declared)}")
        if not lines:
            return ()
        only = "" if len(lines) == 1 else " in the first of these cases that applies"
        head = f"UTILITY({self.names.s}, p) = what p gets{only}:"
        return (head, *(f"  {line}" for line in lines))

    def _repeated(self, declared: ast.RepeatDecl) -> str:
        times = "2" if declared.times is None else self.mathematics.formula(declared.times)
        return f"{compared(declared, self.names.s)} has come up {times} times"

    def _ends(self, body: ast.Block, path: _Path) -> Iterator[str]:
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

    def _cases(self, body: ast.Block, path: _Path) -> Iterator[str]:
        """A line for each outcome; outcomes under a condition are indented behind the condition."""
        for node in body:
            match node:
                case ast.Let():
                    path = replace(path, lets=(*path.lets, node))
                case ast.If():
                    for inner, block in self._branches(node, path):
                        if len(list(_outcomes_in(block))) > 1:
                            yield f"if {self._condition(inner)}:"
                            below = _Path(lets=path.lets)
                            yield from (f"  {line}" for line in self._cases(block, below))
                        else:
                            yield from self._cases(block, inner)
                case ast.For():
                    yield from self._cases(node.body, self._round(node, path))
                case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff():
                    paid, winner = self._paid(node), ""
                    if isinstance(node, ast.Wins | ast.Loses) and not _is_short(node.player):
                        winner = f"w = {self.mathematics.formula(node.player)}"
                    yield self._case(
                        paid, replace(path, read=path.read | set(names_in(node))), winner
                    )

    def _case(self, paid: str, path: _Path, winner: str) -> str:
        """`p gets 1, other(p) gets -1 for the first p ∈ players with line(cell, p, 3)`."""
        where = [winner] * bool(winner) + self._explained(path)
        conditions = _all_of(path.conditions)
        if path.loops:
            such = f" with {conditions}" if conditions else ""
            when = f" for the first {', '.join(path.loops)}{such}"
        else:
            when = f" if {conditions}" if conditions else " otherwise"
        return paid + when + (f", where {', '.join(where)}" if where else "")

    def _branches(self, node: ast.If, path: _Path) -> Iterator[tuple[_Path, ast.Block]]:
        write = self.mathematics
        for condition, block in node.branches:
            tight = write.formula(condition, AND)
            is_choice = isinstance(condition, ast.Conditional)
            alone = write.formula(condition, OR if is_choice else LOOSEST)
            yield path.under(tight, alone, condition), block
            if not _surely_ends(block):
                negated = f"¬({write.formula(condition)})"
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

    def _condition(self, path: _Path) -> str:
        """`∃ p ∈ players: line(cell, p, 3)`, with the names of `let` explained."""
        text = _all_of(path.conditions) or "true"
        if path.loops:
            text = f"∃ {', '.join(path.loops)}: {text}"
        lets = self._explained(path)
        return text + (f", where {', '.join(lets)}" if lets else "")

    def _explained(self, path: _Path) -> list[str]:
        """The used names of `let` on the path, with their values."""
        read = set(path.read)
        lets: list[str] = []
        for let in reversed(path.lets):
            if let.name.text in read:
                read |= set(names_in(let.value))
                lets.insert(0, f"{let.name.text} = {self.mathematics.formula(let.value)}")
        return lets

    def _paid(self, outcome: ast.Outcome) -> str:
        write = self.mathematics
        match outcome:
            case ast.Draw():
                return "everybody gets 0"
            case ast.Payoff(entries=((ast.Name(text=text), amount),)) if text not in self.players:
                return f"every player {text} gets {write.formula(amount, OR)}"
            case ast.Payoff(entries=entries):
                return ", ".join(
                    f"{write.formula(player)} gets {write.formula(amount, OR)}"
                    for player, amount in entries
                )
            case ast.Wins(player=player, amount=amount) | ast.Loses(player=player, amount=amount):
                best = "1" if amount is None else write.formula(amount, PRIMARY)
                won, lost = best, "0" if best == "0" else f"-{best}"
                if isinstance(outcome, ast.Loses):
                    won, lost = lost, won
                who = write.formula(player) if _is_short(player) else "w"
                if len(self.players) == 1:
                    return f"{who} gets {won}"
                return f"{who} gets {won}, {self._opponent_of(who)} gets {lost}"

    def _opponent_of(self, player: str) -> str:
        known = {"turn": "opponent", "opponent": "turn"}
        if player in self.players:
            return next(name for name in self.players if name != player)
        return known.get(player, f"other({player})")


def _is_short(player: ast.Expression) -> bool:
    return isinstance(player, ast.Name | ast.Index | ast.Call)


def _all_of(conditions: tuple[tuple[str, str], ...]) -> str:
    """All conditions joined; a single condition needs no parentheses."""
    if len(conditions) == 1:
        return conditions[0][1]
    return " ∧ ".join(tight for tight, _ in conditions)


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


def compared(declared: ast.RepeatDecl, state: str) -> str:
    """The part of a state compared by a repetition rule, in a formula about `state`."""
    names = [state if name.text == "state" else name.text for name in declared.names]
    part = names[0] if len(names) == 1 else f"({', '.join(names)})"
    left_out = ", ".join(name.text for name in declared.left_out)
    return f"{part} without {left_out}" if left_out else part


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


def _outcomes_in(body: ast.Block) -> Iterator[ast.Node]:
    return (node for node in ast.nodes_in(body) if isinstance(node, ast.Outcome))
