"""Note names that are allowed but probably mistaken for a similar name.

Three cases are noted: an outcome whose winner is not the player in the condition; an index with the
range of a different variable; values dealt to every player in sight of all players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamedsl.model import nodes
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.walk import blocks_of, expressions_of, parts, statements, within
from gamedsl.source import Label, Severity, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


def note_other_names(
    symbols: SymbolTable,
    variables: tuple[nodes.Variable, ...],
    setup: nodes.Block,
    moves: tuple[nodes.Move, ...],
    end: nodes.Block,
) -> None:
    """Report the notes about declarations of the file (not of included files)."""
    if symbols.reporter.has_errors:
        return
    is_own = symbols.program.source.is_own
    notes = (*_whose_outcome(symbols, end), *_bounds(symbols))
    is_played = sum(move.size for move in moves) > 1
    if len(symbols.players) > 1 and is_played and not any(m.is_simultaneous for m in moves):
        notes += tuple(_dealt_openly(symbols, variables, setup))
    for code, span, message, hint, label in notes:
        if is_own(span):
            symbols.reporter.report(
                code, span, message, hint=hint, severity=Severity.NOTE,
                secondary=() if label is None else (label,),
            )  # fmt: skip


Note = tuple[str, Span, str, str, Label | None]


# --- whose outcome -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """Players and slots in the conditions around a statement.

    Attributes:
        players: names of loops over players, by the slots of the loop variables and of locals
            derived from loop variables.
        asked: the loops over players that a condition looks at.
        stuck: whether a condition says that the player to move has no move.
    """

    players: Mapping[int, str]
    asked: frozenset[str] = frozenset()
    stuck: bool = False


def _whose_outcome(symbols: SymbolTable, end: nodes.Block) -> Iterator[Note]:
    """Outcomes of a player different from the player that the conditions ask about."""
    yield from _outcomes(end, _Asked({}), frozenset(symbols.players))


def _outcomes(block: nodes.Block, around: _Asked, players: frozenset[object]) -> Iterator[Note]:
    for statement in block:
        match statement:
            case nodes.Let(slot=slot, value=value):
                about = _names(value, around)
                if about:
                    known = {**around.players, slot: min(about)}
                    around = _Asked(known, around.asked, around.stuck)
            case nodes.Branch(branches=branches):
                asked = around.asked
                for condition, body in branches:
                    asked |= _names(condition, around)
                    is_stuck = isinstance(condition, nodes.Stuck) and condition.player is None
                    stuck = around.stuck or is_stuck
                    yield from _outcomes(body, _Asked(around.players, asked, stuck), players)
                rest = _Asked(around.players, asked, around.stuck)
                yield from _outcomes(statement.otherwise, rest, players)
            case nodes.Win():
                yield from _of_another(statement, around)
            case _:
                inner, over = around, facts_of(statement).over
                values = None if over is None else over.domain.known
                if over is not None and isinstance(values, tuple) and players.issuperset(values):
                    named = {**around.players, over.slot: over.name}
                    inner = _Asked(named, around.asked, around.stuck)
                    tests = (_names(test, inner) for test in expressions_of(statement)[1:])
                    asked = around.asked.union(*tests)
                    inner = _Asked(named, asked, around.stuck)
                for body in blocks_of(statement):
                    yield from _outcomes(body, inner, players)


def _of_another(outcome: nodes.Win, around: _Asked) -> Iterator[Note]:
    word, verb = _word(outcome.player), "wins" if outcome.sign > 0 else "loses"
    about = {name for expression in expressions_of(outcome) for name in _names(expression, around)}
    if word and around.asked and not about:
        name = min(around.asked)
        yield (
            "W1005",
            outcome.span,
            f"the condition asks about `{name}`, and {word} {verb}, whoever `{name}` is",
            f"is `{name} {verb}` meant?",
            None,
        )
    elif around.stuck and outcome.sign < 0 and word == "`opponent`":
        yield (
            "W1005",
            outcome.span,
            "`stuck` says that `turn` has no move, and it is `opponent` who loses",
            "`turn loses` is usual; if who has no move shall win, write `turn wins`",
            None,
        )


def _names(expression: nodes.Expr, around: _Asked) -> frozenset[str]:
    """The loops over players that an expression is about."""
    slots = (part.local for part in within(expression) if part.local is not None)
    return frozenset(around.players[slot] for slot in slots if slot in around.players)


def _word(player: nodes.Expr) -> str:
    if player.asks == "turn":
        return "`turn`"
    of_turn = any(part.asks == "turn" for part in parts(player))
    return "`opponent`" if player.called == "other" and of_turn else ""


# --- whose range ---------------------------------------------------------------------------------


def _bounds(symbols: SymbolTable) -> Iterator[Note]:
    """Indices with the lower bound of the cells' range, but with a different parameter as upper
    bound."""
    cells: dict[str, tuple[_Bounds | None, ...]] = {
        name: tuple(_range(symbols, index.domain) for index in declared.indices)
        for name, declared in symbols.variable_decls.items()
    }
    if any(bounds is not None for ranges in cells.values() for bounds in ranges):
        for declaration in symbols.program.declarations:
            yield from _indices(symbols, declaration, {}, cells)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """A range from a number to a parameter."""

    low: int
    high: str
    span: Span


def _range(symbols: SymbolTable, domain: ast.Expression) -> _Bounds | None:
    match domain:
        case ast.Binary(operator="..", left=ast.Number(value=low), right=ast.Name(text=high)) if (
            high in symbols.params
        ):
            return _Bounds(low, high, domain.span)
    return None


def _indices(
    symbols: SymbolTable,
    node: ast.Node,
    names: Mapping[str, _Bounds],
    cells: Mapping[str, tuple[_Bounds | None, ...]],
) -> Iterator[Note]:
    match node:
        case ast.Index(base=ast.Name(text=base), indices=indices) if base in cells:
            for index, bounds in zip(indices, cells[base], strict=False):
                limits = names.get(index.text) if isinstance(index, ast.Name) else None
                if limits is None or bounds is None or limits.low != bounds.low:
                    continue
                if limits.high != bounds.high:
                    assert isinstance(index, ast.Name)
                    yield (
                        "W1006",
                        limits.span,
                        f"`{index.text}` goes up to `{limits.high}`, and as an index of `{base}` "
                        f"up to `{bounds.high}`",
                        f"is `{bounds.low}..{bounds.high}` meant?",
                        Label(bounds.span, f"the cells of `{base}`"),
                    )
        case ast.Quantifier(clauses=clauses):
            names = {**names, **_named(symbols, clauses)}
        case ast.For():
            names = {**names, **_named(symbols, (node,))}
        case ast.MoveDecl(parameters=parameters):
            names = {**names, **_named(symbols, parameters)}
    for child in ast.children(node):
        yield from _indices(symbols, child, names, cells)


def _named(
    symbols: SymbolTable, clauses: tuple[ast.Clause | ast.For | ast.Parameter, ...]
) -> dict[str, _Bounds]:
    named = {}
    for clause in clauses:
        bounds = _range(symbols, clause.domain)
        if isinstance(clause.name, ast.Name) and bounds is not None:
            named[clause.name.text] = bounds
    return named


# --- whose cards ---------------------------------------------------------------------------------


def _dealt_openly(
    symbols: SymbolTable, variables: tuple[nodes.Variable, ...], setup: nodes.Block
) -> Iterator[Note]:
    """Variables with a cell for each player, dealt by chance in `setup:`, in a game without secret
    variables: if all values are seen, all players know the same."""
    if any(variable.viewers is not None for variable in variables):
        return
    for variable in variables:
        drawn = [
            statement
            for statement in statements(setup)
            if (facts := facts_of(statement)).draws and facts.writes is variable
        ]
        if drawn and [domain.values for domain in variable.indices] == [symbols.players]:
            yield (
                "W1007",
                variable.span,
                f"each player is dealt a value of `{variable.name}`, and all see all of them",
                f"each his own: `{variable.name}[p in players]: ... secret to p`",
                Label(drawn[0].span, "dealt here"),
            )
